//! Fixtures found by folder.

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
