//! An outside judge: Prism mocks a document and refuses every request that breaks it. Each operation is called once,
//! with the samples of the plan, by the generated client; Prism must accept the call, and its reply must decode.
//!
//! Runs where `COFFERDAM_PRISM` names the command; `tests/prism/run` installs it and says which documents. The glue is
//! that of the vectors: written from the plan alone.

#![allow(clippy::unwrap_used, reason = "an unwrap is an assertion here")]

#[path = "../vectors/case.rs"]
mod case;
mod explained;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../vectors/glue/mod.rs"]
mod glue;
mod mock;
mod samples;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../vectors/vector.rs"]
mod vector;
mod verdict;
#[path = "../vectors/workshop.rs"]
mod workshop;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::case::{Case, Outcome};
use crate::explained::explained;
use crate::mock::Mock;
use crate::vector::{items, text, workspace};
use crate::verdict::Verdict;
use crate::workshop::Workshop;

/// The part that is always run: documents that cover styles, bodies, access and media types.
const SMALL: [&str; 6] = [
    "cases/12-query-array-styles.yaml",
    "cases/13-deep-object-query.yaml",
    "cases/14-path-parameters.yaml",
    "cases/16-auth-matrix.yaml",
    "cases/17-multipart.yaml",
    "cases/19-media-types.yaml",
];

/// How many documents share a crate: one crate each would be linked over and over, one for all would take much memory.
const AT_ONCE: usize = 10;

#[test]
fn prism_accepts_every_call_and_its_reply_decodes() {
    let Some(prism) = std::env::var_os("COFFERDAM_PRISM").map(PathBuf::from) else {
        println!("left out: Prism is not installed here; tests/prism/run installs and runs it");
        return;
    };
    println!("{:<44} calls passed unanswered refused undecoded explained", "document");
    let documents = documents();
    let wrong: Vec<String> = documents.chunks(AT_ONCE).flat_map(|some| judge_all(&prism, some)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The documents to run, by a list of paths in the environment.
fn documents() -> Vec<PathBuf> {
    match std::env::var("COFFERDAM_PRISM_DOCUMENTS") {
        Ok(list) => list.split_whitespace().map(PathBuf::from).collect(),
        Err(_) => SMALL.iter().map(|name| workspace().join("tests/fixtures").join(name)).collect(),
    }
}

/// Builds one crate for some documents, and judges each.
fn judge_all(prism: &Path, documents: &[PathBuf]) -> Vec<String> {
    let name = |document: &PathBuf| document.file_stem().unwrap().to_string_lossy().into_owned();
    let mut wrong = Vec::new();
    let mut cases = Vec::new();
    for document in documents {
        let mut outcome = Outcome::of(document, &name(document));
        match outcome.case.take() {
            Some(case) => cases.push((document, without_streams(case))),
            None => wrong.push(format!("{}: {}", name(document), outcome.errors())),
        }
    }
    let only: Vec<Case> = cases.iter().map(|(_, case)| case.clone()).collect();
    let workshop = Workshop::write("cofferdam-prism", &only, &[]);
    wrong.extend(cases.iter().flat_map(|(document, case)| judge(prism, document, case, &workshop)));
    wrong
}

/// Calls every operation of a document, prints a row, and gives what is neither right nor explained.
fn judge(prism: &Path, document: &Path, case: &Case, workshop: &Workshop) -> Vec<String> {
    let name = &case.name;
    let mock = Mock::start(prism, document);
    let source = std::fs::read_to_string(document).unwrap();
    // YAML reads JSON too.
    let written: Value = serde_yaml::from_str(&source).unwrap();
    let calls = samples::calls(case, &written, &mock.url());
    let seen = workshop.run(&calls, std::slice::from_ref(case));
    let mut counts = [0; 5];
    let mut wrong = Vec::new();
    for call in &calls {
        let (id, operation) = (text(call, "id"), text(call, "operation_id"));
        let verdict = Verdict::of(&seen[id]["outcomes"][0]);
        let reason = explained(name, operation);
        counts[verdict.column()] += 1;
        match (&verdict, reason) {
            (Verdict::Passed | Verdict::Unanswered, None) => {}
            (Verdict::Passed | Verdict::Unanswered, Some(_)) => {
                wrong.push(format!("{name} {operation}: passes, but is explained"))
            }
            (_, Some(_)) => counts[4] += 1,
            (other, None) => {
                println!("  {operation}: {other}");
                wrong.push(format!("{name} {operation}: {other}"));
            }
        }
    }
    let [passed, unanswered, refused, undecoded, known] = counts;
    println!("{name:<44} {:>5} {passed:>6} {unanswered:>10} {refused:>7} {undecoded:>9} {known:>9}", calls.len());
    wrong
}

/// Operations that only answer item by item are left to the tests of streams: Prism knows none.
fn without_streams(mut case: Case) -> Case {
    let is_stream =
        |operation: &Value| items(operation, "streams").any(|stream| stream["client"] == operation["rust"]["client"]);
    if let Some(operations) = case.plan["operations"].as_array_mut() {
        operations.retain(|operation| !is_stream(operation));
    }
    case
}
