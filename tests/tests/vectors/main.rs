//! Vectors: machine-readable requests and replies with the right bytes or outcome, run against the generated clients.
//! The glue that calls them is written from the plan's JSON alone: what a tool can know without reading Rust.

#![allow(clippy::unwrap_used, reason = "an unwrap is an assertion here")]

mod case;
mod glue;
mod judge;
mod known;
mod vector;
mod workshop;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::case::{Case, Outcome};
use crate::judge::Judgement;
use crate::known::{CHOSEN, KNOWN};
use crate::vector::{Set, text};
use crate::workshop::Workshop;

#[test]
fn every_vector_holds() {
    let sets = [
        Set::read("cases", "vectors.json"),
        Set::read("more-cases", "more-vectors.json"),
        Set::read("more-cases", "wide-vectors.json"),
    ];
    assert_eq!(sets[0].vectors.len(), 227);
    let documents: BTreeMap<String, PathBuf> = sets.iter().flat_map(Set::cases).collect();
    let outcomes: BTreeMap<&str, Outcome> =
        documents.iter().map(|(name, document)| (name.as_str(), Outcome::of(document, name))).collect();
    let cases: Vec<Case> = outcomes.values().filter_map(|outcome| outcome.case.clone()).collect();
    let vectors: Vec<Value> = sets.iter().flat_map(|set| set.vectors.iter().map(as_chosen)).collect();
    let seen = Workshop::write("cofferdam-vectors", &cases, &vectors).run(&vectors, &cases);
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let case = text(vector, "case");
            let outcome = &outcomes[case];
            let judgement = match (text(vector, "kind"), &outcome.case) {
                ("generate", _) => judge::generated(vector, &documents[case], outcome),
                (_, None) => Err(format!("not generated:\n{}", outcome.errors())),
                (_, Some(case)) => judge::seen(vector, &case.plan, &seen[text(vector, "id")]),
            };
            failure(vector, judgement)
        })
        .collect();
    let (all, known) = (vectors.len(), KNOWN.len());
    println!("{} of {all} vectors hold, {known} are known to be wrong", all - known - failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A vector with what was chosen where it allows more than one outcome.
fn as_chosen(vector: &Value) -> Value {
    let mut vector = vector.clone();
    if let Some((id, chosen)) = CHOSEN.iter().find(|(id, _)| *id == text(&vector, "id")) {
        assert!(!vector["choice"].is_null(), "{id} leaves no choice");
        vector["expect_outcome"] = serde_json::from_str(chosen).unwrap();
        if let Some(vector) = vector.as_object_mut() {
            vector.remove("expect_request");
        }
    }
    vector
}

/// A vector that fails without being known to be wrong, or holds in spite of it.
fn failure(vector: &Value, judgement: Judgement) -> Option<String> {
    let id = text(vector, "id");
    match (judgement, KNOWN.iter().any(|(known, _)| *known == id)) {
        (Ok(()), false) | (Err(_), true) => None,
        (Err(reason), false) => Some(format!("{id} ({}): {reason}", text(vector, "claim"))),
        (Ok(()), true) => Some(format!("{id} holds, but is listed as known to be wrong")),
    }
}
