//! `cofferdam diff` is held to the compiler: a mapper and a port are written for the old document, the code of the new one
//! is generated beside them, and the functions that stop compiling are just those that were told.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::workshop::{Workshop, root};

/// Functions by hand-written file.
type Functions = BTreeSet<(String, String)>;

#[test]
fn what_stops_compiling_is_what_diff_tells() {
    check(&["fields", "values", "protection"], 15);
}

#[test]
fn names_that_are_gone_stop_the_functions_that_diff_tells() {
    check(&["names"], 8);
}

fn check(cases: &[&str], at_least: usize) {
    let workshop = Workshop::empty();
    workshop.make_crate("evolution", "2024", false);
    let modules: String = cases.iter().map(|case| format!("pub mod {case};\n")).collect();
    workshop.write("src/lib.rs", &modules);
    for case in cases {
        workshop.write(&format!("{case}.yaml"), &document(case, "old"));
        // What `init` makes of documents, one after the other, is the project that evolves.
        workshop.cofferdam(&["init", &format!("{case}.yaml"), "--system", case]).well();
    }
    workshop.cofferdam(&["check"]).well();
    workshop.cargo(&["check", "--quiet"]).well();

    let mut told = BTreeMap::new();
    for case in cases {
        workshop.write("new.yaml", &document(case, "new"));
        let ended = workshop.cofferdam(&["diff", "--system", case, "new.yaml", "--format", "json"]);
        told.insert((*case).to_owned(), functions_told(&ended.printed));
    }
    for case in cases {
        workshop.write(&format!("{case}.yaml"), &document(case, "new"));
    }
    workshop.cofferdam(&["generate"]).well();
    let broken = broken(&workshop, cases);
    assert_eq!(broken, told);
    let all: usize = broken.values().map(BTreeSet::len).sum();
    assert!(all >= at_least, "only {all} functions broke: {broken:#?}");
}

fn document(case: &str, version: &str) -> String {
    let file = root().join(format!("tests/tests/generation/evolution/{case}.{version}.yaml"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn functions_told(diff: &str) -> Functions {
    let diff: Value = serde_json::from_str(diff).unwrap();
    let changes = diff["systems"][0]["changes"].as_array().unwrap().iter();
    let functions = changes.flat_map(|change| change["functions"].as_array().unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    functions.map(|function| (text(&function["file"]), text(&function["name"]))).collect()
}

/// The functions that the compiler finds fault with, by the module of their system.
fn broken(workshop: &Workshop, cases: &[&str]) -> BTreeMap<String, Functions> {
    let printed = workshop.cargo(&["check", "--message-format", "json"]).printed;
    let mut broken: BTreeMap<String, Functions> =
        cases.iter().map(|case| ((*case).to_owned(), Functions::new())).collect();
    for line in printed.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        for span in message["spans"].as_array().unwrap().iter().filter(|span| span["is_primary"] == true) {
            let path = span["file_name"].as_str().unwrap();
            let (folder, file) = path.strip_prefix("src/").unwrap_or(path).split_once('/').unwrap();
            let line = usize::try_from(span["line_start"].as_u64().unwrap()).unwrap();
            let function = function_at(&workshop.read(path), line);
            broken.get_mut(folder).unwrap().insert((file.to_owned(), function));
        }
    }
    // An implementation that has no operation any more is one fault, wherever in it the compiler stops.
    for functions in broken.values_mut() {
        let whole: Vec<String> =
            functions.iter().map(|(_, name)| name.clone()).filter(|name| name.ends_with('>')).collect();
        functions.retain(|(_, name)| !whole.iter().any(|whole| name.starts_with(&format!("{whole}::"))));
    }
    broken
}

/// The function that a line stands in: `order_to_wire`, `Mapping<operations::Pay>::request`; of an implementation's own
/// line its trait.
fn function_at(text: &str, line: usize) -> String {
    let before: Vec<&str> = text.lines().take(line).collect();
    let item = before.iter().rposition(|line| line.starts_with(|first: char| first.is_alphabetic())).unwrap();
    let name = |line: &str| {
        let (_, rest) = line.split_once("fn ").unwrap();
        rest.split(['(', '<']).next().unwrap().to_owned()
    };
    let head = before[item];
    let inner =
        before[item..].iter().rev().find(|line| line.starts_with("    fn ") || line.starts_with("    async fn "));
    match head.strip_prefix("impl ").and_then(|rest| rest.split_once(" for ")) {
        Some((mapping, _)) if mapping.starts_with("Mapping<") => match inner {
            Some(inner) => format!("{mapping}::{}", name(inner)),
            None => mapping.to_owned(),
        },
        Some(_) => name(inner.unwrap_or_else(|| panic!("nothing stands at line {line}: {head}"))),
        None => name(head),
    }
}
