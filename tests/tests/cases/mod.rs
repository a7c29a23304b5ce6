//! The cases, and crates generated from them.

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

/// The documents of the valid cases, in order.
pub fn cases() -> Vec<PathBuf> {
    documents("cases")
}

/// The valid documents in a folder of fixtures, in order.
pub fn documents(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace().join("tests/fixtures").join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.retain(|path| !INVALID.contains(&stem(path).as_str()));
    paths.sort();
    paths
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file's name without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The manifest of a crate of generated modules.
pub fn manifest(edition: &str) -> String {
    format!(
        "[package]\nname = \"compiled-cases\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n\
         [dependencies]\ncofferdam-runtime = {{ path = {:?} }}\n\n[workspace]\n",
        workspace().join("runtime")
    )
}

/// Runs cargo without the network, in the target folder of the workspace, and gives what was printed.
pub fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let run = Command::new(env!("CARGO"))
        .arg(arguments[0])
        .args(["--offline", "--quiet"])
        .args(&arguments[1..])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "cargo {arguments:?}:\n{said}{}", String::from_utf8_lossy(&run.stderr));
    said
}

/// A generated case.
pub struct Generated {
    /// The case's name, as its document's file has it.
    pub case: String,
    /// The name of its root module.
    pub module: String,
    /// What it was generated from.
    pub plan: SystemPlan,
}

/// Generates the modules of a case below the folder.
pub fn generate(document: &Path, folder: &Path) -> Generated {
    let case = stem(document);
    let mut report = Report::default();
    let mut sources = Sources::open_root(document, &mut report).unwrap();
    let api = lower(&mut sources, &LowerOptions::default(), &mut report);
    let api = api.unwrap_or_else(|| panic!("{case}: {:?}", report.diagnostics()));
    let plan = plan(api, &case, &mut report);
    let modules = render::modules(&plan, &mut report);
    let texts = format::print_all(&plan, &modules, &mut report);
    assert!(!report.has_errors(), "{case}: {:?}", report.diagnostics());
    let name = format!("case_{}", case.replace('-', "_"));
    let root = folder.join(&name);
    for (module, text) in modules.iter().zip(texts.unwrap()) {
        let path = root.join(module.file());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(root.join("mod.rs"), "pub mod client;\npub mod operations;\npub mod types;\n").unwrap();
    Generated { case, module: name, plan }
}

/// The plan of everything in an API.
pub fn plan(api: Api, system: &str, report: &mut Report) -> SystemPlan {
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
        implied: analysis.implied,
        directions: analysis.directions,
        extras: Default::default(),
        gates: Default::default(),
        dependencies: Vec::new(),
        features: Default::default(),
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
    PlannedOperation { index, kind, reason: "as its method and parameters say".to_owned(), key, pages: None }
}
