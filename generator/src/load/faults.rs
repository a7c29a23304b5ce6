//! The second look at a document: places of what the first reading only noticed.

use std::collections::HashMap;

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

/// Every tag that is not YAML's own, and every number that JSON cannot hold.
pub(super) fn foreign_values(text: &str) -> Vec<Fault> {
    let mut path = Path::default();
    let mut found = Vec::new();
    for item in Items::new(text) {
        path.follow(&item);
        match &item {
            Item::Scalar { tag: Some(tag), at, .. } | Item::Open { tag: Some(tag), at, .. } if tag.starts_with('!') => {
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
    if found.is_empty() {
        let message = "a tag, or a number that JSON cannot hold".to_owned();
        found.push(Fault::new("CD-YAML-TAG", None, message, "remove tags such as `!name`, and `.inf` or `.nan`"));
    }
    found
}

fn is_no_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN")
}

/// Where the second document of a stream begins.
pub(super) fn second_document(text: &str) -> Option<Position> {
    Items::new(text).filter_map(|item| if let Item::Document(at) = item { Some(at) } else { None }).nth(1)
}

/// Faults that must be found before the YAML library reads the text, because it would take minutes for one and misread
/// the other.
pub(super) fn before_yaml(text: &str) -> Option<Fault> {
    deep_flow(text).or_else(|| redefined_anchor(text))
}

/// How deep braces and brackets may be nested before the text gets a closer look.
const SUSPICIOUS_DEPTH: usize = 200;

/// The library's time grows with the square of the depth of braces, so it must not see thousands of them. A cheap count
/// decides whether the text is suspicious; only then is it parsed.
fn deep_flow(text: &str) -> Option<Fault> {
    let mut depth = 0_usize;
    let suspicious = text.bytes().any(|byte| {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > SUSPICIOUS_DEPTH
    });
    if !suspicious {
        return None;
    }
    let mut items = Items::new(text);
    let mut open = 0_usize;
    for item in items.by_ref() {
        match item {
            Item::Open { at, .. } => {
                open += 1;
                if open > 127 {
                    return Some(Fault::nesting(Some(at)));
                }
            }
            Item::Close => open = open.saturating_sub(1),
            _ => {}
        }
    }
    let (at, info) = items.error()?;
    if info.contains("recursion limit") {
        return Some(Fault::nesting(Some(*at)));
    }
    Some(Fault::new("CD-PARSE", Some(*at), format!("this is not YAML: {info}"), ""))
}

/// The library gives the second `&name` of a document the number of another anchor, so that aliases of that other one
/// point to the wrong place. A cheap scan decides whether a name may stand twice; only then is the text parsed.
fn redefined_anchor(text: &str) -> Option<Fault> {
    let mut names = HashMap::new();
    let twice = text.match_indices('&').filter_map(|(at, _)| anchor_name(text, at)).any(|name| {
        let count = names.entry(name).or_insert(0_u32);
        *count += 1;
        *count > 1
    });
    if !twice {
        return None;
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    for item in Items::new(text) {
        let (Item::Scalar { anchor, at, .. } | Item::Open { anchor, at, .. }) = item else { continue };
        if anchor == 0 {
            continue;
        }
        let Some(name) = anchor_of(text, at) else { continue };
        if let Some(line) = first.insert(name, at.line) {
            let message = format!("the anchor `&{name}` already stands at line {line}");
            return Some(Fault::new("CD-YAML-ALIAS", Some(at), message, "give every anchor a name of its own"));
        }
    }
    None
}

/// The name of an anchor that begins at `at`, if one can begin there.
fn anchor_name(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?.chars().next_back();
    if !before.is_none_or(|before| before.is_whitespace() || "[{,".contains(before)) {
        return None;
    }
    let name = text.get(at + 1..)?.split(|c: char| c.is_whitespace() || ",[]{}".contains(c)).next()?;
    (!name.is_empty()).then_some(name)
}

/// The anchor of a node that has one: at its place, or the last one written before it.
fn anchor_of(text: &str, node: Position) -> Option<&str> {
    let at = offset_of(text, node)?;
    if text.get(at..)?.starts_with('&') {
        return anchor_name(text, at);
    }
    text.get(..at)?.rmatch_indices('&').find_map(|(at, _)| anchor_name(text, at))
}

/// The character at a place.
pub(super) fn character(text: &str, at: Position) -> Option<char> {
    text.get(offset_of(text, at)?..)?.chars().next()
}

fn offset_of(text: &str, at: Position) -> Option<usize> {
    let mut start = 0;
    for _ in 1..at.line {
        start += text.get(start..)?.find('\n')? + 1;
    }
    let line = text.get(start..)?;
    let within = line.char_indices().nth(at.col.saturating_sub(1)).map_or(line.len(), |(offset, _)| offset);
    Some(start + within)
}

/// The JSON pointer of where a reading stands.
#[derive(Default)]
struct Path {
    open: Vec<Level>,
    last: Option<String>,
}

/// An open collection: the token that led into it, and the index of its next element.
struct Level {
    token: Option<String>,
    next: Option<usize>,
    key: Option<String>,
}

impl Path {
    /// Moves on: the pointer is then that of the key or value just met.
    fn follow(&mut self, item: &Item<'_>) {
        match item {
            Item::Key { text, .. } => {
                self.last = Some(text.clone().into_owned());
                if let Some(level) = self.open.last_mut() {
                    level.key.clone_from(&self.last);
                }
            }
            Item::Scalar { .. } | Item::Alias { .. } => self.last = self.token(),
            Item::Open { mapping, .. } => {
                let token = self.token();
                self.last = None;
                self.open.push(Level { token, next: (!mapping).then_some(0), key: None });
            }
            Item::Close => {
                self.last = None;
                self.open.pop();
            }
            Item::Document(_) => {}
        }
    }

    fn token(&mut self) -> Option<String> {
        let level = self.open.last_mut()?;
        match &mut level.next {
            Some(next) => {
                *next += 1;
                Some((*next - 1).to_string())
            }
            None => level.key.take(),
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for token in self.open.iter().filter_map(|level| level.token.as_ref()).chain(&self.last) {
            pointer.push('/');
            pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
        }
        pointer
    }
}
