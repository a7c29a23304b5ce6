//! The guide in `docs/`: a book whose pages are all there, whose links lead somewhere, and whose Rust is compiled.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs")
}

/// The pages of the guide, by the names of their files.
fn pages() -> BTreeSet<String> {
    let entries = fs::read_dir(docs()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    entries.filter(|name| name.ends_with(".md")).collect()
}

/// A page without its blocks of code.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Where the links of a text lead.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        title.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_page_is_in_the_book_once() {
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let mut named = links(&summary);
    named.push("SUMMARY.md".into());
    named.sort();
    assert_eq!(named, Vec::from_iter(pages()));
}

#[test]
fn every_link_leads_somewhere() {
    let readme = Path::new("../README.md").to_owned();
    let mut wrong = Vec::new();
    for page in pages().into_iter().map(PathBuf::from).chain([readme]) {
        let path = docs().join(&page);
        for link in links(&fs::read_to_string(&path).unwrap()) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let there = target.exists()
                && (anchor.is_empty() || anchors(&fs::read_to_string(&target).unwrap()).contains(anchor));
            if !there {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A block that no test compiles would rot.
#[test]
fn every_page_with_rust_is_compiled() {
    let root = docs().parent().unwrap().to_owned();
    let compiled: String = [
        "tests/src/book.rs",
        "runtime/src/fallback/mod.rs",
        "runtime/src/queue/mod.rs",
        "tests/tests/generation/first_adapter.rs",
    ]
    .map(|file| fs::read_to_string(root.join(file)).unwrap())
    .concat();
    for page in pages() {
        let text = fs::read_to_string(docs().join(&page)).unwrap();
        let with_rust = text.contains("```rust");
        assert!(!with_rust || compiled.contains(&format!("{page}\"")), "{page}: name it in tests/src/book.rs");
        // The first adapter is a crate of its own, which the generation tests build.
        let ignored = page != "first-adapter.md" && text.contains("```rust,ignore");
        assert!(!ignored, "{page}: nothing compiles what is ignored");
    }
}

#[test]
fn settings_in_the_guide_hold() {
    for page in ["migration.md", "health.md"] {
        let text = fs::read_to_string(docs().join(page)).unwrap();
        let blocks: Vec<&str> = text.split("```yaml\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
        assert!(!blocks.is_empty(), "{page}");
        for block in blocks {
            cofferdam_runtime::Settings::parse(block, page).unwrap_or_else(|error| panic!("{page}:\n{block}\n{error}"));
        }
    }
}
