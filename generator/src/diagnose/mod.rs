//! Diagnostics: everything wrong is collected and told at once.
//!
//! A stage reports by [`Origin`] (file and JSON pointer). Lines and columns are looked up by [`Report::located`], by
//! reading the file a second time, only when there is something to say.
//!
//! Every code is explained in [`messages`], which also says how to add one.

mod events;
mod json;
mod locate;
mod located;
pub mod messages;
mod nearest;
mod paint;
mod position;
mod records;
mod render;
mod sarif;
mod snippet;
mod unsupported;

pub(crate) use events::{Item, Items, softened};
pub use locate::{Query, Target, locate};
pub use located::Located;
pub use nearest::nearest;
pub use paint::Paint;
pub use position::Position;
pub use records::record;
pub use render::{render, render_painted, totals};
pub use sarif::sarif;
pub use snippet::{painted, snippet};
pub use unsupported::{Unsupported, is_unsupported};

use crate::load::Sources;
use crate::model::Origin;

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing: something is not honoured, or was decided for the author.
    Note,
    /// Probably not meant.
    Warning,
    /// Nothing is written.
    Error,
}

impl Severity {
    /// The word messages begin with.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The file, as messages show it.
    pub file: String,
    /// The line, from 1; 0 when only the file is known.
    pub line: usize,
    /// The column in characters, from 1; 0 when only the file is known.
    pub col: usize,
    /// A JSON pointer, or the dotted key in a project file; may be empty.
    pub pointer: String,
}

impl Location {
    /// A file as a whole: it could not be read, or nothing in it can be pointed at.
    #[must_use]
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// A place in a file, without a pointer.
    #[must_use]
    pub fn at(file: impl Into<String>, position: Position) -> Self {
        Self { file: file.into(), line: position.line, col: position.col, pointer: String::new() }
    }

    /// The same place, named by a pointer or key.
    #[must_use]
    pub fn named(self, pointer: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), ..self }
    }

    /// Line and column, when they are known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        (self.line > 0).then_some(Position { line: self.line, col: self.col })
    }
}

/// One fault or remark, as data. Only the command prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable code such as `CD-REF-MISSING` or `R-RES-RE-X1`.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, as file and pointer; [`Report::located`] turns it into line and column.
    pub origin: Option<Origin>,
    /// Where, already known to the line: project files, and documents that could not be loaded. Goes before `origin`.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
}

/// Collects diagnostics over the stages of a run.
#[derive(Debug, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// An error at a place in the author's files.
    pub fn error(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Error, code, origin, message.into(), help.into());
    }

    /// A warning at a place in the author's files.
    pub fn warning(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Warning, code, origin, message.into(), help.into());
    }

    /// A note at a place in the author's files.
    pub fn note(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Note, code, origin, message.into(), help.into());
    }

    /// A fault or remark at a place that is already known to the line (a project file's declaration).
    pub fn at(
        &mut self,
        severity: Severity,
        code: &'static str,
        location: Location,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        self.push(Diagnostic { severity, code, message: message.into(), origin: None, location: Some(location), help });
    }

    fn add(&mut self, severity: Severity, code: &'static str, origin: Origin, message: String, help: String) {
        let help = (!help.is_empty()).then_some(help);
        self.push(Diagnostic { severity, code, message, origin: Some(origin), location: None, help });
    }

    /// Whether any error was found.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// Everything found so far, in the order it was found.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Everything found so far with lines and columns, by file and place, identical ones once.
    #[must_use]
    pub fn located(&self, sources: &Sources) -> Vec<Located> {
        located::located(&self.diagnostics, sources)
    }
}
