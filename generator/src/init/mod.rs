//! The first run for a document: what can be found out of it is written into a project file and settings, and what cannot
//! is left as a comment that says what to fill in.
//!
//! Texts go in and out; only the command reads and writes files.

mod candidates;
mod name;
mod project_file;
mod settings_file;

pub use candidates::{Candidate, Candidates, candidates};
pub use name::system_name;
pub use project_file::{ProjectFile, with_system};
pub use settings_file::{base_url, probe, with_settings};

/// Why an existing file cannot take a new section; with what to put into it by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPlace {
    /// What stands in the way.
    pub cause: String,
    /// The section.
    pub section: String,
}

/// A text of the document in a comment: one line, nothing in it that cannot be seen.
fn comment(text: &str) -> String {
    let is_plain = |c: &char| !c.is_control() && !crate::format::is_invisible(*c);
    let line: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(is_plain).collect();
    line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text as JSON writes it, which TOML and YAML read alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
