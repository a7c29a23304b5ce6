//! Whatever a file holds, reading it ends: with a value, or with a report that can be shown.

use std::fs;
use std::path::Path;

use cofferdam::diagnose::{Report, render};
use cofferdam::load::{Sources, openapi_version};
use cofferdam::model::Origin;
use cofferdam::overlay;
use cofferdam::project::Project;

use crate::fixture;

/// A small generator of numbers: the same mutations in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// What upsets parsers.
const PIECES: [&[u8]; 24] = [
    b"\n",
    b"  ",
    b": ",
    b"- ",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"'",
    b"#",
    b"&a ",
    b"*a",
    b"<<: ",
    b"!t ",
    b"---\n",
    b"? ",
    b"|\n",
    b"\t",
    b"\\ud800",
    b"\xff",
    "\u{feff}".as_bytes(),
    b"\r\n",
    b"=",
];

fn mutated(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(4) {
        let (from, to) = (random.below(text.len() + 1), random.below(text.len() + 1));
        let (from, to) = (from.min(to), from.max(to));
        match random.below(4) {
            0 => drop(text.drain(from..to.min(from + 20))),
            1 => text.splice(from..from, PIECES[random.below(PIECES.len())].iter().copied()).for_each(drop),
            2 => text.truncate(to),
            _ => {
                let copy: Vec<u8> = text[from..to.min(from + 60)].to_vec();
                let at = random.below(text.len() + 1);
                text.splice(at..at, copy).for_each(drop);
            }
        }
    }
    text
}

fn rounds() -> usize {
    std::env::var("MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(60)
}

fn each_mutation(folders: &[&str], read: impl Fn(&Path, &mut Report) -> (bool, Sources)) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(1);
    for input in folders.iter().flat_map(|folder| fixture::inputs(folder)) {
        let text = fs::read(&input).unwrap();
        let path = folder.path().join(input.file_name().unwrap());
        for _ in 0..rounds() {
            fs::write(&path, mutated(&text, &mut random)).unwrap();
            let mut report = Report::default();
            let (accepted, sources) = read(&path, &mut report);
            assert_eq!(accepted, !report.has_errors(), "{:?}", fs::read(&path));
            let shown = render(&report.located(&sources), |_| None);
            assert_eq!(shown.is_empty(), report.diagnostics().is_empty());
        }
    }
}

#[test]
fn a_mutated_document_is_read_or_complained_of() {
    each_mutation(&["good-documents", "../../tests/bad-specs/documents"], |path, report| {
        let sources = Sources::open_root(path, report);
        let version = sources.as_ref().and_then(|sources| openapi_version(sources, report));
        (version.is_some(), sources.unwrap_or_default())
    });
}

#[test]
fn a_mutated_project_file_is_read_or_complained_of() {
    each_mutation(&["good-project", "../../tests/bad-specs/projects"], |path, report| {
        (Project::load(path, report).is_some(), Sources::default())
    });
}

#[test]
fn a_mutated_overlay_is_applied_or_complained_of() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bad-specs/overlays/given/api.yaml");
    let folders =
        ["../../tests/bad-specs/overlays", "overlays/good/merge", "overlays/good/remove", "overlays/good/copy"];
    each_mutation(&folders, |path, report| {
        let mut sources = Sources::open_root(&document, report).unwrap();
        let done = overlay::apply(&mut sources, [path], report);
        for pointer in ["", "/info/title", "/paths/~1pets/get/tags/0", "/components/schemas/Pet", "/x"] {
            report.note("X", Origin { file: 0, pointer: pointer.into() }, "wherever this is", "");
        }
        (done.is_some(), sources)
    });
}
