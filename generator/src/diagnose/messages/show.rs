//! The table as text, as JSON, and as a page of the documentation.

use std::fmt::Write as _;

use serde_json::{Value, json as value};

use super::{Explained, GROUPS, Message, advice, all};
use crate::rules;

/// Columns of the text.
const WIDTH: usize = 100;

/// An explanation as text for people.
#[must_use]
pub fn explain(explained: &Explained) -> String {
    match explained {
        Explained::Message(message) => of_message(message),
        Explained::Rule(rule, advice) => {
            let mut out = rules::text([*rule]);
            if let Some(advice) = advice {
                example_and_remedy(&mut out, advice.example, advice.remedy);
            }
            out
        }
    }
}

fn of_message(message: &Message) -> String {
    let mut out = format!("{} ({})\n\n", message.code, message.told_as);
    wrap(&mut out, message.means);
    if message.unsupported {
        out.push('\n');
        let means = format!(
            "OpenAPI defines it and Cofferdam does not do it: `deny-unsupported` makes an error of it, \
             `allow-unsupported {}` an exception.",
            message.code
        );
        wrap(&mut out, &means);
    }
    example_and_remedy(&mut out, message.example, message.remedy);
    out
}

fn example_and_remedy(out: &mut String, example: &str, remedy: &str) {
    out.push_str("\nFor example:\n\n");
    for line in example.lines() {
        let _ = writeln!(out, "    {line}");
    }
    out.push_str("\nWhat to do:\n\n");
    wrap(out, remedy);
}

/// Words in lines of [`WIDTH`].
fn wrap(out: &mut String, words: &str) {
    let mut width = 0;
    for word in words.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out.push('\n');
}

/// Explanations as JSON, with the version of this form.
#[must_use]
pub fn json<'a>(explained: impl IntoIterator<Item = &'a Explained>) -> Value {
    let of = |one: &Explained| match one {
        Explained::Message(message) => value!({ "kind": "message", "message": message }),
        Explained::Rule(rule, advice) => value!({ "kind": "rule", "rule": rule, "advice": advice }),
    };
    value!({ "version": 1, "explained": explained.into_iter().map(of).collect::<Vec<_>>() })
}

/// The page `docs/messages.md`.
#[must_use]
pub fn markdown() -> String {
    let mut out = format!(
        "# The messages\n\n\
         What `cofferdam explain CODE` prints; a test keeps this page. Every message carries its code: {} of Cofferdam's own,\n\
         and those of the [rules](rules.md) that checks tell. `cofferdam explain --list` prints the codes.\n",
        all().count()
    );
    for group in GROUPS {
        let _ = write!(out, "\n## {}\n", group.title);
        for message in group.messages {
            let _ = write!(out, "\n### {}\n\n{}", message.code, capitalised(message.told_as));
            if message.unsupported {
                out.push_str(", about what is not honoured");
            }
            let _ = write!(out, ". {}\n\n```text\n{}\n```\n\n{}\n", message.means, message.example, message.remedy);
        }
    }
    out.push_str("\n## Rules that checks tell\n");
    for advice in advice() {
        let rule = rules::find(advice.code).map_or("", |rule| rule.rule);
        let _ =
            write!(out, "\n### {}\n\n{rule}\n\n```text\n{}\n```\n\n{}\n", advice.code, advice.example, advice.remedy);
    }
    out
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
