//! Patterns of text: whether one matches, and a text that it does match.
//!
//! Documents write them in ECMAScript's dialect. What both dialects have in common is nearly all that occurs; a pattern
//! that cannot be read as one of ours (look-ahead, back references) is not judged, and nothing is made from it.

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// How large a pattern may become; beyond it, it is not judged.
const LARGEST: usize = 1 << 20;
/// How long a made text may become.
const LONGEST: usize = 4096;

/// Whether a pattern matches somewhere in a text; `None` when it cannot be told.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    Some(compiled(pattern)?.is_match(text))
}

fn compiled(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).size_limit(LARGEST).build().ok()
}

/// Texts that a pattern matches, the shortest first. There is at most one for each count of repetitions.
pub(super) fn texts(pattern: &str, least: usize) -> Vec<String> {
    let Ok(parsed) = regex_syntax::parse(pattern) else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for repeated in 0..=u32::try_from(least.min(LONGEST)).unwrap_or(u32::MAX) {
        let mut text = String::new();
        if write(&parsed, repeated, &mut text).is_none() {
            break;
        }
        if texts.last() != Some(&text) {
            let done = text.chars().count() >= least;
            texts.push(text);
            if done {
                break;
            }
        }
    }
    texts
}

/// Appends a text that matches, with each repetition `more` times beyond its least. `None` when there is none.
fn write(hir: &Hir, more: u32, text: &mut String) -> Option<()> {
    if text.len() > LONGEST {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(()),
        HirKind::Literal(literal) => {
            text.push_str(std::str::from_utf8(&literal.0).ok()?);
            Some(())
        }
        HirKind::Class(class) => {
            text.push(character(class)?);
            Some(())
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            for _ in 0..repetition.min.saturating_add(more).min(most) {
                write(&repetition.sub, more, text)?;
            }
            Some(())
        }
        HirKind::Capture(capture) => write(&capture.sub, more, text),
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, more, text)),
        HirKind::Alternation(branches) => branches.iter().find_map(|branch| {
            let mut tried = text.clone();
            write(branch, more, &mut tried)?;
            *text = tried;
            Some(())
        }),
    }
}

/// A character of a class, one that is easy to read where there is one.
fn character(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    };
    let has = |wished: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&wished));
    let easy = ('a'..='z').chain('1'..='9').chain(['0']).chain('A'..='Z').chain(['-', '_', '.', ' ']);
    easy.into_iter().find(|wished| has(*wished)).or_else(|| {
        let printable = ranges.iter().find(|(_, end)| *end > ' ').map(|(start, _)| (*start).max('!'));
        printable.or_else(|| ranges.first().map(|(start, _)| *start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_matches_the_pattern_it_was_made_from() {
        for pattern in [
            "^[a-z]{3}$",
            r"^\d{4}-\d{2}$",
            "^(acct|cust)_[A-Za-z0-9]{8,}$",
            "^#[0-9A-F]{6}$",
            "^(a|b)?c+$",
            r"^\+?[1-9]\d{1,14}$",
            "^[^/]+$",
            r"^https?:\/\/",
        ] {
            let made = texts(pattern, 1);
            assert!(!made.is_empty(), "{pattern}");
            assert!(made.iter().all(|text| matches(pattern, text) == Some(true)), "{pattern}: {made:?}");
        }
    }

    #[test]
    fn repetitions_grow_until_the_text_is_long_enough() {
        assert_eq!(texts("^[a-z]*$", 4).last().map(String::as_str), Some("aaaa"));
        assert_eq!(texts("^[a-z]{2}$", 4), ["aa"]);
    }

    #[test]
    fn what_cannot_be_read_is_not_judged() {
        assert_eq!(matches("^(?!x)y", "y"), None);
        assert!(texts("^(?!x)y", 1).is_empty());
        assert!(texts("(((((a{1000}){1000}){1000}){1000}){1000})", 1).is_empty());
    }
}
