//! What schemas demand of a value besides its type.

use serde_json::Value;

use super::numbers::{Range, same};
use super::{Said, pattern};

/// The first thing that a value breaks, in words. `excused` are required properties that do not travel this way.
pub(super) fn breach(value: &Value, said: &Said<'_>, excused: &[&str]) -> Option<String> {
    kind(value, said).or_else(|| listed(value, said)).or_else(|| match value {
        Value::String(text) => text_breach(text, said),
        Value::Number(number) => Range::of(said).breach(number.as_f64()?),
        Value::Array(items) => array(items, said),
        Value::Object(members) => {
            let needed = said.keyword("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str);
            let mut missing = needed.filter(|name| !members.contains_key(*name) && !excused.contains(name));
            let missing = missing.next().map(|name| format!("`{name}` is required, but missing"));
            missing.or_else(|| count(members.len(), said, "minProperties", "maxProperties", "members"))
        }
        Value::Null | Value::Bool(_) => None,
    })
}

fn kind(value: &Value, said: &Said<'_>) -> Option<String> {
    let fits = |word: &str| match (word, value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
        // Other words were read as what they mean; the model knows it.
        (word, _) => !["null", "boolean", "number", "string", "array", "object", "integer"].contains(&word),
    };
    let wrong = |types: &&Value| match types {
        Value::String(word) => !fits(word),
        Value::Array(words) => !words.is_empty() && !words.iter().filter_map(Value::as_str).any(fits),
        _ => false,
    };
    let wrong = said.keyword("type").find(wrong)?;
    Some(format!("{} is not of the type {wrong}", short(value)))
}

fn listed(value: &Value, said: &Said<'_>) -> Option<String> {
    // YAML reads a listed `1` of text as a number.
    let is = |listed: &Value| {
        let spelling = listed.to_string();
        same(listed, value) || value.as_str() == Some(&spelling)
    };
    let lists = said.keyword("enum").filter_map(Value::as_array);
    if lists.into_iter().any(|listed| !listed.iter().any(is)) {
        return Some(format!("{} is not among the listed values", short(value)));
    }
    let other = said.keyword("const").find(|constant| !is(constant))?;
    Some(format!("{} is not the constant {}", short(value), short(other)))
}

fn text_breach(text: &str, said: &Said<'_>) -> Option<String> {
    if let Some(breach) = count(text.chars().count(), said, "minLength", "maxLength", "characters") {
        return Some(breach);
    }
    let mut patterns = said.keyword("pattern").filter_map(Value::as_str);
    let missed = patterns.find(|pattern| pattern::matches(pattern, text) == Some(false))?;
    Some(format!("{} does not match the pattern {missed}", short(&Value::from(text))))
}

fn array(items: &[Value], said: &Said<'_>) -> Option<String> {
    if let Some(breach) = count(items.len(), said, "minItems", "maxItems", "items") {
        return Some(breach);
    }
    let unique = said.keyword("uniqueItems").any(|unique| unique == &Value::Bool(true));
    let twice = items.iter().enumerate().any(|(index, item)| items.iter().take(index).any(|other| same(other, item)));
    (unique && twice).then(|| "an item stands there more than once".to_owned())
}

fn count(found: usize, said: &Said<'_>, least: &str, most: &str, what: &str) -> Option<String> {
    let found = found as u64;
    if let Some(least) = said.keyword(least).filter_map(whole).find(|least| found < *least) {
        return Some(format!("it has {found} {what}, fewer than {least}"));
    }
    let most = said.keyword(most).filter_map(whole).find(|most| found > *most)?;
    Some(format!("it has {found} {what}, more than {most}"))
}

/// The greatest of the lower bounds.
pub(super) fn least(said: &Said<'_>, key: &str) -> usize {
    said.keyword(key).filter_map(whole).max().and_then(|least| usize::try_from(least).ok()).unwrap_or(0)
}

/// The least of the upper bounds.
pub(super) fn most(said: &Said<'_>, key: &str) -> Option<usize> {
    said.keyword(key).filter_map(whole).min().and_then(|most| usize::try_from(most).ok())
}

fn whole(value: &Value) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and not negative; huge saturates"
    )]
    let of_float = |float: f64| (float.fract() == 0.0 && float >= 0.0).then_some(float as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(of_float))
}

/// A value for a message: its beginning, when it is long.
pub(super) fn short(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
