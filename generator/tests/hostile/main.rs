//! Documents, project files and overlays that nobody in his right mind would write.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

mod checks;
#[cfg(unix)]
mod corpus;
mod mutate;

use std::fs;
use std::path::{Path, PathBuf};

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use serde_json::Value;

use mutate::Numbers;

/// How many documents are made of each fixture; `MUTATIONS` makes them more.
fn rounds() -> u64 {
    std::env::var("MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3)
}

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

fn read(file: &Path) -> Option<Value> {
    let mut sources = Sources::open_root(file, &mut Report::default())?;
    Some(sources.files.remove(0).value)
}

#[test]
fn mutated_documents_end_in_errors_or_in_harmless_rust() {
    let files = fixtures("../tests/fixtures/cases").into_iter().chain(fixtures("../tests/fixtures/more-cases"));
    let mut accepted = 0;
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "yaml")) {
        let Some(document) = read(&file) else { continue };
        for round in 0..rounds() {
            let mut mutated = document.clone();
            mutate::mutate(&mut mutated, &mut Numbers(round * 7919 + document.to_string().len() as u64));
            accepted += u32::from(checks::document(mutated.to_string().as_bytes(), "zoo.json"));
        }
    }
    assert!(accepted > 10, "only {accepted} came through: the mutations are too wild to test what comes after");
}

#[test]
fn hostile_text_in_every_place_becomes_no_code() {
    let document =
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cases/21-hostile-descriptions.yaml"));
    let document = document.unwrap().to_string();
    for hostile in checks::HOSTILE {
        let text = checks::DOCUMENT.replace("Zoo", &serde_json::to_string(hostile).unwrap());
        checks::document(text.as_bytes(), "zoo.yaml");
        let quoted = serde_json::to_string(hostile).unwrap();
        let bare = &quoted[1..quoted.len() - 1];
        for word in ["animals", "getAnimal", "keepers", "Animal", "name", "cat"] {
            let text = checks::DOCUMENT.replace(word, "MARK");
            let mut value: Value = serde_yaml::from_str(&text).unwrap();
            seed(&mut value, hostile);
            checks::document(value.to_string().as_bytes(), "zoo.json");
        }
        checks::document(document.replace("evil", bare).as_bytes(), "zoo.json");
        assert!(hostile.contains(checks::MARKER) || hostile.len() < 5);
    }
}

/// Puts a text in the place of `MARK`, in keys and in values.
fn seed(value: &mut Value, hostile: &str) {
    match value {
        Value::String(text) => *text = text.replace("MARK", hostile),
        Value::Array(items) => items.iter_mut().for_each(|item| seed(item, hostile)),
        Value::Object(members) => {
            let seeded = std::mem::take(members).into_iter().map(|(key, mut value)| {
                seed(&mut value, hostile);
                (key.replace("MARK", hostile), value)
            });
            *members = seeded.collect();
        }
        _ => {}
    }
}

#[test]
fn what_was_found_by_fuzzing_stays_mended() {
    for file in fixtures("tests/hostile/found") {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read(&file).unwrap();
        match name.split('.').next_back() {
            Some("toml") => checks::project(&text),
            _ if name.contains("overlay") => checks::overlay(&text),
            Some("json") => checks::document(&text, "zoo.json"),
            _ => checks::document(&text, "zoo.yaml"),
        };
    }
}

#[test]
fn an_enum_of_many_thousand_values_is_generated() {
    let values: Vec<String> = (0..20_000).map(|number| format!("v{number}")).collect();
    let document = serde_json::json!({
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {},
        "components": {"schemas": {"Long": {"type": "string", "enum": values}}},
    });
    let started = checks::document(document.to_string().as_bytes(), "zoo.json");
    assert!(started);
}
