//! What must hold whatever a file says: the run ends, with errors or with Rust that holds nothing of the file as code.
//!
//! The fuzz targets (`fuzz/`) run the same checks over what they make up.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cofferdam::diagnose::{Report, render};
use cofferdam::load::Sources;
use cofferdam::output::Layout;
use cofferdam::plan::Governed;
use cofferdam::project::{Project, System};
use cofferdam::view::RuntimeSource;
use syn::visit::Visit;

/// A word that hostile texts try to get executed.
#[allow(dead_code, reason = "not every target needs it")]
pub(crate) const MARKER: &str = "zqxw";

/// Texts that would become code, a path or an attribute if they were pasted anywhere.
#[allow(dead_code, reason = "not every target needs it")]
pub(crate) const HOSTILE: [&str; 20] = [
    "zqxw!()",
    "\"; zqxw!(); \"",
    "*/ zqxw!(); /*",
    "\n zqxw!();\n",
    "]\n#[zqxw]\n",
    "}} zqxw!(); {{",
    "r#\"zqxw!()\"#",
    "\"# zqxw!() #\"",
    "../../zqxw",
    "/zqxw/../..",
    "C:\\zqxw",
    "zqxw\0!()",
    "{zqxw}",
    "{{ zqxw }}{% zqxw %}",
    "```\nzqxw!();\n```",
    "\u{202e}zqxw\u{2066}",
    "\r\nzqxw: zqxw\r\n",
    "crate::zqxw!{}",
    "self",
    "_",
];

/// Generates one document, under this file name, and checks what comes of it. Whether it was accepted.
#[allow(dead_code, reason = "not every target needs it")]
pub(crate) fn document(text: &[u8], name: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let mut report = Report::default();
    let system = System::single("zoo", &path, folder.path(), &mut report).unwrap();
    system_of(&system, folder.path(), report)
}

/// Loads a project file beside a small document, and generates what it declares.
#[allow(dead_code, reason = "not every target needs it")]
pub(crate) fn project(text: &[u8]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("api.yaml"), DOCUMENT).unwrap();
    let path = folder.path().join("cofferdam.toml");
    fs::write(&path, text).unwrap();
    let mut report = Report::default();
    let project = Project::load(&path, &mut report);
    assert_eq!(project.is_some(), !report.has_errors());
    told(&report, &Sources::default());
    let Some(project) = project else { return false };
    project.systems.iter().all(|system| system_of(system, folder.path(), Report::default()))
}

/// Applies an overlay to a small document, and generates what it becomes.
#[allow(dead_code, reason = "not every target needs it")]
pub(crate) fn overlay(text: &[u8]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("api.yaml"), DOCUMENT).unwrap();
    fs::write(folder.path().join("overlay.yaml"), text).unwrap();
    fs::write(folder.path().join("cofferdam.toml"), "[systems.zoo]\nspec = \"api.yaml\"\noverlay = \"overlay.yaml\"\n")
        .unwrap();
    let mut report = Report::default();
    let project = Project::load(&folder.path().join("cofferdam.toml"), &mut report).unwrap();
    system_of(&project.systems[0], folder.path(), report)
}

/// What project files and overlays are tried on.
pub(crate) const DOCUMENT: &str = r##"openapi: 3.1.0
info: {title: Zoo, version: "1"}
tags: [{name: keepers}]
paths:
  /animals/{id}:
    get:
      operationId: getAnimal
      tags: [keepers]
      parameters: [{name: id, in: path, required: true, schema: {type: string, format: uuid}}]
      responses:
        "200": {description: it, content: {application/json: {schema: {$ref: "#/components/schemas/Animal"}}}}
  /animals:
    post:
      operationId: addAnimal
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Animal"}}}}
      responses: {"201": {description: done}}
components:
  schemas:
    Animal:
      type: object
      required: [name]
      properties:
        name: {type: string}
        born: {type: string, format: date-time}
        weight: {type: number, format: decimal}
        kind: {type: string, enum: [cat, dog]}
"##;

fn system_of(system: &System, root: &Path, mut report: Report) -> bool {
    let mut sources = Sources::default();
    let planned = cofferdam::plan(system, &Governed::by(system.profile), &mut sources, &mut report);
    let mut files = BTreeMap::new();
    if let Some(mut planned) = planned {
        planned.with_contract(&mut sources, &mut report);
        let layout = Layout::Crate { runtime: RuntimeSource::Version, with_stubs: true };
        if let Some(tree) = cofferdam::generate(&planned, &layout, root, "zoo", &mut report) {
            let texts = tree.iter().filter_map(|(path, body)| Some((path.to_owned(), body.text.clone()?)));
            files = texts.collect();
        }
    }
    told(&report, &sources);
    if report.has_errors() {
        let internal = report.diagnostics().iter().find(|diagnostic| diagnostic.code == "CD-INTERNAL");
        assert!(internal.is_none(), "{internal:?}");
        return false;
    }
    assert!(!files.is_empty(), "neither files nor an error");
    for (path, text) in &files {
        harmless_path(path);
        if path.ends_with(".rs") {
            harmless(path, text);
        }
    }
    true
}

/// Checks every Rust file below a folder.
#[allow(dead_code, reason = "the fuzz targets write no files")]
pub(crate) fn folder(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            self::folder(&path);
        } else if name.ends_with(".rs") {
            harmless(&name, &fs::read_to_string(&path).unwrap());
        }
    }
}

/// The report can be shown, with the place of everything.
fn told(report: &Report, sources: &Sources) {
    let shown = render(&report.located(sources), |_| None);
    assert_eq!(shown.is_empty(), report.diagnostics().is_empty());
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
}

fn harmless_path(path: &str) {
    let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_/.".contains(c);
    assert!(path.replace("Cargo.toml", "").chars().all(fine) && !path.contains(".."), "{path:?}");
}

/// Text is Rust, and nothing of the document is code in it: not a macro, not an attribute.
fn harmless(path: &str, text: &str) {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path} is no Rust: {error}"));
    let mut found = Found::default();
    found.visit_file(&file);
    if found.0.is_empty() {
        return;
    }
    panic!("{path} holds what no generated code has: {:?}", found.0);
}

/// Macros and attributes that generated code does not have by itself.
#[derive(Default)]
struct Found(Vec<String>);

/// What generated code has of its own.
const MACROS: [&str; 14] = [
    "serde_through_wire",
    "vec",
    "matches",
    "format",
    "assert",
    "assert_eq",
    "println",
    "panic",
    "eprintln",
    "write",
    "writeln",
    "concat",
    "stringify",
    "env",
];
const ATTRIBUTES: [&str; 13] = [
    "allow",
    "cfg",
    "default",
    "deprecated",
    "derive",
    "diagnostic",
    "doc",
    "error",
    "expect",
    "from",
    "must_use",
    "source",
    "test",
];

impl<'ast> Visit<'ast> for Found {
    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        let name = found.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if !MACROS.contains(&name.as_str()) {
            self.0.push(format!("{name}!"));
        }
    }

    fn visit_attribute(&mut self, found: &'ast syn::Attribute) {
        let name = found.path().segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
        if !ATTRIBUTES.contains(&name.as_str()) {
            self.0.push(format!("#[{name}]"));
        }
    }
}
