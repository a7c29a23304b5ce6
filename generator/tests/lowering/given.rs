//! Documents written into the tests.

use std::fs;
use std::path::Path;

use cofferdam::diagnose::{Diagnostic, Report};
use cofferdam::load::Sources;
use cofferdam::lower::{LowerOptions, lower};
use cofferdam::model::Api;

use crate::outline::{outline, remarks};

/// Lowers files of a folder of their own; the first is the root.
pub(crate) fn files(files: &[(&str, &str)], options: &LowerOptions) -> (Option<Api>, Report) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (api, found) = open(&folder.path().join(files[0].0), options);
    let here = format!("{}/", folder.path().display());
    let mut report = Report::default();
    for diagnostic in found.diagnostics() {
        let message = diagnostic.message.replace(&here, "");
        report.push(Diagnostic { message, ..diagnostic.clone() });
    }
    (api, report)
}

pub(crate) fn open(path: &Path, options: &LowerOptions) -> (Option<Api>, Report) {
    let mut report = Report::default();
    let api = Sources::open_root(path, &mut report).and_then(|mut sources| lower(&mut sources, options, &mut report));
    (api, report)
}

/// Lowers one document; gives model and remarks as text, without the heading and the roots.
pub(crate) fn document(text: &str) -> String {
    let (api, report) = files(&[("root.yaml", text)], &LowerOptions::default());
    told(api.as_ref(), &report)
}

/// Lowers the schemas of a document of some version. Pointers are given without `/components/schemas`.
pub(crate) fn schemas(version: &str, schemas: &str) -> String {
    let indented: String = schemas.lines().map(|line| format!("    {line}\n")).collect();
    let text = format!(
        "openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n{indented}"
    );
    document(&text).replace("/components/schemas/", "/")
}

pub(crate) fn told(api: Option<&Api>, report: &Report) -> String {
    let model = api.map(outline).unwrap_or_default();
    let kept = model.lines().skip(1).filter(|line| !line.starts_with("roots: "));
    let mut text = kept.collect::<Vec<_>>().join("\n");
    text.push('\n');
    text.push_str(&remarks(report));
    text.trim().to_owned()
}
