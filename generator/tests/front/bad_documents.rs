//! Documents that cannot be loaded, beside those of `tests/bad-specs`.

use std::path::Path;

use cofferdam::diagnose::{Report, render, totals};
use cofferdam::load::{Sources, openapi_version};

/// Loads a document as the pipeline does, and tells what it says, with the file named as if it lay in the working folder.
fn stderr(input: &Path) -> String {
    let mut report = Report::default();
    let sources = Sources::open_root(input, &mut report);
    if let Some(sources) = &sources {
        assert!(openapi_version(sources, &mut report).is_none(), "{} was accepted", input.display());
    }
    let located = report.located(&sources.unwrap_or_default());
    let text = render(&located, |_| None) + &totals(&located).unwrap_or_default() + "\n";
    text.replace(&format!("{}/", input.parent().unwrap().display()), "")
}

#[test]
fn a_path_that_is_no_file_says_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    assert!(
        stderr(&folder.join("none.yaml")).starts_with("none.yaml: error[CD-FILE-MISSING]: there is no such file\n")
    );
    assert!(
        stderr(&folder.join("front")).starts_with("front: error[CD-FILE-UNREADABLE]: this is a folder, not a file\n")
    );
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(file.path()).is_ok() {
        return; // root may read everything: nothing to see
    }
    assert!(stderr(file.path()).contains("error[CD-FILE-UNREADABLE]: no permission to read the file"));
}

#[test]
fn deep_and_swollen_documents_end_soon_with_a_message() {
    let bomb: String =
        (1..30).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(","))).collect();
    let long = "x".repeat(100_000);
    let cases = [
        ("[".repeat(200_000), "CD-NESTING"),
        ("{\"a\":".repeat(200_000), "CD-NESTING"),
        (format!("a: {}", "{a: ".repeat(200_000)), "CD-NESTING"),
        ("- ".repeat(50_000), "CD-NESTING"),
        (format!("a: {}", "- ".repeat(50_000)), "CD-PARSE"),
        (format!("a0: &a0 [x]\n{bomb}"), "CD-YAML-ALIAS"),
        (format!("a: &a {long}\nb: [{}]", vec!["*a"; 50_000].join(",")), "CD-YAML-ALIAS"),
        ("a: &a [*a]".into(), "CD-NESTING"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (number, (text, code)) in cases.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.yaml"));
        std::fs::write(&path, text).unwrap();
        let said = stderr(&path);
        assert!(said.contains(code), "{number}: {code} expected: {}", said.chars().take(300).collect::<String>());
    }
}
