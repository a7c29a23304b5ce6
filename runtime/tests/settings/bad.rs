//! One mistake, one input, one expected text beside it. `BLESS=1 cargo test` writes the expected texts anew.

use std::fs;
use std::path::{Path, PathBuf};

use cofferdam_runtime::settings::Settings;

#[test]
fn every_bad_settings_file_tells_everything_that_is_wrong_with_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-settings");
    let mut inputs: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    inputs.sort();
    assert!(inputs.len() >= 20, "only {} inputs", inputs.len());
    let mut wrong = Vec::new();
    for input in inputs {
        let name = input.file_name().unwrap().to_str().unwrap();
        let error = Settings::parse(&fs::read_to_string(&input).unwrap(), name).err();
        let got = error.map(|error| format!("{error}\n")).unwrap_or_default();
        let expected_file = input.with_extension("yaml.stderr");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected_file, &got).unwrap();
        }
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        if got != expected || got.is_empty() {
            wrong.push(format!("--- {name}, expected:\n{expected}--- got:\n{got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_cannot_be_read_says_so() {
    let error = Settings::load("no/such/resilience.yaml").unwrap_err();
    assert!(
        error.to_string().starts_with("no/such/resilience.yaml: error[CD-SETTINGS-FILE]: the file cannot be read: ")
    );
}

#[test]
fn no_fault_shows_a_password() {
    let text = "systems: {a: {base-url: 'https://user:hunter2@a.test/'}}";
    let error = Settings::parse(text, "x.yaml").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}
