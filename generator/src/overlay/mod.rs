//! OpenAPI Overlays: a team's own changes to a document that somebody else writes.
//!
//! An overlay is a list of actions. Each selects places of the document by a JSONPath (RFC 9535) and merges something
//! into them, copies something into them, or removes them. Overlay 1.0 and 1.1 are read; 1.1 settles what 1.0 leaves
//! open, and the rules of 1.1 are followed for both.

mod action;
mod document;
mod extends;
mod merge;
mod query;
mod remove;

use std::path::Path;

use serde_json::Value;

use self::document::Overlay;
use crate::diagnose::{Report, Severity};
use crate::load::Sources;

/// Applies overlays to the root document, one after the other. Every fault goes to the report; with any, the document
/// may be half changed and `None` is given. Comes before everything that looks into the document.
pub fn apply<'p>(
    sources: &mut Sources,
    overlays: impl IntoIterator<Item = &'p Path>,
    report: &mut Report,
) -> Option<()> {
    let errors_before = errors(report);
    // All are read before the first is applied: their mistakes do not depend on each other.
    let overlays: Vec<Overlay> =
        overlays.into_iter().filter_map(|path| document::open(sources, path, report)).collect();
    let root = sources.files.first_mut()?;
    if errors(report) == errors_before && !overlays.is_empty() {
        let mut value = std::mem::replace(&mut root.value, Value::Null);
        action::apply(&overlays, &mut value, &mut sources.patches, report);
        if let Some(root) = sources.files.first_mut() {
            root.value = value;
        }
    }
    (errors(report) == errors_before).then_some(())
}

fn errors(report: &Report) -> usize {
    report.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}

/// What a value is, in messages.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null (an empty value)",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The value at a place.
fn value_at<'v>(document: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(document, |value, token| match value {
        Value::Object(object) => object.get_mut(token),
        Value::Array(array) => array.get_mut(token.parse::<usize>().ok()?),
        _ => None,
    })
}
