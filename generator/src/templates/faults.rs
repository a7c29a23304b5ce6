//! What went wrong in a template: where, at which operation, and what to do.

use std::error::Error as _;

use minijinja::value::Serde;
use minijinja::{Error, ErrorKind, context};
use serde_json::Value;

use super::{Layered, TeamTemplates, filters};
use crate::diagnose::{Location, Position, Report, Severity, nearest};
use crate::render::View;

/// How many errors a report holds.
pub(super) fn count(report: &Report) -> usize {
    report.diagnostics().iter().filter(|one| one.severity == Severity::Error).count()
}

/// A template that cannot be read.
pub(super) fn of_syntax(layered: &Layered, name: &str, text: &str, error: &Error, report: &mut Report) {
    let fault = Fault::of(layered, error, Some((name, text)), &[]);
    report.at(
        Severity::Error,
        "CD-TEMPLATE-SYNTAX",
        fault.at,
        format!("the template cannot be read: {}", fault.message),
        fault.help,
    );
}

/// The lists of views, what is in them, and the key of what is in them by which people know it.
const LISTS: [(&str, &str, &str); 8] = [
    ("operations", "operation", "id"),
    ("operations", "method", "method"),
    ("mappings", "operation", "id"),
    ("cases", "operation", "id"),
    ("types", "type", "name"),
    ("conversions", "function", "name"),
    ("modules", "module", "name"),
    ("examples", "example", "at"),
];

/// A view that a template could not print: which entries of its lists it stumbles over, and over what.
pub(super) fn of_view(templates: &TeamTemplates, view: &View<'_>, system: &str, error: &Error, report: &mut Report) {
    let template = view.template();
    let value = serde_json::to_value(view).unwrap_or_default();
    let known = keys(&value);
    let attempt =
        |value: &Value| templates.text(template, context! { view => minijinja::Value::from(Serde(value)) }).err();
    let whole = Fault::of(&templates.layered, error, None, &known);
    let mut found: Vec<(Fault, Vec<String>)> = Vec::new();
    for (list, what, key) in LISTS {
        let Some(Value::Array(entries)) = value.get(list) else { continue };
        if entries.iter().any(|entry| entry.get(key).is_none()) || attempt(&with(&value, list, Vec::new())).is_some() {
            continue;
        }
        for entry in entries {
            let Some(error) = attempt(&with(&value, list, vec![entry.clone()])) else { continue };
            let name = entry.get(key).and_then(Value::as_str).unwrap_or_default();
            let label = format!("{what} `{}`", name.trim_matches('"'));
            let fault = Fault::of(&templates.layered, &error, None, &known);
            match found.iter_mut().find(|(known, _)| *known == fault) {
                Some((_, labels)) => labels.push(label),
                None => found.push((fault, vec![label])),
            }
        }
        break;
    }
    if found.is_empty() {
        found.push((whole, Vec::new()));
    }
    for (fault, labels) in found {
        rendering(report, fault, template, system, &labels);
    }
}

/// A fault in a template for an output of a team's own, made for something in particular.
pub(super) fn of_extra(
    templates: &TeamTemplates,
    template: &str,
    whose: &str,
    label: Option<String>,
    error: &Error,
    report: &mut Report,
) {
    let labels: Vec<String> = label.into_iter().collect();
    rendering(report, Fault::of(&templates.layered, error, None, &[]), template, whose, &labels);
}

fn rendering(report: &mut Report, fault: Fault, template: &str, system: &str, labels: &[String]) {
    let system = if system.is_empty() { "the project".to_owned() } else { format!("`{system}`") };
    let shown = labels.get(..labels.len().min(3)).unwrap_or_default().join(", ");
    let more = labels.len().saturating_sub(3);
    let at_what = match (labels.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(", {shown}"),
        (false, more) => format!(", {shown} and {more} more"),
    };
    let message = format!("{} (rendering {template} for {system}{at_what})", fault.message);
    report.at(Severity::Error, "CD-TEMPLATE-RENDER", fault.at, message, fault.help);
}

/// The same view with another list.
fn with(value: &Value, list: &str, entries: Vec<Value>) -> Value {
    let mut value = value.clone();
    if let Some(place) = value.get_mut(list) {
        *place = Value::Array(entries);
    }
    value
}

/// Every key of a view, on whatever level.
fn keys(value: &Value) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                found.extend(members.keys().cloned());
                pending.extend(members.values());
            }
            Value::Array(entries) => pending.extend(entries.iter().take(64)),
            _ => {}
        }
    }
    found.into_iter().collect()
}

#[derive(Debug, PartialEq, Eq)]
struct Fault {
    at: Location,
    message: String,
    help: String,
}

impl Fault {
    /// `text` is that of a template that the environment does not have.
    fn of(layered: &Layered, error: &Error, text: Option<(&str, &str)>, known: &[String]) -> Self {
        let error = innermost(error);
        let name = error.name().or(text.map(|(name, _)| name)).unwrap_or_default();
        let source = text.map(|(_, text)| text).or_else(|| layered.text(name)).unwrap_or_default();
        let (start, said) = match error.range() {
            Some(range) if error.kind() == ErrorKind::UndefinedError => said(source, range),
            Some(range) => (Some(range.start), ""),
            None => (None, ""),
        };
        let position = match start {
            Some(start) => Position::of_offset(source, start),
            None => Position { line: error.line().unwrap_or(1), col: 1 },
        };
        let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        let near = |candidates: &mut dyn Iterator<Item = &str>, word: &str| {
            nearest(word, candidates).map(|near| format!("`{near}` is meant?"))
        };
        let (message, help) = match error.kind() {
            ErrorKind::UndefinedError if is_path(said) => {
                let last = said.rsplit('.').next().unwrap_or_default();
                let help = near(&mut known.iter().map(String::as_str), last);
                (
                    format!("`{said}` is not there"),
                    help.unwrap_or_else(|| "`cofferdam templates context` prints what a template sees".to_owned()),
                )
            }
            ErrorKind::UndefinedError => {
                (detail, "`cofferdam templates context` prints what a template sees".to_owned())
            }
            ErrorKind::UnknownFilter => {
                let word = detail.strip_prefix("filter ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
                (detail.clone(), near(&mut filters::NAMES.iter().copied(), word).unwrap_or_default())
            }
            _ => (detail, String::new()),
        };
        Self { at: layered.place(name, position.line, position.col), message, help }
    }
}

/// What is not there, and where it begins: the place may be that of a filter it was given to.
fn said(source: &str, range: std::ops::Range<usize>) -> (Option<usize>, &str) {
    let before = source.get(..range.start).unwrap_or_default().trim_end();
    match before.strip_suffix('|') {
        Some(before) => {
            let before = before.trim_end();
            let path = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next();
            let path = path.unwrap_or_default();
            (Some(before.len() - path.len()), path)
        }
        None => {
            let start = range.start;
            (Some(start), source.get(range).unwrap_or_default().split('|').next().unwrap_or_default().trim())
        }
    }
}

fn is_path(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// The error that others were caused by: that of the included template, not of the including one.
fn innermost(error: &Error) -> &Error {
    let mut found = error;
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(inner) = cause.downcast_ref::<Error>().filter(|inner| inner.line().is_some()) {
            found = inner;
        }
        source = cause.source();
    }
    found
}
