//! Small documents of the tests, changed in ways that keep them documents: the first byte picks one, the others say how.

#![no_main]

#[path = "../../generator/tests/hostile/checks.rs"]
mod checks;
#[path = "../../generator/tests/hostile/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use serde_json::Value;

/// The documents of `tests/fixtures` that go without other files.
static DOCUMENTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");
    let mut files = Vec::new();
    for folder in ["cases", "more-cases", "compiled", "streams"] {
        let entries = std::fs::read_dir(format!("{fixtures}/{folder}")).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    let documents = texts.filter_map(|text| serde_yaml::from_str(&text).ok());
    documents.filter(|document: &Value| document.get("openapi").is_some()).collect()
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, choices)) = bytes.split_first() else { return };
    let mut document = DOCUMENTS[usize::from(*first) % DOCUMENTS.len()].clone();
    mutate::mutate(&mut document, &mut mutate::Bytes(choices));
    checks::document(document.to_string().as_bytes(), "zoo.json");
});
