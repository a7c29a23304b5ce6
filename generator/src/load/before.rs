//! Faults that must be found before the YAML library reads a text, because it would take minutes for one of them and
//! misread the other.

use std::collections::HashMap;

use super::faults::Fault;
use crate::diagnose::{Item, Items, Position};

/// The first of these faults.
pub(super) fn fault(text: &str) -> Option<Fault> {
    deep_flow(text).or_else(|| redefined_anchor(text))
}

/// How deep braces and brackets may be nested, and how many there may be, before the text gets a closer look.
const SUSPICIOUS_DEPTH: usize = 200;
const SUSPICIOUS_COUNT: usize = 10_000;

/// The library's time grows with the square of the depth of braces, so it must not see many thousands of them. A cheap
/// count decides whether the text is suspicious (quoted braces may deceive the depth, not the count); only then is it
/// parsed.
fn deep_flow(text: &str) -> Option<Fault> {
    let (mut depth, mut count) = (0_usize, 0_usize);
    let suspicious = text.bytes().any(|byte| {
        match byte {
            b'{' | b'[' => (depth, count) = (depth + 1, count + 1),
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > SUSPICIOUS_DEPTH || count > SUSPICIOUS_COUNT
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
    // Another complaint of this parser is no verdict: the library is more lenient, and it has seen less than 200 levels.
    let (at, info) = items.error()?;
    info.contains("recursion limit").then(|| Fault::nesting(Some(*at)))
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
    let lines = Lines::new(text);
    let mut first: HashMap<&str, usize> = HashMap::new();
    for item in Items::new(text) {
        let (Item::Scalar { anchor, at, .. } | Item::Open { anchor, at, .. }) = item else { continue };
        if anchor == 0 {
            continue;
        }
        let Some(name) = anchor_of(&lines, at) else { continue };
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
fn anchor_of<'t>(lines: &Lines<'t>, node: Position) -> Option<&'t str> {
    let at = lines.offset(node)?;
    if lines.text.get(at..)?.starts_with('&') {
        return anchor_name(lines.text, at);
    }
    lines.text.get(..at)?.rmatch_indices('&').find_map(|(at, _)| anchor_name(lines.text, at))
}

/// The character at a place.
pub(super) fn character(text: &str, at: Position) -> Option<char> {
    text.get(Lines::new(text).offset(at)?..)?.chars().next()
}

/// A text with the beginnings of its lines.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    fn offset(&self, at: Position) -> Option<usize> {
        let start = *self.starts.get(at.line.checked_sub(1)?)?;
        let line = self.text.get(start..)?;
        let within = line.char_indices().nth(at.col.saturating_sub(1)).map_or(line.len(), |(offset, _)| offset);
        Some(start + within)
    }
}
