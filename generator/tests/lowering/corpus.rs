//! Real documents that other people wrote, where they are present.

use std::path::{Path, PathBuf};

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::lower::{LowerOptions, lower};
use serde_json::Value;

use crate::outline::{outline, remarks};

/// Documents of the corpus that are wrong: file, and what the error must say.
const WRONG: [(&str, &str); 1] = [("og31-issue_17485.yaml", "has no place for its parameter `username`")];

const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let named = std::env::var_os("COFFERDAM_CORPUS").map(PathBuf::from);
    [named, Some(beside)].into_iter().flatten().find(|folder| folder.is_dir())
}

/// Operations declared under `paths`, references to path items of the same file followed.
fn declared(root: &Value) -> usize {
    let paths = root.get("paths").and_then(Value::as_object);
    let items = paths.into_iter().flatten().filter(|(path, _)| !path.starts_with("x-"));
    let item = |item: &Value| {
        let target =
            item.get("$ref").and_then(Value::as_str).and_then(|reference| root.pointer(reference.strip_prefix('#')?));
        let map = target.unwrap_or(item).as_object();
        map.into_iter().flatten().filter(|(key, value)| METHODS.contains(&key.as_str()) && value.is_object()).count()
    };
    items.map(|(_, value)| item(value)).sum()
}

#[test]
fn every_document_of_the_corpus_is_lowered_whole() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json" || extension == "yaml"));
    files.sort();
    let only = std::env::var("COFFERDAM_ONLY").ok();
    let mut faults = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let mut report = Report::default();
        let Some(mut sources) = Sources::open_root(&file, &mut report) else {
            faults.push(format!("{name}: not loaded\n{}", remarks(&report)));
            continue;
        };
        let api = lower(&mut sources, &LowerOptions::default(), &mut report);
        if let Some((_, message)) = WRONG.iter().find(|(wrong, _)| *wrong == name) {
            assert!(api.is_none() && remarks(&report).contains(message), "{name}:\n{}", remarks(&report));
            continue;
        }
        if only.is_some() {
            println!("{}{}", api.as_ref().map(outline).unwrap_or_default(), remarks(&report));
        }
        match api {
            None => {
                let errors: Vec<_> =
                    remarks(&report).lines().filter(|l| l.starts_with("error")).take(20).map(str::to_owned).collect();
                faults.push(format!("{name}:\n{}", errors.join("\n")));
            }
            Some(api) => {
                let expected = declared(&sources.files[0].value);
                if api.operations.len() != expected {
                    faults.push(format!("{name}: {} operations, {expected} declared", api.operations.len()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
