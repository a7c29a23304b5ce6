//! The second look at a document: places of what the first reading only noticed.

use std::collections::HashMap;

use super::path::Path;
use crate::diagnose::{Item, Items, Position, softened};

/// What is wrong with a document as a whole, or at a place in it.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) at: Option<Position>,
    pub(super) pointer: String,
    pub(super) message: String,
    pub(super) help: String,
}

impl Fault {
    pub(super) fn new(code: &'static str, at: Option<Position>, message: String, help: impl Into<String>) -> Self {
        Self { code, at, pointer: String::new(), message, help: help.into() }
    }

    pub(super) fn nesting(at: Option<Position>) -> Self {
        let message = "more than 127 levels of nesting".to_owned();
        Self::new("CD-NESTING", at, message, "no API needs this: check how the document was made")
    }

    /// The document is too large once its aliases are followed; the place is that of the first alias.
    pub(super) fn swollen(text: &str) -> Self {
        let at = Items::new(text).find_map(|item| if let Item::Alias { at } = item { Some(at) } else { None });
        let message = "followed to their end, the aliases make this document too large".to_owned();
        Self::new("CD-YAML-ALIAS", at, message, "use `$ref` for what is shared")
    }
}

/// Every key that stands twice in one mapping.
pub(super) fn duplicate_keys(text: &str) -> Vec<Fault> {
    let softened = softened(text);
    let mut path = Path::default();
    let mut found = Vec::new();
    let mut seen: Vec<HashMap<String, Position>> = Vec::new();
    for item in Items::new(&softened) {
        path.follow(&item);
        match &item {
            Item::Open { .. } => seen.push(HashMap::new()),
            Item::Close => {
                seen.pop();
            }
            Item::Key { text, at } => {
                let first = seen.last_mut().and_then(|keys| match keys.get(text.as_ref()) {
                    Some(first) => Some(*first),
                    None => {
                        keys.insert(text.clone().into_owned(), *at);
                        None
                    }
                });
                if let Some(first) = first {
                    found.push(duplicate(text, first, *at, path.pointer()));
                }
            }
            _ => {}
        }
    }
    if found.is_empty() {
        // The two parsers disagree about this text: the fault is there all the same.
        let message = "a key stands twice in one mapping".to_owned();
        found.push(Fault::new("CD-KEY-DUPLICATE", None, message, "rename or remove one of the two"));
    }
    found
}

fn duplicate(key: &str, first: Position, at: Position, pointer: String) -> Fault {
    let (message, help) = if key == "<<" {
        let message = format!("`<<` already stands at line {}", first.line);
        (message, "one `<<` can merge several mappings: `<<: [*one, *two]`")
    } else {
        (format!("the key {key:?} already stands at line {}", first.line), "rename or remove one of the two")
    };
    Fault { pointer, ..Fault::new("CD-KEY-DUPLICATE", Some(at), message, help) }
}

/// YAML's own tags, which change nothing or only how a word is read.
const CORE: [&str; 13] = [
    "!!str",
    "!!int",
    "!!float",
    "!!bool",
    "!!null",
    "!!seq",
    "!!map",
    "!!binary",
    "!!timestamp",
    "!!set",
    "!!omap",
    "!!pairs",
    "!!merge",
];

/// Whether a tag may stand in the text: worth a closer look, as the library passes over some of them.
pub(super) fn may_have_tags(text: &str) -> bool {
    text.match_indices('!').any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + 1..).and_then(|after| after.chars().next());
        before.is_none_or(|before| before.is_whitespace() || "[{,".contains(before))
            && after.is_some_and(|after| after.is_alphanumeric() || "!<".contains(after))
    })
}

/// Every tag that is not YAML's own, and every number that JSON cannot hold.
pub(super) fn foreign_values(text: &str) -> Vec<Fault> {
    let mut path = Path::default();
    let mut found = Vec::new();
    for item in Items::new(text) {
        path.follow(&item);
        match &item {
            Item::Scalar { tag: Some(tag), at, .. } | Item::Open { tag: Some(tag), at, .. }
                if !CORE.contains(&tag.as_str()) =>
            {
                let message = format!("the tag `{tag}` has no meaning in an OpenAPI document");
                let help = "remove the tag, or put the text in quotes if it is meant to begin so";
                found.push(Fault { pointer: path.pointer(), ..Fault::new("CD-YAML-TAG", Some(*at), message, help) });
            }
            Item::Scalar { text, plain: true, at, .. } if is_no_json_number(text) => {
                let message = format!("`{text}` is a number that JSON cannot hold");
                let help = "put it in quotes if it is text";
                found.push(Fault { pointer: path.pointer(), ..Fault::new("CD-YAML-NUMBER", Some(*at), message, help) });
            }
            _ => {}
        }
    }
    found
}

/// The library met what the other parser does not see: the fault is there all the same.
pub(super) fn foreign_somewhere() -> Fault {
    let message = "a tag, or a number that JSON cannot hold".to_owned();
    Fault::new("CD-YAML-TAG", None, message, "remove tags such as `!name`, and `.inf` or `.nan`")
}

fn is_no_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN")
}

/// Where the second document of a stream begins.
pub(super) fn second_document(text: &str) -> Option<Position> {
    Items::new(text).filter_map(|item| if let Item::Document(at) = item { Some(at) } else { None }).nth(1)
}
