//! Documents made of others by changes that keep them documents: members taken away, put elsewhere, replaced by what is
//! odd, referred to from anywhere, nested, multiplied.

use serde_json::{Map, Value, json};

use super::checks::HOSTILE;

/// Choices, from the bytes of a fuzzer or of a small generator of numbers.
pub(crate) trait Choices {
    /// A number below a limit; 0 when there is no choice left.
    fn below(&mut self, limit: usize) -> usize;
}

/// The bytes of a fuzzer.
#[allow(dead_code, reason = "the ordinary tests choose by numbers")]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let (taken, rest) = self.0.split_at(self.0.len().min(if limit > 256 { 2 } else { 1 }));
        self.0 = rest;
        taken.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) % limit.max(1)
    }
}

/// A small generator of numbers: the same in every run.
#[allow(dead_code, reason = "the fuzz targets choose by bytes")]
pub(crate) struct Numbers(pub(crate) u64);

impl Choices for Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Changes a document a few times.
pub(crate) fn mutate(document: &mut Value, choices: &mut impl Choices) {
    for _ in 0..=choices.below(6) {
        let places = places(document);
        let place = places[choices.below(places.len())].clone();
        let other = places[choices.below(places.len())].clone();
        change(document, &place, &other, choices);
    }
}

/// The pointers of all values of a document, the root's first. Not more than fit a choice by two bytes.
fn places(document: &Value) -> Vec<String> {
    let mut places = vec![String::new()];
    let mut index = 0;
    while let Some(place) = places.get(index).cloned() {
        match document.pointer(&place) {
            Some(Value::Object(members)) => {
                places
                    .extend(members.keys().map(|key| format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))));
            }
            Some(Value::Array(items)) => places.extend((0..items.len()).map(|item| format!("{place}/{item}"))),
            _ => {}
        }
        index += 1;
        if places.len() > 60_000 {
            break;
        }
    }
    places
}

fn change(document: &mut Value, place: &str, other: &str, choices: &mut impl Choices) {
    let copy = document.pointer(other).cloned().unwrap_or_default();
    match choices.below(10) {
        0 => remove(document, place),
        1 => put(document, place, odd(choices)),
        2 => {
            let here = document.pointer(place).cloned().unwrap_or_default();
            // A document that holds itself doubles with every change.
            if size(&copy) + size(&here) < 20_000 {
                put(document, place, copy);
            }
        }
        3 => {
            let here = document.pointer(place).cloned().unwrap_or_default();
            put(document, place, copy);
            put(document, other, here);
        }
        4 => put(document, place, json!({"$ref": format!("#{other}")})),
        5 => rename(document, place, HOSTILE[choices.below(HOSTILE.len())]),
        6 => {
            let keyword = ["allOf", "oneOf", "anyOf", "items", "additionalProperties", "not"][choices.below(6)];
            let deep = [1, 2, 30, 70][choices.below(4)];
            let mut value = document.pointer(place).cloned().unwrap_or_default();
            for _ in 0..deep {
                let listed = keyword.ends_with("Of");
                value = if listed { json!({ keyword: [value] }) } else { json!({ keyword: value }) };
            }
            put(document, place, value);
        }
        7 => add(document, place, KEYWORDS[choices.below(KEYWORDS.len())], copy),
        8 => add(document, place, KEYWORDS[choices.below(KEYWORDS.len())], odd(choices)),
        _ => {
            if let Some(Value::Array(items)) = document.pointer_mut(place)
                && let Some(first) = items.first().cloned()
                && size(&first) < 500
            {
                items.extend(vec![first; 40]);
            }
        }
    }
}

const KEYWORDS: [&str; 32] = [
    "type",
    "properties",
    "required",
    "enum",
    "const",
    "default",
    "example",
    "examples",
    "allOf",
    "oneOf",
    "anyOf",
    "items",
    "prefixItems",
    "additionalProperties",
    "patternProperties",
    "discriminator",
    "nullable",
    "format",
    "readOnly",
    "writeOnly",
    "description",
    "title",
    "operationId",
    "tags",
    "parameters",
    "requestBody",
    "responses",
    "content",
    "security",
    "servers",
    "encoding",
    "x-enum-varnames",
];

fn odd(choices: &mut impl Choices) -> Value {
    match choices.below(14) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1e300),
        4 => json!(u64::MAX),
        5 => json!([]),
        6 => json!({}),
        7 => json!(["null", "string", "object"]),
        8 => json!({"type": "object", "additionalProperties": {"$ref": "#"}}),
        9 => json!((0..300).map(|number| format!("v{number}")).collect::<Vec<_>>()),
        10 => json!({"propertyName": "type", "mapping": {"a": "#/components/schemas/A", "zqxw!()": "zqxw!()"}}),
        11 => json!(["", " ", "a", "A", "_", "self", "Self", "zqxw!()", 1, 1.5, null, true, "Unknown"]),
        12 => json!({"": {}, " ": {}, "a b": {}, "a-b": {}, "a_b": {}, "Self": {}, "\u{0}": {}}),
        _ => json!(HOSTILE[choices.below(HOSTILE.len())]),
    }
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

fn holder<'v>(document: &'v mut Value, place: &str) -> Option<(&'v mut Value, String)> {
    let (holder, last) = place.rsplit_once('/')?;
    Some((document.pointer_mut(holder)?, last.replace("~1", "/").replace("~0", "~")))
}

fn remove(document: &mut Value, place: &str) {
    match holder(document, place) {
        Some((Value::Object(members), name)) => drop(members.remove(&name)),
        Some((Value::Array(items), index)) => {
            if let Some(index) = index.parse().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
}

fn put(document: &mut Value, place: &str, value: Value) {
    if let Some(there) = document.pointer_mut(place) {
        *there = value;
    }
}

fn add(document: &mut Value, place: &str, key: &str, value: Value) {
    if let Some(Value::Object(members)) = document.pointer_mut(place)
        && size(&value) < 20_000
    {
        members.insert(key.to_owned(), value);
    }
}

fn rename(document: &mut Value, place: &str, name: &str) {
    if let Some((Value::Object(members), old)) = holder(document, place) {
        let renamed = std::mem::take(members).into_iter();
        let renamed = renamed.map(|(key, value)| if key == old { (name.to_owned(), value) } else { (key, value) });
        *members = renamed.collect::<Map<_, _>>();
    }
}
