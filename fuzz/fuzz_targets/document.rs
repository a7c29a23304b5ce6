//! Any bytes as a document: YAML, or JSON when the first is even.

#![no_main]

#[path = "../../generator/tests/hostile/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    checks::document(text, if first % 2 == 0 { "zoo.json" } else { "zoo.yaml" });
});
