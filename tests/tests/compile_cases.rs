//! What is generated for every case, the hand-written half included, compiles without a warning, in both editions, for
//! clippy and for rustdoc.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]
#![allow(unreachable_pub, reason = "the module is shared by tests, which are crates of their own")]

#[allow(dead_code, reason = "no test uses all of it")]
mod cases;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cases::{cargo, cases, documents, manifest, stem, workspace};
use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::output::Layout;
use cofferdam::plan::Governed;
use cofferdam::project::{System, module_name};
use cofferdam::write::{Lock, Scope, changes};

#[test]
fn every_case_compiles_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut cases = cases();
    assert!(cases.len() >= 28, "only {} cases found", cases.len());
    cases.extend(documents("more-cases"));
    cases.extend(documents("compiled"));
    let modules = cases.iter().map(|case| generate(case, &folder.path().join("src")));
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

/// Generates a case below the folder, as a project would have it, and gives the name of its module.
fn generate(case: &Path, folder: &Path) -> String {
    let mut report = Report::default();
    let name = format!("case-{}", stem(case));
    let system = System::single(&name, case, folder, &mut report).unwrap();
    let governed = Governed::by(system.profile);
    let planned = cofferdam::plan(&system, &governed, &mut Sources::default(), &mut report);
    let module = module_name(&name);
    let tree = planned
        .and_then(|planned| cofferdam::generate(&planned, &Layout::Project, folder, &module, &mut report))
        .unwrap_or_else(|| panic!("{}: {:?}", case.display(), report.diagnostics()));
    let changes = changes(folder, &tree, Lock::default(), BTreeMap::new(), Scope::All, false).unwrap();
    changes.apply().unwrap();
    module
}
