//! The plan as JSON is what its documentation says: the example there is a snapshot.

#![allow(clippy::unwrap_used, reason = "an unwrap is an assertion here")]

use std::fs;
use std::path::Path;

use cofferdam::Planned;
use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::plan::Governed;
use cofferdam::project::System;
use cofferdam::view::{PLAN_VERSION, PlanDocument, system_document};
use serde_json::Value;

const DOCS: &str = include_str!("../../docs/plan-json.md");

/// The only code block of a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = DOCS.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

fn planned(document: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.openapi.yaml");
    fs::write(&path, document).unwrap();
    let (mut report, mut sources) = (Report::default(), Sources::default());
    let system = System::single("shop", &path, Path::new("."), &mut report).unwrap();
    let governed = Governed::by(system.profile);
    let planned = cofferdam::plan(&system, &governed, &mut sources, &mut report);
    let Planned { plan, policies, .. } = planned.unwrap();
    let notes = report.located(&sources);
    let system = system_document(&plan, &policies, "shop.openapi.yaml", &["shop.openapi.yaml".to_owned()], &notes);
    serde_json::to_value(PlanDocument { plan_version: PLAN_VERSION, systems: vec![system] }).unwrap()
}

#[test]
fn the_example_of_the_documentation_is_exact() {
    let found = planned(block("yaml"));
    let told: Value = serde_json::from_str(block("json")).unwrap();
    assert!(found == told, "docs/plan-json.md tells another plan than this:\n{found:#}");
}

#[test]
fn every_key_is_documented() {
    let mut keys = Vec::new();
    collect(&planned(block("yaml")), &mut keys);
    let prose = DOCS.split_once("## Example").unwrap().0;
    let missing: Vec<&String> = keys.iter().filter(|key| !prose.contains(&format!("`{key}`"))).collect();
    // Names of the document, and keys whose tables have no row of their own.
    let told_elsewhere =
        ["systems", "pointer", "url", "default", "in", "scheme", "status", "connect_ms", "read_ms", "call_ms"];
    let missing: Vec<_> = missing.into_iter().filter(|key| !told_elsewhere.contains(&key.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The keys of objects whose keys are words of ours, not of the document.
fn collect(value: &Value, keys: &mut Vec<String>) {
    const OF_THE_DOCUMENT: [&str; 5] = ["request", "responses", "variants", "headers", "security"];
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        Value::Object(members) => {
            for (key, value) in members {
                keys.push(key.clone());
                if !OF_THE_DOCUMENT.contains(&key.as_str()) || value.is_array() && key != "security" {
                    collect(value, keys);
                }
            }
        }
        _ => {}
    }
}
