//! What is generated for every case compiles without a warning, in both editions, for clippy and for rustdoc.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cofferdam::analyse::analyse;
use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::lower::{LowerOptions, lower};
use cofferdam::model::{Api, Operation, ParameterPlace};
use cofferdam::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan};
use cofferdam::{format, render};

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

/// Generates the modules of a case below the folder and gives the name of their root.
fn generate(case: &Path, folder: &Path) -> String {
    let mut report = Report::default();
    let mut sources = Sources::open_root(case, &mut report).unwrap();
    let api = lower(&mut sources, &LowerOptions::default(), &mut report);
    let api = api.unwrap_or_else(|| panic!("{}: {:?}", case.display(), report.diagnostics()));
    let plan = plan(api, &stem(case), &mut report);
    let modules = render::modules(&plan, &mut report);
    let texts = format::print_all(&plan, &modules, &mut report);
    assert!(!report.has_errors(), "{}: {:?}", case.display(), report.diagnostics());
    let name = format!("case_{}", stem(case).replace('-', "_"));
    let root = folder.join(&name);
    for (module, text) in modules.iter().zip(texts.unwrap()) {
        let path = root.join(module.file());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(root.join("mod.rs"), "pub mod client;\npub mod operations;\npub mod types;\n").unwrap();
    name
}

fn plan(api: Api, system: &str, report: &mut Report) -> SystemPlan {
    let selected: Vec<usize> = (0..api.operations.len()).collect();
    let analysis = analyse(&api, &selected, report);
    let operations = selected.iter().map(|index| planned(*index, &api.operations[*index])).collect();
    SystemPlan {
        system: system.to_owned(),
        type_prefix: "Case".to_owned(),
        document: format!("{system}.yaml"),
        names: analysis.names,
        operations,
        reached: analysis.reached,
        boxed: analysis.boxed,
        newtypes: analysis.newtypes,
        directions: analysis.directions,
        api,
    }
}

fn planned(index: usize, operation: &Operation) -> PlannedOperation {
    let is_key = |name: &str| name.eq_ignore_ascii_case("idempotency-key");
    let key = operation
        .parameters
        .iter()
        .find(|parameter| parameter.place == ParameterPlace::Header && is_key(&parameter.name))
        .map(|parameter| KeyPlace::Header { name: parameter.name.clone(), required: parameter.required });
    let kind = match (operation.method.as_str(), &key) {
        ("GET" | "HEAD" | "OPTIONS", _) => OperationKind::Read,
        (_, Some(_)) => OperationKind::Keyed,
        (_, None) => OperationKind::Once,
    };
    PlannedOperation { index, kind, reason: "as its method and parameters say".to_owned(), key }
}
