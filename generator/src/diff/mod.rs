//! What a new version of a document does: to the protection of its operations, to the generated Rust, and to the
//! functions that were written against it.
//!
//! Two plans are compared, and the types that are rendered from them, not the texts of documents: what is said is what
//! the compiler and the other system will notice.

mod document;
mod lost;
mod markdown;
mod matching;
mod messages;
mod operations;
mod protection;
mod renames;
mod shapes;
mod sides;
mod text;
mod types;
mod widening;
mod wire;

use serde::Serialize;

pub use document::{DIFF_VERSION, DiffDocument};
pub use lost::{Lost, plan_anew};
pub use markdown::markdown;
pub use text::text;

use crate::Planned;
use crate::diagnose::Report;
use matching::Matching;
use renames::Renames;
use sides::Side;

/// How grave a change is. The order is the order in which changes are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Impact {
    /// What protects an operation is another: it may be repeated and might not before, or the other way round; its key
    /// travels elsewhere; its times are others. Code may compile, and do something else.
    Protection,
    /// What was generated from the old document does not fit the new one: calls that are refused, replies that cannot be
    /// read, data that is gone.
    Breaking,
    /// What was generated before goes on working. Once it is generated anew, functions that take everything apart stop
    /// compiling, at the place of the change.
    Mapper,
    /// Nothing has to be done.
    Compatible,
}

impl Impact {
    /// All, in their order.
    pub const ALL: [Self; 4] = [Self::Protection, Self::Breaking, Self::Mapper, Self::Compatible];
}

/// A function that a change reaches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Function {
    /// The hand-written file that the first run puts it into: `mapper.rs` or `port.rs`.
    pub file: &'static str,
    /// `order_from_wire`, `Mapping<operations::Pay>::request`, or `Mapping<operations::Pay>` as a whole.
    pub name: String,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// How grave it is.
    pub impact: Impact,
    /// Which change it is, for programs: `kind-changed`, `field-added`, …; `docs/evolution.md` lists them.
    pub code: &'static str,
    /// The operation's id, or the type's name.
    pub subject: String,
    /// What changed, in a sentence.
    pub message: String,
    /// How it was and is, or what to do, a line each.
    pub details: Vec<String>,
    /// The functions of the stubs that stop compiling, or have to be looked at.
    pub functions: Vec<Function>,
}

impl Change {
    fn new(impact: Impact, code: &'static str, subject: impl Into<String>, message: impl Into<String>) -> Self {
        let (subject, message) = (subject.into(), shown(&message.into()));
        Self { impact, code, subject, message, details: Vec::new(), functions: Vec::new() }
    }

    fn detail(mut self, line: impl Into<String>) -> Self {
        self.details.push(shown(&line.into()));
        self
    }

    fn reaching(mut self, functions: impl IntoIterator<Item = Function>) -> Self {
        self.functions.extend(functions);
        self
    }
}

/// A text of which a part is the document's: it stays one line, and what cannot be seen is spelled out.
fn shown(text: &str) -> String {
    let is_hidden = |c: char| c.is_control() || crate::format::is_invisible(c);
    text.chars().map(|c| if is_hidden(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// A version of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Version {
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// Its operations.
    pub operations: usize,
}

/// All that changed in one system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpecDiff {
    /// The system's name.
    pub system: String,
    /// The document before.
    pub from: Version,
    /// The document now.
    pub to: Version,
    /// The changes, the gravest first.
    pub changes: Vec<Change>,
}

impl SpecDiff {
    /// The changes of one impact.
    pub fn of(&self, impact: Impact) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.impact == impact)
    }

    /// A system that was not there before.
    #[must_use]
    pub fn system_added(name: &str) -> Self {
        let change = Change::new(Impact::Compatible, "system-added", name, format!("The system `{name}` is new"));
        Self { system: name.to_owned(), from: Version::default(), to: Version::default(), changes: vec![change] }
    }

    /// A system that is not there any more.
    #[must_use]
    pub fn system_removed(name: &str) -> Self {
        let change = Change::new(Impact::Breaking, "system-removed", name, format!("The system `{name}` is gone"));
        Self { system: name.to_owned(), from: Version::default(), to: Version::default(), changes: vec![change] }
    }

    /// Whether anybody has to do or decide something.
    #[must_use]
    pub fn needs_work(&self) -> bool {
        self.changes.iter().any(|change| change.impact < Impact::Compatible)
    }

    /// Every function that is reached, by file and name.
    #[must_use]
    pub fn functions(&self) -> std::collections::BTreeSet<&Function> {
        self.changes.iter().flat_map(|change| &change.functions).collect()
    }

    /// Adds changes that are known from elsewhere, such as what a project file loses.
    pub fn add(&mut self, changes: impl IntoIterator<Item = Change>) {
        self.changes.extend(changes);
        self.changes.sort_by_key(|change| change.impact);
    }
}

/// Compares two plans of a system. `None`, with the reason in the report, when one of them cannot be rendered.
///
/// The new one is best made by [`plan_anew`] with the names that the old one gave, so that nothing is renamed by chance.
pub fn compare(old: &Planned, new: &Planned, report: &mut Report) -> Option<SpecDiff> {
    let (old, new) = (Side::of(old, report)?, Side::of(new, report)?);
    let matching = Matching::of(&old, &new);
    let renames = Renames::of(&old, &new, &matching);
    let mut changes = protection::changes(&old, &new, &matching);
    changes.extend(operations::changes(&old, &new, &matching));
    changes.extend(wire::changes(&old, &new, &matching));
    changes.extend(types::changes(&old, &new, &matching, &renames));
    changes.extend(wire::of_types(&old, &new, &renames));
    for change in &mut changes {
        change.functions.sort();
        change.functions.dedup();
    }
    // Stable: within an impact operations come before types, each in document order.
    changes.sort_by_key(|change| change.impact);
    Some(SpecDiff { system: new.plan.system.clone(), from: old.version(), to: new.version(), changes })
}

#[cfg(test)]
mod tests;
