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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use serde_json::Value;

    use super::apply;
    use crate::diagnose::Report;
    use crate::load::{Sources, pointer};
    use crate::model::Origin;

    /// Every value without parts, by its place.
    fn leaves(value: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Value)>) {
        let parts: Vec<(String, &Value)> = match value {
            Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
            leaf => {
                found.push((pointer(path), leaf.clone()));
                return;
            }
        };
        for (token, part) in parts {
            path.push(token);
            leaves(part, path, found);
            path.pop();
        }
    }

    #[test]
    fn every_value_of_a_patched_document_is_found_where_it_is_written() {
        let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/overlays/good");
        let (mut from_overlays, mut moved) = (0, 0);
        for case in fs::read_dir(good).unwrap().map(|entry| entry.unwrap().path()) {
            let mut files: Vec<PathBuf> = fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            let named = |name: &str, file: &PathBuf| file.file_name().unwrap().to_str().unwrap().starts_with(name);
            let document = files.iter().find(|file| named("api", file)).unwrap();
            let overlays = files.iter().filter(|file| named("overlay", file)).map(PathBuf::as_path);
            let mut report = Report::default();
            let mut sources = Sources::open_root(document, &mut report).unwrap();
            let unpatched = sources.files[0].value.clone();
            apply(&mut sources, overlays, &mut report).unwrap();
            let mut found = Vec::new();
            leaves(&sources.files[0].value, &mut Vec::new(), &mut found);
            for (place, value) in found {
                let place = Origin { file: 0, pointer: place };
                let written = sources.find(&place).origin.unwrap_or_else(|| place.clone());
                if written.pointer.ends_with("/copy") {
                    continue; // what is copied stands elsewhere, too
                }
                let file = if written.file == 0 { &unpatched } else { &sources.files[written.file].value };
                assert_eq!(file.pointer(&written.pointer), Some(&value), "{place:?} {written:?}");
                from_overlays += usize::from(written.file > 0);
                moved += usize::from(written.file == 0 && written != place);
            }
        }
        assert!(from_overlays > 20 && moved > 4, "{from_overlays} {moved}");
    }
}
