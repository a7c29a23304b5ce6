use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts of the sources below a folder, without their tests.
fn sources(folder: &Path, texts: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let is_table = path.ends_with("diagnose/messages") || path.ends_with("src/rules") || path.ends_with("tests.rs");
        if path.is_dir() && !is_table {
            sources(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_table {
            let text = std::fs::read_to_string(&path).unwrap();
            texts.push(text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned());
        }
    }
}

/// The codes that stand in a text as a whole literal.
fn literals(text: &str) -> BTreeSet<String> {
    let is_code = |text: &str| text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    let begins = |text: &str| text.starts_with("CD-") || text.starts_with("R-RES-");
    let whole = |text: &&str| begins(text) && is_code(text) && !text.ends_with('-');
    text.split('"').filter(whole).map(str::to_owned).collect()
}

fn used() -> BTreeSet<String> {
    let mut texts = Vec::new();
    sources(&root().join("generator/src"), &mut texts);
    sources(&root().join("runtime/src/settings"), &mut texts);
    texts.iter().flat_map(|text| literals(text)).collect()
}

#[test]
fn every_code_of_the_source_is_explained_and_no_other() {
    let explained: BTreeSet<String> =
        all().map(|message| message.code).chain(advice().map(|advice| advice.code)).map(str::to_owned).collect();
    let used = used();
    let missing: Vec<_> = used.difference(&explained).collect();
    let unused: Vec<_> = explained.difference(&used).collect();
    assert!(used.len() > 100, "only {} codes were found", used.len());
    assert!(missing.is_empty() && unused.is_empty(), "not explained: {missing:?}; not used: {unused:?}");
}

#[test]
fn every_code_stands_once_and_says_something() {
    let mut seen = BTreeSet::new();
    for message in all() {
        assert!(seen.insert(message.code), "{} stands twice", message.code);
        assert!([message.means, message.example, message.remedy].iter().all(|text| text.len() > 8), "{}", message.code);
        assert!(message.means.ends_with(['.', '?']) && message.remedy.ends_with('.'), "{}", message.code);
        let words = ["error", "warning", "note"];
        assert!(message.told_as.split(", ").all(|word| words.contains(&word)), "{}", message.code);
        assert!(!message.unsupported || !message.told_as.contains("error"), "{}", message.code);
    }
    for advice in advice() {
        assert!(seen.insert(advice.code), "{} stands twice", advice.code);
        assert!(rules::find(advice.code).is_some(), "{} is no rule", advice.code);
    }
}

#[test]
fn a_code_is_found_in_any_case_and_without_its_beginning() {
    for text in ["CD-REF-MISSING", "cd-ref-missing", "ref-missing"] {
        assert!(matches!(find(text), Ok(Explained::Message(message)) if message.code == "CD-REF-MISSING"), "{text}");
    }
    for text in ["R-RES-TO-1", "r-res-to-1", "to-1"] {
        assert!(matches!(find(text), Ok(Explained::Rule(rule, Some(_))) if rule.code == "R-RES-TO-1"), "{text}");
    }
}

#[test]
fn a_mistyped_code_gives_the_nearest() {
    assert_eq!(find("CD-REF-MISING"), Err(Some("CD-REF-MISSING")));
    assert_eq!(find("ref-mising"), Err(Some("CD-REF-MISSING")));
    // Put together, for no text in the sources may name a rule that is not there.
    let no_rule = format!("R-RES-TO-{}", 7);
    assert_eq!(find(&no_rule).unwrap_err().map(|code| code.starts_with("R-RES-TO-")), Some(true));
    assert_eq!(find("something else entirely"), Err(None));
}

#[test]
fn the_page_on_messages_is_this_table() {
    let path = root().join("docs/messages.md");
    let page = markdown();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).unwrap();
    } else {
        let is_same = std::fs::read_to_string(&path).unwrap_or_default() == page;
        assert!(is_same, "docs/messages.md is another: run this test with BLESS=1");
    }
}
