//! What is generated for every case compiles without a warning, in both editions, for clippy and for rustdoc.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]
#![allow(unreachable_pub, reason = "the module is shared by tests, which are crates of their own")]

#[allow(dead_code, reason = "no test uses all of it")]
mod cases;

use std::fs;

use cases::{cargo, cases, documents, generate, manifest, workspace};

#[test]
fn every_case_compiles_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut cases = cases();
    assert!(cases.len() >= 28, "only {} cases found", cases.len());
    cases.extend(documents("compiled"));
    let modules = cases.iter().map(|case| generate(case, &folder.path().join("src")).module);
    let modules: String = modules.map(|name| format!("pub mod {name};\n")).collect();
    fs::write(folder.path().join("src/lib.rs"), format!("#![deny(warnings)]\n{modules}")).unwrap();
    fs::copy(workspace().join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    for edition in ["2021", "2024"] {
        fs::write(folder.path().join("Cargo.toml"), manifest(edition)).unwrap();
        cargo(folder.path(), &["check"]);
    }
    cargo(folder.path(), &["clippy"]);
    cargo(folder.path(), &["doc", "--no-deps"]);
    let doctests = cargo(folder.path(), &["test", "--doc"]);
    assert!(doctests.contains("running 0 tests"), "{doctests}");
}
