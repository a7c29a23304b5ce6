//! Text of the document as doc comments. It is data: it stays readable, and never becomes code, a doctest, a link to
//! nowhere, or a lint.

mod html;
mod inline;
mod markdown;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::model::Docs;

/// The longest default that is shown.
const LONGEST_DEFAULT: usize = 200;

/// Collects the lines of one doc comment.
#[derive(Debug, Default)]
pub(crate) struct DocComment {
    lines: Vec<String>,
}

impl DocComment {
    /// Summary and description of something, and whether it is deprecated.
    pub(crate) fn of(docs: &Docs) -> Self {
        let mut comment = Self::default();
        let summary = docs.summary.as_deref().map(markdown::one_line).unwrap_or_default();
        comment.paragraph(vec![summary]);
        if docs.description.as_deref().map(str::trim) != docs.summary.as_deref().map(str::trim) {
            comment.paragraph(docs.description.as_deref().map(markdown::lines).unwrap_or_default());
        }
        if docs.deprecated {
            comment.own("Deprecated.");
        }
        comment
    }

    /// A sentence of ours. It is Markdown already; text of the document in it must be [`code`].
    pub(crate) fn own(&mut self, sentence: &str) -> &mut Self {
        self.paragraph(vec![sentence.to_owned()]);
        self
    }

    /// Markdown of the document.
    pub(crate) fn description(&mut self, text: &str) -> &mut Self {
        self.paragraph(markdown::lines(text));
        self
    }

    /// The documented default.
    pub(crate) fn default_value(&mut self, default: Option<&Value>) -> &mut Self {
        if let Some(value) = default {
            let text = value.to_string();
            if text.chars().count() <= LONGEST_DEFAULT {
                self.own(&format!("Default: {}.", code(&text)));
            }
        }
        self
    }

    /// What another comment says, after an empty line.
    pub(crate) fn append(&mut self, other: &Self) -> &mut Self {
        self.paragraph(other.lines.clone());
        self
    }

    /// Whether there is nothing to say.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn paragraph(&mut self, lines: Vec<String>) {
        if lines.iter().all(|line| line.is_empty()) {
            return;
        }
        if !self.lines.is_empty() {
            self.lines.push(String::new());
        }
        self.lines.extend(lines);
    }

    /// The attributes that print as `///` lines.
    pub(crate) fn attributes(&self) -> TokenStream {
        let lines = self.lines();
        quote!(#(#[doc = #lines])*)
    }

    /// What stands behind each `///`.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") }).collect()
    }
}

/// A code span around any text, on one line.
pub(crate) fn code(text: &str) -> String {
    inline::code_span(&markdown::clean(text).replace('\n', " "))
}

/// The attributes for summary and description alone.
pub(crate) fn attributes(docs: &Docs) -> TokenStream {
    DocComment::of(docs).attributes()
}

/// Macros of the prelude that are derived: a type of their name is not the only thing a link may mean.
const DERIVES: [&str; 9] = ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// A link to a struct of the same module.
pub(crate) fn link(name: &str) -> String {
    let name = crate::analyse::bare(name);
    if DERIVES.contains(&name) { format!("[`{name}`](struct@{name})") } else { format!("[`{name}`]") }
}

/// Text of ours or of the author as part of a sentence: on one line, nothing in it a link or code block.
pub(crate) fn sentence(text: &str) -> String {
    markdown::one_line(text)
}
