//! From text to a value: JSON or YAML, with what is wrong told by place.

use std::path::Path;

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::before;
use super::faults::{self, Fault};
use super::value::{Oddities, Reader};
use crate::diagnose::Position;

/// Reads a document. The path only says which of the two a text that could be both is meant to be.
pub(super) fn parse(text: &str, path: &Path) -> Result<Value, Vec<Fault>> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let looks_like_json = text.trim_start().starts_with(['{', '[']);
    if !looks_like_json {
        return yaml(text);
    }
    match json(text) {
        // A YAML document may begin with a brace, too.
        Err(faults) if !extension.eq_ignore_ascii_case("json") => match yaml(text) {
            Err(yaml) if extension.starts_with(['y', 'Y']) => Err(yaml),
            Err(_) => Err(faults),
            Ok(value) => Ok(value),
        },
        result => result,
    }
}

fn json(text: &str) -> Result<Value, Vec<Fault>> {
    let odd = Oddities::default();
    let budget = Reader::budget(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Reader::json(&odd, &budget)
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| vec![json_fault(text, &error)])?;
    second_look(text, value, &odd)
}

fn json_fault(text: &str, error: &serde_json::Error) -> Fault {
    let at = (error.line() > 0).then(|| Position { line: error.line(), col: error.column().max(1) });
    let message = error.to_string();
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&suffix).unwrap_or(&message);
    if message == "recursion limit exceeded" {
        return Fault::nesting(at);
    }
    let message = message.replace("EOF while parsing", "the text ends within");
    let help = match at.and_then(|at| before::character(text, at)) {
        Some('/' | '#') => "JSON has no comments",
        Some('\'') => "texts of JSON stand in double quotes",
        Some('}' | ']' | ',') => "a comma too many, or a value that is missing",
        None => "check that the file is whole",
        _ => "",
    };
    Fault::new("CD-PARSE", at, format!("this is not JSON: {message}"), help)
}

fn yaml(text: &str) -> Result<Value, Vec<Fault>> {
    if text.trim_start().starts_with('<') {
        let message = "this is XML or HTML, not an OpenAPI document";
        let at = Position::of_offset(text, text.len() - text.trim_start().len());
        return Err(vec![Fault::new(
            "CD-PARSE",
            Some(at),
            message.into(),
            "save the document itself, not its web page",
        )]);
    }
    if let Some(fault) = before::fault(text) {
        return Err(vec![fault]);
    }
    let odd = Oddities::default();
    let budget = Reader::budget(text);
    let value = Reader::yaml(&odd, &budget)
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .map_err(|error| vec![yaml_fault(text, &odd, &error)])?;
    if value.is_null() {
        return Err(vec![Fault::new("CD-FILE-EMPTY", None, "the file holds no document".into(), "")]);
    }
    odd.tags.set(faults::may_have_tags(text));
    second_look(text, value, &odd)
}

fn yaml_fault(text: &str, odd: &Oddities, error: &serde_yaml::Error) -> Fault {
    let at = error.location().map(|at| Position { line: at.line(), col: at.column() });
    let full = error.to_string();
    let message = match at {
        Some(at) => full.replace(&format!(" at line {} column {}", at.line, at.col), ""),
        None => full,
    };
    match message.as_str() {
        "recursion limit exceeded" => Fault::nesting(at),
        "repetition limit exceeded" => Fault::swollen(text),
        _ if odd.swollen.get() => Fault::swollen(text),
        _ if message.contains("more than one document") => {
            let help = "one file holds one document: split it at the line `---`";
            let message = "the file holds more than one YAML document";
            Fault::new("CD-YAML-DOCUMENTS", faults::second_document(text), message.into(), help)
        }
        _ => {
            let tab = at.is_some_and(|at| before::character(text, at) == Some('\t'));
            let help = if tab { "YAML is indented by blanks, never by tabs" } else { yaml_help(&message) };
            Fault::new("CD-PARSE", at, format!("this is not YAML: {message}"), help)
        }
    }
}

/// What most likely led to a message of the YAML library.
fn yaml_help(message: &str) -> &'static str {
    let helps = [
        ("mapping values are not allowed", "a text that holds `: ` stands in quotes"),
        ("unknown anchor", "an alias `*name` needs an anchor `&name` before it"),
        ("while scanning a quoted scalar", "a quote is not closed"),
        ("did not find expected key", "check the indentation: keys of one mapping begin in one column"),
        ("did not find expected '-' indicator", "check the indentation: the `-` of one list begin in one column"),
        ("did not find expected ',' or", "a bracket is not closed, or a comma is missing"),
    ];
    helps.into_iter().find(|(part, _)| message.contains(part)).map_or("", |(_, help)| help)
}

/// Finds the places of what the first reading only noticed.
fn second_look(text: &str, value: Value, odd: &Oddities) -> Result<Value, Vec<Fault>> {
    let mut found = Vec::new();
    if odd.duplicates.get() {
        found.extend(faults::duplicate_keys(text));
    }
    if odd.foreign.get() || odd.tags.get() {
        found.extend(faults::foreign_values(text));
    }
    if odd.foreign.get() && found.is_empty() {
        found.push(faults::foreign_somewhere());
    }
    if found.is_empty() { Ok(value) } else { Err(found) }
}
