//! Any text as the settings file of the runtime.

#![no_main]

use cofferdam_runtime::Settings;

libfuzzer_sys::fuzz_target!(|text: &str| {
    match Settings::parse(text, "resilience.yaml") {
        Ok(settings) => drop(format!("{settings:?}")),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
