//! Names are stable: whatever a later version of a document adds, what was there keeps its name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::plan::Governed;
use cofferdam::project::System;
use serde_json::{Map, Value, json};

/// Larger documents take long, and show nothing else.
const LARGEST: u64 = 400_000;

#[test]
fn what_is_added_takes_no_name_from_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let (mut documents, mut names, mut added) = (0, 0, 0);
    for file in documents_at_hand() {
        let text = std::fs::read_to_string(&file).unwrap();
        let Ok(document) = serde_yaml::from_str::<Value>(&text) else { continue };
        let Some(before) = given(folder.path(), &document, &BTreeMap::new()) else { continue };
        let (larger, more) = with_rivals(&document, &before);
        let after = given(folder.path(), &larger, &before).unwrap_or_else(|| panic!("{}", file.display()));
        for (place, name) in &before {
            assert_eq!(after.get(place), Some(name), "{}: {place}", file.display());
        }
        (documents, names, added) = (documents + 1, names + before.len(), added + more);
    }
    println!("{documents} documents, {names} names, {added} rivals");
    assert!(documents >= 20 && names >= 200 && added >= 200, "{documents} documents, {names} names, {added} rivals");
}

fn documents_at_hand() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let corpus = std::env::var_os("COFFERDAM_CORPUS").map(PathBuf::from);
    let own = ["specs/sber", "specs/f6", "tests/fixtures/cases", "tests/fixtures/more-cases", "tests/fixtures/streams"];
    let folders = own.iter().map(|folder| root.join(folder)).chain(corpus);
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())))
        .map(|entry| entry.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "yaml" || extension == "json"))
        .filter(|file| file.metadata().is_ok_and(|data| data.len() < LARGEST))
        .collect();
    files.sort();
    files
}

/// The names that a document gives after an earlier run; `None` where it is refused.
fn given(folder: &Path, document: &Value, earlier: &BTreeMap<String, String>) -> Option<BTreeMap<String, String>> {
    let file = folder.join("api.json");
    std::fs::write(&file, document.to_string()).unwrap();
    let mut report = Report::default();
    let system = System::single("shop", &file, folder, &mut report)?;
    let governed = Governed::by(system.profile);
    let planned = cofferdam::plan_after(&system, &governed, earlier, &mut Sources::default(), &mut report)?;
    (!report.has_errors()).then(|| planned.plan.given_names(|_| ""))
}

/// The document with schemas and operations before all others that want just the names which are given, and how many.
fn with_rivals(document: &Value, names: &BTreeMap<String, String>) -> (Value, usize) {
    let mut wanted = BTreeSet::new();
    for name in names.values().flat_map(|name| name.split(' ')) {
        let name = name.strip_prefix("r#").unwrap_or(name);
        wanted.insert(name.to_owned());
        // Names that are made of others.
        wanted.extend(["_pages", "_stream", "Request", "Reply", "Body", "Ok", "2"].map(|end| format!("{name}{end}")));
    }
    let mut ids = BTreeSet::new();
    take_ids(document, &mut ids);
    let mut document = document.clone();
    let schema = || json!({"type": "object", "properties": {"rival": {"type": "string"}}});
    let operation = |id: &String| json!({"get": {"operationId": id, "responses": {"204": {"description": "ok"}}}});
    let root = document.as_object_mut().unwrap();
    let components = root.entry("components").or_insert_with(|| json!({})).as_object_mut().unwrap();
    let schemas = components.entry("schemas").or_insert_with(|| json!({})).as_object_mut().unwrap();
    let fresh = wanted.iter().filter(|name| !schemas.contains_key(*name));
    let mut all: Map<String, Value> = fresh.map(|name| (name.clone(), schema())).collect();
    let mut added = all.len();
    all.append(schemas);
    *schemas = all;
    let paths = root.entry("paths").or_insert_with(|| json!({})).as_object_mut().unwrap();
    let fresh = wanted.iter().filter(|id| !ids.contains(*id)).enumerate();
    let mut all: Map<String, Value> = fresh.map(|(number, id)| (format!("/rivals/{number}"), operation(id))).collect();
    added += all.len();
    all.append(paths);
    *paths = all;
    (document, added)
}

/// Every operation id, wherever it stands.
fn take_ids(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            ids.extend(map.get("operationId").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| take_ids(value, ids));
        }
        Value::Array(list) => list.iter().for_each(|value| take_ids(value, ids)),
        _ => {}
    }
}
