//! One mistake, one input, one expected text beside it: every input of `tests/bad-specs` is given to the real command,
//! and what it says is compared with `NAME.stderr`. Where there is an error nothing may be written, and the command must
//! fail; where there is none it must not. `BLESS=1` writes the expected texts anew; read them as a user would.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

mod codes;
mod folder;
mod tree;

use std::path::{Path, PathBuf};

use folder::{Case, check};

fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bad-specs")
}

/// A project of one system with the given lines.
fn project(lines: &str) -> String {
    format!("out = \"out\"\n{lines}")
}

#[test]
fn documents() {
    check("documents", 40, |name| Case::of(&["generate", "--spec", name, "--system", "it", "--out", "out"]));
}

/// Documents that are generated, with much to say about them.
#[test]
fn remarks() {
    check("remarks", 6, |name| {
        Case::of(&["generate", "--spec", name, "--system", "it", "--out", "out", "--with-stubs", "--with-tests"])
    });
}

#[test]
fn project_files() {
    check("projects", 20, |name| Case::of(&["generate", "--project", name]));
}

#[test]
fn overlays() {
    check("overlays", 18, |name| {
        let system = format!("[systems.it]\nspec = \"given/api.yaml\"\noverlay = \"{name}\"\n");
        Case::of(&["generate"]).with("cofferdam.toml", &project(&system))
    });
}

#[test]
fn settings() {
    check("settings", 10, |name| {
        let lines = format!("settings = \"{name}\"\n[systems.it]\nspec = \"given/api.yaml\"\n");
        Case::of(&["generate"]).with("cofferdam.toml", &project(&lines))
    });
}

/// Folders with everything a run needs; the arguments stand in the file `command`.
#[test]
fn runs() {
    folder::check_folders("runs", 12);
}
