//! Fixtures found by folder: one mistake, one input file, one expected text beside it (`x.yaml` + `x.stderr`).
//! `BLESS=1 cargo test` writes the expected texts anew.

use std::fs;
use std::path::{Path, PathBuf};

/// The inputs of a folder of `tests/`, sorted.
pub(crate) fn inputs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut inputs: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.extension().is_none_or(|extension| extension != "stderr"))
        .collect();
    inputs.sort();
    inputs
}

/// Compares what each input gives with the text beside it, and tells every difference at once.
pub(crate) fn check(folder: &str, at_least: usize, stderr: impl Fn(&Path) -> String) {
    let inputs = inputs(folder);
    assert!(inputs.len() >= at_least, "only {} inputs in {folder}", inputs.len());
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for input in inputs {
        let got = stderr(&input);
        let name = input.file_name().unwrap().to_str().unwrap();
        let expected_file = input.with_file_name(format!("{name}.stderr"));
        if bless {
            fs::write(&expected_file, &got).unwrap();
        }
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        if got != expected || got.is_empty() {
            wrong.push(format!("--- {name}, expected:\n{expected}--- got:\n{got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
