//! Documents that load, and what they must mean.

use std::fs;
use std::path::{Path, PathBuf};

use cofferdam::diagnose::{Report, render};
use cofferdam::load::{OpenApiVersion, Sources, openapi_version};
use cofferdam::model::Origin;

use crate::fixture;

fn said(report: &Report, sources: &Sources) -> String {
    render(&report.located(sources), |_| None)
}

/// The file beside a document that says in JSON what it means.
fn meaning(document: &Path) -> PathBuf {
    let mut name = document.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

#[test]
fn every_good_document_means_what_stands_beside_it() {
    let inputs = fixture::inputs("good-documents");
    let documents: Vec<&PathBuf> = inputs.iter().filter(|path| meaning(path).exists()).collect();
    assert!(documents.len() >= 7, "only {}", documents.len());
    for path in documents {
        let mut report = Report::default();
        let sources = Sources::open_root(path, &mut report).unwrap_or_default();
        assert_eq!(said(&report, &sources), "", "{}", path.display());
        let expected: serde_json::Value = serde_json::from_str(&fs::read_to_string(meaning(path)).unwrap()).unwrap();
        // As text: the order of the keys counts.
        assert_eq!(sources.files[0].value.to_string(), expected.to_string(), "{}", path.display());
    }
}

#[test]
fn every_known_version_passes_and_a_bare_number_is_remarked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.yaml");
    for (text, version, remarks) in [
        ("3.0.4", OpenApiVersion::V3_0, 0),
        ("'3.1.1'", OpenApiVersion::V3_1, 0),
        ("3.2.0", OpenApiVersion::V3_2, 0),
        ("3.1", OpenApiVersion::V3_1, 1),
    ] {
        fs::write(&path, format!("openapi: {text}\n")).unwrap();
        let mut report = Report::default();
        let sources = Sources::open_root(&path, &mut report).unwrap();
        assert_eq!(openapi_version(&sources, &mut report), Some(version), "{text}");
        assert_eq!(report.diagnostics().len(), remarks, "{text}");
        assert!(!report.has_errors());
    }
}

/// A root with two parts in folders, written into a temporary folder.
fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("specs/parts/in ner")).unwrap();
    fs::write(folder.path().join("specs/root.yaml"), "openapi: 3.0.3\nx:\n  $ref: parts/a.yaml\n").unwrap();
    fs::write(folder.path().join("specs/parts/a.yaml"), "a: 1\n").unwrap();
    fs::write(folder.path().join("specs/parts/in ner/b.json"), "{\"b\": 1}").unwrap();
    fs::write(folder.path().join("specs/parts/broken.yaml"), "a: {\n").unwrap();
    folder
}

fn origin() -> Origin {
    Origin { file: 0, pointer: "/x/$ref".into() }
}

fn open(folder: &Path) -> (Sources, Report) {
    let mut report = Report::default();
    let sources = Sources::open_root(&folder.join("specs/root.yaml"), &mut report).unwrap();
    (sources, report)
}

#[test]
fn parts_are_found_from_the_file_that_refers_to_them_and_read_once() {
    let folder = tree();
    let (mut sources, mut report) = open(folder.path());
    let a = sources.open_part(0, "./parts/a.yaml", &origin(), &mut report);
    let b = sources.open_part(1, "in%20ner/b.json", &origin(), &mut report);
    assert_eq!((a, b), (Some(1), Some(2)));
    assert_eq!(sources.open_part(2, "../a.yaml", &origin(), &mut report), Some(1));
    assert_eq!(sources.open_part(2, "../../root.yaml", &origin(), &mut report), Some(0));
    assert_eq!(sources.files.len(), 3);
    assert_eq!(said(&report, &sources), "");
    let shown = folder.path().join("specs/parts/in ner/b.json").display().to_string();
    assert_eq!(sources.files[2].display, shown);
}

#[test]
fn a_part_that_cannot_be_read_is_an_error_at_its_reference() {
    let folder = tree();
    let (mut sources, mut report) = open(folder.path());
    for reference in ["parts/none.yaml", "parts", "https://x.test/a.yaml", "/etc/hosts", "parts/broken.yaml"] {
        assert_eq!(sources.open_part(0, reference, &origin(), &mut report), None, "{reference}");
    }
    // Asked for again, a part is complained of once.
    assert_eq!(sources.open_part(0, "parts/none.yaml", &origin(), &mut report), None);
    let said = said(&report, &sources).replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        said,
        "\
specs/parts/broken.yaml:2:1: error[CD-PARSE]: this is not YAML: did not find expected node content, \
while parsing a flow node
specs/root.yaml:3:9: error[CD-REF-FILE] /x/$ref: cannot read `specs/parts/none.yaml`: there is no such file
  help: check the path
specs/root.yaml:3:9: error[CD-REF-FILE] /x/$ref: cannot read `specs/parts`: this is a folder, not a file
  help: name the document in it
specs/root.yaml:3:9: error[CD-REF-URL] /x/$ref: \"https://x.test/a.yaml\" is a URL: nothing is fetched
  help: save that document beside this one and refer to it by a relative path
specs/root.yaml:3:9: error[CD-REF-FILE] /x/$ref: \"/etc/hosts\" is an absolute path: it holds on one machine only
  help: refer to the file by a path relative to this one
"
    );
}

#[test]
fn the_second_operation_of_a_twice_used_id_is_pointed_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("29.yaml");
    let text = "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      operationId: fetch\n  /b:\n    get:\n      operationId: fetch\n";
    fs::write(&path, text).unwrap();
    let mut report = Report::default();
    let sources = Sources::open_root(&path, &mut report).unwrap();
    report.error("CD-X", Origin { file: 0, pointer: "/paths/~1b/get/operationId".into() }, "twice", "");
    let location = report.located(&sources)[0].location.clone().unwrap();
    assert_eq!((location.line, location.col), (8, 20));
}
