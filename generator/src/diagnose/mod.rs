//! Diagnostics: everything wrong is collected and told at once.

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

/// One fault or remark, as data. Only the command prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable code such as `CD-REF-MISSING` or `R-RES-RE-X1`.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, as file and pointer; [`Report`] callers turn it into line and column when they print.
    pub origin: Option<Origin>,
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

    fn add(&mut self, severity: Severity, code: &'static str, origin: Origin, message: String, help: String) {
        let help = (!help.is_empty()).then_some(help);
        self.push(Diagnostic { severity, code, message, origin: Some(origin), help });
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
}
