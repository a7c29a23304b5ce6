//! What is generated for every case, the hand-written half included, compiles without a warning, in both editions, for
//! clippy and for rustdoc.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::output::Layout;
use cofferdam::plan::Governed;
use cofferdam::project::{System, module_name};
use cofferdam::write::{Lock, Scope, changes};

/// Documents that are invalid, and told so elsewhere.
const INVALID: [&str; 2] = ["29-duplicate-operation-id", "30-swagger-two"];

#[test]
fn every_case_compiles_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let cases = cases();
    assert!(cases.len() >= 28, "only {} cases found", cases.len());
    let modules: Vec<String> = cases.iter().map(|case| generate(case, &folder.path().join("src"))).collect();
    let modules: String = modules.iter().map(|name| format!("pub mod {name};\n")).collect();
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

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace().join("tests/fixtures/cases")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.retain(|path| !INVALID.contains(&stem(path).as_str()));
    paths.sort();
    paths
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn manifest(edition: &str) -> String {
    format!(
        "[package]\nname = \"compiled-cases\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n\
         [dependencies]\ncofferdam-runtime = {{ path = {:?} }}\n\n[workspace]\n",
        workspace().join("runtime")
    )
}

/// Runs cargo without the network, in the target folder of the workspace, and gives what it said.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let run = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--quiet"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "cargo {arguments:?}:\n{said}");
    said.into_owned()
}

/// Generates a case below the folder, as a project would have it, and gives the name of its module.
fn generate(case: &Path, folder: &Path) -> String {
    let mut report = Report::default();
    let name = format!("case-{}", stem(case));
    let system = System::single(&name, case, folder, &mut report).unwrap();
    let governed = Governed::by(system.profile);
    let planned = cofferdam::plan(&system, &governed, &BTreeMap::new(), &mut Sources::default(), &mut report);
    let module = module_name(&name);
    let tree = planned
        .and_then(|planned| cofferdam::generate(&planned, &Layout::Project, folder, &module, &mut report))
        .unwrap_or_else(|| panic!("{}: {:?}", case.display(), report.diagnostics()));
    let changes = changes(folder, &tree, Lock::default(), BTreeMap::new(), Scope::All, false).unwrap();
    changes.apply().unwrap();
    module
}
