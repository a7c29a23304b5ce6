//! The table of messages: what each code means, an example, and what to do. `cofferdam explain` prints it,
//! `docs/messages.md` is made of it, and tests keep it honest: every code that the source uses stands here, and for every
//! code here there is an input in `tests/bad-specs` that gives it.
//!
//! A new code takes three steps: a constant text of the form `CD-…` where the message is made, an entry in the file of
//! this folder that fits, and an input with its expected text in `tests/bad-specs`. The codes of the resilience rules
//! (`R-RES-…`) stand in [`rules`]; what to do about those that checks tell stands in `advice.rs`.

mod advice;
mod command;
mod document;
mod files;
mod import;
mod operations;
mod overlays;
mod project;
mod schemas;
mod show;
mod templates;

pub use show::{explain, json, markdown};

use serde::Serialize;

use super::nearest;
use crate::rules::{self, Rule};

/// What is told under one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Message {
    /// `CD-REF-MISSING`
    pub code: &'static str,
    /// As what it is told: `error`, `warning`, `note`, or several of them.
    pub told_as: &'static str,
    /// Whether it says that something of the document is not honoured (`deny-unsupported` makes an error of it).
    pub unsupported: bool,
    /// What it means.
    pub means: &'static str,
    /// What leads to it.
    pub example: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

const fn told(
    code: &'static str,
    told_as: &'static str,
    means: &'static str,
    example: &'static str,
    remedy: &'static str,
) -> Message {
    Message { code, told_as, unsupported: false, means, example, remedy }
}

const fn error(code: &'static str, means: &'static str, example: &'static str, remedy: &'static str) -> Message {
    told(code, "error", means, example, remedy)
}

const fn warning(code: &'static str, means: &'static str, example: &'static str, remedy: &'static str) -> Message {
    told(code, "warning", means, example, remedy)
}

const fn note(code: &'static str, means: &'static str, example: &'static str, remedy: &'static str) -> Message {
    told(code, "note", means, example, remedy)
}

/// A note about what OpenAPI defines and Cofferdam does not do.
const fn unsupported(code: &'static str, means: &'static str, example: &'static str, remedy: &'static str) -> Message {
    not_honoured(note(code, means, example, remedy))
}

const fn not_honoured(message: Message) -> Message {
    Message { unsupported: true, ..message }
}

/// Messages that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Group {
    /// What they are about.
    pub title: &'static str,
    /// The messages.
    pub messages: &'static [Message],
}

/// All messages, by what they are about.
pub const GROUPS: &[Group] = &[
    Group { title: "Files and references", messages: files::MESSAGES },
    Group { title: "The document", messages: document::MESSAGES },
    Group { title: "Operations", messages: operations::MESSAGES },
    Group { title: "Schemas", messages: schemas::MESSAGES },
    Group { title: "Project file and settings", messages: project::MESSAGES },
    Group { title: "Overlays", messages: overlays::MESSAGES },
    Group { title: "Templates", messages: templates::MESSAGES },
    Group { title: "Imported settings", messages: import::MESSAGES },
    Group { title: "The run", messages: command::MESSAGES },
];

/// All messages, in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Message> {
    GROUPS.iter().flat_map(|group| group.messages)
}

/// What to do about a rule that a check found broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// `R-RES-TO-1`
    pub code: &'static str,
    /// What leads to it.
    pub example: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

/// The rules that checks tell under their codes, with what to do.
pub fn advice() -> impl Iterator<Item = &'static Advice> {
    advice::ADVICE.iter()
}

/// What a code is explained by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explained {
    /// A message of the table.
    Message(&'static Message),
    /// A resilience rule, and what to do when a check finds it broken, if one does.
    Rule(&'static Rule, Option<&'static Advice>),
}

/// The explanation of a code, in any case and with or without its beginning (`CD-`, `R-RES-`).
///
/// # Errors
/// The nearest code there is, if one is near.
pub fn find(code: &str) -> Result<Explained, Option<&'static str>> {
    let wanted = code.trim().to_ascii_uppercase();
    let short = wanted.strip_prefix("CD-").unwrap_or(&wanted);
    if let Some(message) = all().find(|message| message.code.strip_prefix("CD-") == Some(short)) {
        return Ok(Explained::Message(message));
    }
    if let Some(rule) = rules::find(&wanted) {
        return Ok(Explained::Rule(rule, advice().find(|advice| advice.code == rule.code)));
    }
    let codes = || all().map(|message| message.code).chain(rules::all().map(|rule| rule.code));
    // A code without its beginning is compared with codes without theirs.
    let bare = |code: &'static str| code.strip_prefix("CD-").or(code.strip_prefix("R-RES-")).unwrap_or(code);
    let near = nearest(&wanted, codes())
        .or_else(|| nearest(&wanted, codes().map(bare)).and_then(|near| codes().find(|code| bare(code) == near)));
    Err(near)
}

#[cfg(test)]
mod tests;
