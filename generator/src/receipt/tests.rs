use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::diagnose::{Location, Report, Severity};
use crate::load::Sources;

const DOCUMENT: &str = "openapi: 3.0.3\npaths: {}\n";

struct Place {
    folder: tempfile::TempDir,
    fingerprint: Fingerprint,
}

impl Place {
    /// A system that was made of one document, and became one file.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("spec.yaml"), DOCUMENT).unwrap();
        fs::write(folder.path().join("types.rs"), "struct A;\n").unwrap();
        let fingerprint = Fingerprint::of(&[("a", &1)]).unwrap();
        let place = Self { folder, fingerprint };
        place.receipt().keep(place.folder.path(), "shop").unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn receipt(&self) -> Receipt {
        let mut report = Report::default();
        let sources = Sources::open_root(&self.path("spec.yaml"), &mut report).unwrap();
        let at = Location { file: "spec.yaml".to_owned(), line: 3, col: 4, pointer: "/paths".to_owned() };
        let found = Located {
            severity: Severity::Warning,
            code: "CD-PATHS".into(),
            message: "said \"so\"".to_owned(),
            location: Some(at),
            help: Some("help".to_owned()),
        };
        Receipt {
            fingerprint: self.fingerprint.clone(),
            read: sources.opened,
            written: BTreeMap::from([("types.rs".to_owned(), write::digest("struct A;\n"))]),
            summary: "shop: 1 operation".to_owned(),
            operations: vec![Mappable { id: "a".to_owned(), markers: vec!["A".to_owned()] }],
            found: vec![found],
        }
    }

    fn valid(&self) -> Option<Receipt> {
        Receipt::valid(self.folder.path(), "shop", &self.fingerprint, None)
    }
}

#[test]
fn what_is_as_it_was_is_told_again_word_for_word() {
    let place = Place::new();
    let (kept, made) = (place.valid().expect("a valid receipt"), place.receipt());
    assert_eq!((kept.found, kept.operations, kept.summary), (made.found, made.operations, made.summary));
    assert_eq!(fs::read_to_string(place.path(".cofferdam/.gitignore")).unwrap(), "*\n");
}

#[test]
fn a_changed_document_is_not_as_it_was() {
    let place = Place::new();
    fs::write(place.path("spec.yaml"), DOCUMENT.replace("3.0.3", "3.0.4")).unwrap();
    assert!(place.valid().is_none());
    fs::write(place.path("spec.yaml"), DOCUMENT).unwrap();
    assert!(place.valid().is_some(), "the text counts, not the time");
    fs::remove_file(place.path("spec.yaml")).unwrap();
    assert!(place.valid().is_none());
}

#[test]
fn an_edited_or_missing_output_is_found_whatever_its_time_and_size() {
    let place = Place::new();
    let modified = fs::metadata(place.path("types.rs")).unwrap().modified().unwrap();
    fs::write(place.path("types.rs"), "struct B;\n").unwrap();
    fs::File::options().write(true).open(place.path("types.rs")).unwrap().set_modified(modified).unwrap();
    assert!(place.valid().is_none());
    fs::remove_file(place.path("types.rs")).unwrap();
    assert!(place.valid().is_none());
    fs::write(place.path("types.rs"), "struct A;\r\n").unwrap();
    assert!(place.valid().is_some(), "line ends of another system are no edit");
}

#[test]
fn other_declarations_and_another_lock_count() {
    let place = Place::new();
    let other = Fingerprint::of(&[("a", &2)]).unwrap();
    assert!(Receipt::valid(place.folder.path(), "shop", &other, None).is_none());
    let mut listed = place.receipt().written;
    assert!(Receipt::valid(place.folder.path(), "shop", &place.fingerprint, Some(&listed)).is_some());
    listed.insert("client.rs".to_owned(), write::digest(""));
    assert!(Receipt::valid(place.folder.path(), "shop", &place.fingerprint, Some(&listed)).is_none());
}

#[test]
fn a_receipt_that_cannot_be_read_is_none() {
    let place = Place::new();
    for text in ["", "{}", "[1]", "\u{0}"] {
        fs::write(place.path(".cofferdam/shop.json"), text).unwrap();
        assert!(place.valid().is_none(), "{text:?}");
    }
    assert!(Receipt::valid(Path::new("nowhere"), "shop", &place.fingerprint, None).is_none());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_is_another_document() {
    let place = Place::new();
    fs::write(place.path("other.yaml"), DOCUMENT).unwrap();
    fs::rename(place.path("spec.yaml"), place.path("first.yaml")).unwrap();
    std::os::unix::fs::symlink("first.yaml", place.path("spec.yaml")).unwrap();
    place.receipt().keep(place.folder.path(), "shop").unwrap();
    assert!(place.valid().is_some());
    fs::remove_file(place.path("spec.yaml")).unwrap();
    std::os::unix::fs::symlink("other.yaml", place.path("spec.yaml")).unwrap();
    assert!(place.valid().is_none(), "parts are looked for beside the real file");
}
