//! A draft as the text of a settings file.

use std::fmt::Write as _;

use super::draft::{Draft, Section, split};

/// The parts of a section in the order of the documentation.
const PARTS: [&str; 6] = ["timeouts", "breaker", "bulkhead", "rate-limit", "retry", "pool"];
/// What stands in a section itself, likewise.
const PLAIN: [&str; 3] = ["base-url", "max-concurrent", "order"];

/// How reasons are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reasons {
    /// None at all.
    Without,
    /// One in every part, so that only what cannot be excused is found.
    Everywhere,
    /// As they are: with those that somebody has to fill in as empty texts, which the check refuses.
    AsTheyAre,
}

/// The text of the file. `files` are those that it was made from.
pub(super) fn text(draft: &Draft, files: &[&str], reasons: Reasons) -> String {
    let mut text = String::new();
    if !files.is_empty() {
        let files: Vec<String> = files.iter().map(|file| harmless(file)).collect();
        let _ = writeln!(text, "# Settings of external systems, imported from {}.", files.join(", "));
        text.push_str(
            "# What is not said here holds by the presets of the profile: `cofferdam settings show SYSTEM`.\n\n",
        );
    }
    let mut systems = false;
    for section in &draft.sections {
        let indent = match &section.system {
            None => {
                text.push_str("defaults:\n");
                "  "
            }
            Some(name) => {
                if !systems {
                    text.push_str(if text.ends_with("\n\n") || text.is_empty() {
                        "systems:\n"
                    } else {
                        "\nsystems:\n"
                    });
                    systems = true;
                } else {
                    text.push('\n');
                }
                let _ = writeln!(text, "  {name}:");
                let _ = writeln!(text, "    profile: {}", draft.profile.word());
                "    "
            }
        };
        plain(&mut text, section, indent);
        for part in PARTS {
            in_part(&mut text, section, part, indent, reasons);
        }
    }
    text
}

fn plain(text: &mut String, section: &Section, indent: &str) {
    if let Some(name) = section.system.as_ref().filter(|_| section.value("base-url").is_none()) {
        let variable = name.to_uppercase().replace('-', "_");
        let _ = writeln!(
            text,
            "{indent}# base-url: https://…   say where it is, here or as COFFERDAM__{variable}__BASE_URL"
        );
    }
    for key in PLAIN {
        if let Some(value) = section.value(key) {
            let _ = writeln!(text, "{indent}{key}: {}", scalar(&value.text));
        }
    }
    let refused = section.refused.iter().filter(|refused| split(refused.value.key).0.is_empty());
    for refused in refused {
        comment(text, indent, refused.value.key, refused.shown(), refused.code, &refused.message);
    }
}

fn in_part(text: &mut String, section: &Section, part: &str, indent: &str, reasons: Reasons) {
    let values: Vec<_> = section.values.iter().filter(|value| split(value.key).0 == part).collect();
    let refused: Vec<_> = section.refused.iter().filter(|refused| split(refused.value.key).0 == part).collect();
    // A part of nothing but comments would be an empty key.
    let head = !values.is_empty();
    let (inner, full) = if head { (format!("{indent}  "), false) } else { (indent.to_owned(), true) };
    if head {
        let _ = writeln!(text, "{indent}{part}:");
    }
    for value in values {
        let _ = writeln!(text, "{inner}{}: {}", split(value.key).1, scalar(&value.text));
    }
    for refused in refused {
        let key = if full { refused.value.key } else { split(refused.value.key).1 };
        comment(text, &inner, key, refused.shown(), refused.code, &refused.message);
    }
    // Only these parts know reasons.
    if !head || part == "pool" {
        return;
    }
    match (reasons, section.reasons.iter().find(|reason| reason.part == part)) {
        (Reasons::Everywhere, _) => {
            let _ = writeln!(text, "{inner}reason: any");
        }
        (Reasons::AsTheyAre, Some(reason)) => {
            for asked in &reason.asked {
                let _ = writeln!(text, "{inner}# {}", harmless(asked));
            }
            let _ = writeln!(text, "{inner}reason: {}", quoted(&reason.text));
        }
        (Reasons::AsTheyAre, None) | (Reasons::Without, _) => {}
    }
}

fn comment(text: &mut String, indent: &str, key: &str, value: &str, code: &str, message: &str) {
    let _ = writeln!(text, "{indent}# {key}: {}   {code}: {}", harmless(value), harmless(message));
}

/// A word that YAML reads as it stands, or a quoted text.
fn scalar(text: &str) -> String {
    let words =
        text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/' | b':' | b',' | b' '));
    let safe = words
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !text.ends_with([' ', ':'])
        && !text.contains(": ");
    if safe { text.to_owned() } else { quoted(text) }
}

/// A quoted text of YAML, on one line.
fn quoted(text: &str) -> String {
    serde_json::Value::from(harmless(text)).to_string()
}

/// Text of other people's files stays on its line.
fn harmless(text: &str) -> String {
    let hidden = |c: char| c.is_control() || crate::format::is_invisible(c);
    text.chars().map(|character| if hidden(character) { ' ' } else { character }).collect()
}
