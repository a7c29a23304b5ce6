//! The table as text, as JSON, and as a page of the documentation.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Group, Rule, Upheld};

/// Columns of the text.
const WIDTH: usize = 100;

/// The rules as text for people.
#[must_use]
pub fn text<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> String {
    let mut out = String::new();
    for rule in rules {
        if !out.is_empty() {
            out.push('\n');
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{} ({})", rule.code, rule.upheld.words());
        wrap(&mut out, "    ", rule.rule);
        wrap(&mut out, "  how: ", rule.how);
        for test in rule.tests {
            let _ = writeln!(out, "  test: {test}");
        }
    }
    out
}

/// Words in lines of [`WIDTH`], each begun alike deep.
fn wrap(out: &mut String, first: &str, words: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in words.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = "    ".to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    out.push_str(&line);
    out.push('\n');
}

/// The rules as JSON, with the version of this form.
#[must_use]
pub fn json<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Value {
    json!({ "version": 1, "rules": rules.into_iter().collect::<Vec<_>>() })
}

/// The page `docs/rules.md`.
#[must_use]
pub fn markdown(groups: &[Group]) -> String {
    let mut out = String::from(
        "# The rules\n\n\
         What `cofferdam rules` prints; a test keeps this page, that every test named here exists, and that every code that is\n\
         mentioned anywhere stands here. A code is what checks print: `cofferdam rules R-RES-RE-X1` explains one. A test is run by\n\
         its name: `cargo test --workspace NAME`.\n\n\
         | upheld | means |\n| --- | --- |\n",
    );
    let meanings = [
        (Upheld::Construction, "the wrong thing cannot be written: there is no code or setting for it"),
        (Upheld::Check, "found at generation or when settings are loaded, and refused"),
        (Upheld::Behaviour, "done while calls are made"),
        (Upheld::Recipe, "written down; nothing enforces it"),
        (Upheld::NotYet, "not upheld"),
    ];
    for (upheld, meaning) in meanings {
        let _ = writeln!(out, "| {} | {meaning} |", upheld.words());
    }
    for group in groups {
        let _ = write!(out, "\n## {}\n\n| code | rule | upheld | tests |\n| --- | --- | --- | --- |\n", group.title);
        for rule in group.rules {
            let tests: Vec<String> = rule.tests.iter().map(|test| linked(test)).collect();
            let (rule_text, how) = (rule.rule, rule.how);
            let _ = writeln!(
                out,
                "| {} | {rule_text} | {}: {how} | {} |",
                rule.code,
                rule.upheld.words(),
                tests.join("<br>")
            );
        }
    }
    out
}

/// A test's name, leading to its file.
fn linked(test: &str) -> String {
    match test.split_once("::") {
        Some((file, name)) => format!("[{name}](../{file})"),
        None => test.to_owned(),
    }
}
