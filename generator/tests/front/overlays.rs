//! Overlays: what they make of a document, and what each mistake in one says.

use std::fs;
use std::path::{Path, PathBuf};

use cofferdam::diagnose::{Report, render, totals};
use cofferdam::load::Sources;
use cofferdam::model::Origin;
use cofferdam::overlay;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/overlays").join(name)
}

/// The messages, with files named as if they lay in the working folder.
fn said(report: &Report, sources: &Sources, folder: &Path) -> String {
    let located = report.located(sources);
    let text = render(&located, |_| None) + &totals(&located).unwrap_or_default() + "\n";
    text.replace(&format!("{}/", folder.display()), "")
}

/// A document and the overlays beside it, applied in the order of their names.
fn patched(folder: &Path) -> (Sources, Report, Option<()>) {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let document = files.iter().find(|file| stem(file) == "api").unwrap();
    let overlays = files.iter().filter(|file| stem(file).starts_with("overlay")).map(PathBuf::as_path);
    let mut report = Report::default();
    let mut sources = Sources::open_root(document, &mut report).unwrap();
    let done = overlay::apply(&mut sources, overlays, &mut report);
    (sources, report, done)
}

#[test]
fn every_good_overlay_gives_the_document_beside_it() {
    let mut cases = 0;
    for case in fs::read_dir(folder("good")).unwrap().map(|entry| entry.unwrap().path()) {
        let (sources, report, done) = patched(&case);
        assert_eq!((said(&report, &sources, &case).trim(), done), ("", Some(())), "{}", case.display());
        let expected: Value = serde_json::from_str(&fs::read_to_string(case.join("expected.json")).unwrap()).unwrap();
        let got = &sources.files[0].value;
        // As text: the order of the keys counts.
        assert_eq!(got.to_string(), expected.to_string(), "{}: {got:#}", case.display());
        cases += 1;
    }
    assert!(cases >= 5, "only {cases}");
}

/// A document and overlays in a temporary folder.
fn temporary(document: &str, overlays: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("api.yaml"), document).unwrap();
    for (number, actions) in overlays.iter().enumerate() {
        let text = format!("overlay: 1.1.0\ninfo: {{title: t, version: '1'}}\nactions:\n{actions}");
        fs::write(folder.path().join(format!("overlay-{number}.yaml")), text).unwrap();
    }
    folder
}

/// What a message at each of some places of the patched document points at.
fn places(folder: &Path, pointers: &[&str]) -> String {
    let (sources, mut report, done) = patched(folder);
    assert_eq!((said(&report, &sources, folder).trim(), done), ("", Some(())));
    for pointer in pointers {
        report.error("X", Origin { file: 0, pointer: (*pointer).to_owned() }, "m", "");
    }
    let said = said(&report, &sources, folder).replace(" error[X]", "").replace(": m", "");
    said.lines().filter(|line| !line.ends_with(" errors")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn messages_point_at_the_text_that_makes_the_document_what_it_is() {
    let document = "openapi: 3.0.3
paths:
  /a:
    get:
      operationId: a
      parameters:
        - {name: one}
        - {name: two}
        - {name: three}
    put:
      operationId: b
";
    let first = "  - target: $.paths['/a'].get.parameters[?@.name == 'one']
    remove: true
  - target: $.paths['/a'].get
    update:
      operationId: c
      parameters:
        - {name: four}
  - target: $.paths['/a'].put.operationId
    remove: true
  - target: $.paths
    update: {/copy: {}}
  - target: $.paths['/copy']
    copy: $.paths['/a']
";
    let second = "  - target: $.paths['/a'].get.parameters[0]
    remove: true
  - target: $.paths['/copy'].get
    update: {summary: s}
";
    let folder = temporary(document, &[first, second]);
    let got = places(
        folder.path(),
        &[
            "/paths/~1a/get/operationId",
            "/paths/~1a/get/parameters/0/name",
            "/paths/~1a/get/parameters/1/name",
            "/paths/~1a/put/operationId",
            "/paths/~1a/put",
            "/paths/~1copy/get/operationId",
            "/paths/~1copy/get/summary",
            "/openapi",
        ],
    );
    // `three`, first of the list by now, is found where it stands; the others are found in the overlays.
    let wanted = "\
api.yaml:1:10: /openapi
api.yaml:9:18: /paths/~1a/get/parameters/2/name
api.yaml:10:5: /paths/~1a/put (`operationId` was removed by /actions/2 in overlay-0.yaml)
overlay-0.yaml:8:20: /actions/1/update/operationId (/paths/~1a/get/operationId in api.yaml as patched)
overlay-0.yaml:10:18: /actions/1/update/parameters/0/name (/paths/~1a/get/parameters/1/name in api.yaml as patched)
overlay-0.yaml:11:5: /actions/2 (/paths/~1a/put/operationId in api.yaml as patched)
overlay-0.yaml:16:11: /actions/4/copy (/paths/~1copy/get/operationId in api.yaml as patched)
overlay-1.yaml:7:23: /actions/1/update/summary (/paths/~1copy/get/summary in api.yaml as patched)
";
    assert_eq!(got, wanted);
}

#[test]
fn what_is_removed_and_put_back_is_where_it_was_put() {
    let document = "openapi: 3.0.3\nservers:\n  - url: a\n  - url: b\nx: 1\n";
    let actions = "  - target: $.servers
    remove: true
  - target: $
    update:
      servers: [{url: c}, {url: d}, {url: e}]
  - target: $.servers[0]
    remove: true
  - target: $.x
    remove: true
";
    let folder = temporary(document, &[actions]);
    let got = places(folder.path(), &["/servers/0/url", "/servers/1/url", "/servers", "", "/x/y"]);
    let wanted = "\
api.yaml:1:1: (`x` was removed by /actions/3 in overlay-0.yaml)
overlay-0.yaml:8:16: /actions/1/update/servers (/servers in api.yaml as patched; some elements were removed by \
/actions/2 in overlay-0.yaml)
overlay-0.yaml:8:33: /actions/1/update/servers/1/url (/servers/0/url in api.yaml as patched)
overlay-0.yaml:8:43: /actions/1/update/servers/2/url (/servers/1/url in api.yaml as patched)
overlay-0.yaml:11:5: /actions/3 (/x/y in api.yaml as patched)
";
    assert_eq!(got, wanted);
}

#[test]
fn an_overlay_is_a_file_that_was_read_and_a_part_is_still_found() {
    let folder = temporary("openapi: 3.0.3\n", &["  - target: $\n    update: {x: 1}\n"]);
    fs::write(folder.path().join("part.yaml"), "a: 1\n").unwrap();
    let (mut sources, mut report, _) = patched(folder.path());
    assert_eq!(sources.open_part(0, "part.yaml", &Origin::default(), &mut report), Some(2));
    let names: Vec<_> = sources.files.iter().map(|file| file.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["api.yaml", "overlay-0.yaml", "part.yaml"]);
    // A place in a part is not one in the patched document.
    report.error("X", Origin { file: 2, pointer: "/x".into() }, "m", "");
    assert_eq!(said(&report, &sources, folder.path()), "part.yaml:1:1: error[X] /x: m\n1 error\n");
}

#[test]
fn a_document_cannot_be_grown_without_end() {
    let text = "x".repeat(1000);
    let copies = "  - {target: $, update: {a: {}}}\n  - {target: $.a, copy: $}\n";
    let wide = format!("  - {{target: $, update: {{x-l: [{}]}}}}\n", format!("{{u: [{text}]}}, ").repeat(100));
    let doubling = "  - {target: \"$['x-l'].*\", copy: \"$['x-l'][0]\"}\n".repeat(40);
    for (document, actions, code) in [
        // Each copy of the whole into itself makes it deeper.
        ("openapi: 3.0.3\n".to_owned(), copies.repeat(140), "CD-NESTING"),
        // Each copy of an element into all of them doubles their lists.
        ("openapi: 3.0.3\n".to_owned(), format!("{wide}{doubling}"), "CD-OVERLAY-SIZE"),
    ] {
        let folder = temporary(&document, &[&actions]);
        let (sources, report, done) = patched(folder.path());
        assert_eq!(done, None);
        let said = said(&report, &sources, folder.path());
        assert!(said.contains(code), "{code} expected: {}", said.chars().take(600).collect::<String>());
    }
}

#[test]
fn overlays_that_cannot_be_read_are_told_beside_the_faults_of_others() {
    let folder = temporary("openapi: 3.0.3\n", &["  - target: $.paths[\n"]);
    let mut report = Report::default();
    let mut sources = Sources::open_root(&folder.path().join("api.yaml"), &mut report).unwrap();
    let paths = [folder.path().join("none.yaml"), folder.path().join("overlay-0.yaml")];
    assert_eq!(overlay::apply(&mut sources, paths.iter().map(PathBuf::as_path), &mut report), None);
    let said = said(&report, &sources, folder.path());
    assert!(said.contains("none.yaml: error[CD-FILE-MISSING]"), "{said}");
    assert!(said.contains("overlay-0.yaml:4:13: error[CD-OVERLAY-TARGET] /actions/0/target"), "{said}");
}
