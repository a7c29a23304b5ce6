//! The table of rules is honest: the tests it names exist, codes that are mentioned anywhere stand in it, and the page of
//! the documentation is made of it.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cofferdam::rules::{self, Upheld};
use syn::visit::{self, Visit};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The names of the tests of a file.
#[derive(Default)]
struct Tests(BTreeSet<String>);

impl<'ast> Visit<'ast> for Tests {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        let is_test = |attribute: &syn::Attribute| attribute.path().segments.last().unwrap().ident == "test";
        let is_ignored = |attribute: &syn::Attribute| attribute.path().is_ident("ignore");
        if function.attrs.iter().any(is_test) && !function.attrs.iter().any(is_ignored) {
            self.0.insert(function.sig.ident.to_string());
        }
        visit::visit_item_fn(self, function);
    }
}

fn tests_of(file: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut tests = Tests::default();
    tests.visit_file(&syn::parse_file(&text).unwrap());
    tests.0
}

#[test]
fn every_test_that_is_named_exists_and_runs() {
    let mut files = BTreeMap::new();
    let mut missing = Vec::new();
    for rule in rules::all() {
        for test in rule.tests {
            let (file, name) = test.split_once("::").unwrap();
            let tests = files.entry(file).or_insert_with(|| tests_of(file));
            if !tests.contains(name) {
                missing.push(format!("{}: {test}", rule.code));
            }
        }
    }
    assert!(missing.is_empty(), "not a test, or ignored:\n{}", missing.join("\n"));
}

#[test]
fn what_is_upheld_has_a_proof_and_nothing_else_has_one() {
    for rule in rules::all() {
        let is_upheld = !matches!(rule.upheld, Upheld::NotYet | Upheld::Recipe);
        assert_eq!(!rule.tests.is_empty(), is_upheld, "{}", rule.code);
    }
}

#[test]
fn codes_are_unique_and_found_in_any_form() {
    let codes: BTreeSet<_> = rules::all().map(|rule| rule.code).collect();
    assert_eq!(codes.len(), rules::all().count());
    assert_eq!(rules::find("re-x1"), rules::find("R-RES-RE-X1"));
    assert_eq!(rules::find("R-RES-RE-X1").unwrap().code, "R-RES-RE-X1");
    assert_eq!(rules::find("R-RES-RE"), None);
}

#[test]
fn every_code_that_is_mentioned_stands_in_the_table() {
    let mut texts = Vec::new();
    for folder in ["runtime", "generator", "templates", "docs", "specs", "testing", "tests", "generated-examples"] {
        collect(&root().join(folder), &mut texts);
    }
    texts.extend(["README.md", "CHANGELOG.md"].map(|name| root().join(name)));
    let (mut mentioned, mut unknown) = (0, Vec::new());
    for path in texts {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for code in codes(&text) {
            mentioned += 1;
            if rules::find(&code).is_none() {
                unknown.push(format!("{}: {code}", path.display()));
            }
        }
    }
    assert!(mentioned > 200, "only {mentioned} mentions: is anything read at all?");
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// The codes in a text. Those that follow one without its beginning (`R-RES-TO-1, TO-X2`) are codes too.
fn codes(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in text.split("R-RES-").skip(1) {
        let mut rest = rest;
        while let Some(length) = code_length(rest) {
            found.push(rest[..length].to_owned());
            rest = &rest[length..];
            let Some(next) = [", ", " and ", " or "].iter().find_map(|joint| rest.strip_prefix(joint)) else { break };
            rest = next;
        }
    }
    found
}

/// How much of the beginning of a text is a code: capitals, a dash, capitals and digits.
fn code_length(text: &str) -> Option<usize> {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = text[letters..].strip_prefix('-')?;
    let number = rest.bytes().take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    (letters > 0 && number > 0).then_some(letters + 1 + number)
}

#[test]
fn codes_are_found_in_a_text() {
    let text = "see R-RES-TO-1, TO-X2 and TO-X3, or not (R-RES-RE-ORDER). R-RES-… and R-RES-{code}, RE-1";
    assert_eq!(codes(text), ["TO-1", "TO-X2", "TO-X3", "RE-ORDER"]);
}

/// Files that people write, below a folder.
fn collect(folder: &Path, texts: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && name != "corpus" {
                collect(&path, texts);
            }
        } else if ["rs", "md", "yaml", "toml", "json", "jinja", "stderr", "snap"].iter().any(|end| name.ends_with(end))
        {
            texts.push(path);
        }
    }
}

#[test]
fn the_page_on_rules_is_this_table() {
    let path = root().join("docs/rules.md");
    let page = rules::markdown(rules::GROUPS);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, page).unwrap();
    } else {
        assert!(fs::read_to_string(&path).unwrap() == page, "docs/rules.md is another: run this test with BLESS=1");
    }
}
