//! Any text as an overlay of a small document.

#![no_main]

#[path = "../../generator/tests/hostile/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    checks::overlay(text);
});
