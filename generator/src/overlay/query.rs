//! JSONPath queries, as far as overlays use them: what they select, and why they select nothing.

use std::collections::HashSet;

use serde_json::Value;
use serde_json_path::JsonPath;

use crate::diagnose::nearest;
use crate::load::tokens;

/// A query that is sound by RFC 9535.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) text: String,
    path: JsonPath,
}

/// Why a text is no query.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) message: String,
    pub(super) help: String,
}

/// Longer ones are no longer written by hand; the parser's time grows faster than the length.
const MAX_LENGTH: usize = 4096;
/// The parser reads what is inside a bracket within a filter twice, and so twice more for each level.
const MAX_BRACKETS: usize = 8;
const MAX_PARENTHESES: usize = 32;
/// Each `..` multiplies what is looked at by the depth of the document, and each `..*` what is selected on the way.
const MAX_DESCENTS: usize = 3;
const MAX_DESCENTS_TO_ALL: usize = 1;

impl Query {
    pub(super) fn parse(text: &str) -> Result<Self, Refused> {
        if !text.starts_with('$') {
            let message = "a JSONPath begins with `$`, the root of the document".to_owned();
            let rest = text.trim_start_matches(['.', ' ']);
            let help =
                if rest.is_empty() { "write `$.paths`, say".to_owned() } else { format!("`$.{rest}` is meant?") };
            return Err(Refused { message, help });
        }
        within_limits(text)?;
        match JsonPath::parse(text) {
            Ok(path) => Ok(Self { text: text.to_owned(), path }),
            Err(error) => Err(refused(text, error.position(), error.message())),
        }
    }

    /// Every place it selects, each once, in the order of the document.
    pub(super) fn select(&self, document: &Value) -> Vec<Vec<String>> {
        let mut seen = HashSet::new();
        self.path
            .query_located(document)
            .locations()
            .map(|location| tokens(&location.to_json_pointer()))
            .filter(|path| seen.insert(path.clone()))
            .collect()
    }

    /// How far it leads, when it selects nothing, and what may be meant.
    pub(super) fn dead_end(&self, document: &Value) -> Option<String> {
        let starts = segment_starts(&self.text);
        for (number, start) in starts.iter().enumerate().rev() {
            let there = self.text.get(..*start)?;
            let Ok(path) = JsonPath::parse(there) else { continue };
            let found = path.query(document);
            if found.is_empty() {
                continue;
            }
            let end = starts.get(number + 1).copied().unwrap_or(self.text.len());
            let missing = self.text.get(*start..end)?;
            let keys: HashSet<&str> = found
                .iter()
                .take(100)
                .filter_map(|node| node.as_object())
                .flat_map(|o| o.keys())
                .map(String::as_str)
                .collect();
            let mut keys: Vec<&str> = keys.into_iter().collect();
            keys.sort_unstable();
            let meant = name_of(missing).and_then(|name| nearest(name, keys));
            let meant = meant.map(|key| format!(": `{key}` is meant?")).unwrap_or_default();
            return Some(format!("`{there}` is there, `{missing}` of it is not{meant}"));
        }
        None
    }
}

/// The characters of a query that are no part of a text in quotes.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    let mut escaped = false;
    text.char_indices().filter(move |(_, character)| {
        let Some(open) = quote else {
            if matches!(character, '\'' | '"') {
                quote = Some(*character);
                return false;
            }
            return true;
        };
        match *character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            character if character == open => quote = None,
            _ => {}
        }
        false
    })
}

fn within_limits(text: &str) -> Result<(), Refused> {
    let refuse = |message: String| {
        let help = "several simpler actions do the same".to_owned();
        Err(Refused { message, help })
    };
    if text.len() > MAX_LENGTH {
        return refuse(format!("a JSONPath of more than {MAX_LENGTH} bytes is refused"));
    }
    let (mut brackets, mut parentheses, mut descents, mut to_all) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut before = ' ';
    for (at, character) in outside_quotes(text) {
        match character {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            '(' => parentheses += 1,
            ')' => parentheses = parentheses.saturating_sub(1),
            '.' if before == '.' => {
                descents += 1;
                let next = text.get(at + 1..).unwrap_or_default();
                to_all += usize::from(next.trim_start_matches(['[', ' ']).starts_with('*'));
            }
            _ => {}
        }
        before = character;
        if brackets > MAX_BRACKETS || parentheses > MAX_PARENTHESES {
            return refuse("a JSONPath nested so deep is refused".to_owned());
        }
        if descents > MAX_DESCENTS {
            return refuse(format!("a JSONPath with more than {MAX_DESCENTS} times `..` is refused"));
        }
        if to_all > MAX_DESCENTS_TO_ALL {
            return refuse("a JSONPath with more than one `..*` is refused".to_owned());
        }
    }
    Ok(())
}

/// Says where and why a query is none. The position counts bytes from 0.
fn refused(text: &str, position: usize, why: &str) -> Refused {
    let before = text.get(..position.min(text.len())).unwrap_or_default().chars().count();
    // `in dot member name, …`: the rule of the grammar that was tried.
    let why = why.strip_prefix("in ").and_then(|why| why.split_once(", ")).map_or(why, |(_, why)| why);
    let why = match why {
        "parser error" => String::new(),
        why if why.starts_with("must start with") => ": no name can begin so".to_owned(),
        why => format!(": {why}"),
    };
    let message = format!("this is no JSONPath (RFC 9535) from character {} on{why}", before + 1);
    let shown = text.chars().count() <= 100 && !text.chars().any(char::is_control);
    let mut help: Vec<String> = Vec::new();
    if shown {
        help.push(format!("{text}\n{}^", " ".repeat(before)));
    }
    if text.get(position..).is_some_and(|rest| rest.starts_with(['/', '-', '{'])) {
        help.push(
            "a name that is more than a word stands in brackets and quotes: `['/pets']`, `['x-flag']`".to_owned(),
        );
    }
    Refused { message, help: help.join("\n") }
}

/// Where the segments of a query begin.
fn segment_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, character) in outside_quotes(text) {
        if depth == 0 && matches!(character, '.' | '[') && before != '.' {
            starts.push(at);
        }
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = character;
    }
    starts
}

/// The name that a segment selects, if it selects by one name only.
fn name_of(segment: &str) -> Option<&str> {
    let quoted = |quote: char| {
        let name = segment.strip_prefix('[')?.strip_suffix(']')?.trim();
        name.strip_prefix(quote)?.strip_suffix(quote).filter(|name| !name.contains(['\\', quote]))
    };
    let dotted = || segment.trim_start_matches('.').split('[').next().filter(|name| !name.is_empty() && *name != "*");
    quoted('\'').or_else(|| quoted('"')).or_else(|| if segment.starts_with('.') { dotted() } else { None })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Query, segment_starts};

    fn refused(text: &str) -> String {
        Query::parse(text).err().map(|refused| format!("{}\n{}", refused.message, refused.help)).unwrap_or_default()
    }

    #[test]
    fn each_place_is_selected_once() {
        let document = json!({"a/b": [{"c~d": 1}, 2], "e": 3});
        let places = Query::parse("$['a/b', 'a/b', 'e']").unwrap().select(&document);
        assert_eq!(places, [vec!["a/b".to_owned()], vec!["e".to_owned()]]);
        let places = Query::parse("$..['c~d']").unwrap().select(&document);
        assert_eq!(places, [vec!["a/b".to_owned(), "0".into(), "c~d".into()]]);
    }

    #[test]
    fn what_is_no_query_is_pointed_at() {
        assert_eq!(
            refused("$.paths./pets"),
            "this is no JSONPath (RFC 9535) from character 9 on: no name can begin so\n\
             $.paths./pets\n        ^\n\
             a name that is more than a word stands in brackets and quotes: `['/pets']`, `['x-flag']`"
        );
        assert!(
            refused("$['é'][").starts_with("this is no JSONPath (RFC 9535) from character 7 on"),
            "{}",
            refused("$['é'][")
        );
        assert!(refused("$.info.x-flag").contains("`['x-flag']`"), "{}", refused("$.info.x-flag"));
        assert!(refused("paths.*").contains("`$.paths.*` is meant?"));
        assert!(refused("$[?nothing(@.a)]").contains("function name 'nothing' is not defined"));
    }

    #[test]
    fn queries_that_would_take_for_ever_are_refused() {
        for text in [
            format!("${}@.a{}", "[?@.a".repeat(20), "]".repeat(20)),
            format!("$[?{}@.a{}]", "(".repeat(5000), ")".repeat(5000)),
            format!("$[?{}@.a{}]", "(".repeat(500), ")".repeat(500)),
            "$..a..b..c..d".to_owned(),
            "$..*..a..[ *]".to_owned(),
        ] {
            assert!(refused(&text).contains("is refused"), "{text}");
        }
        // What only looks so, being text.
        assert_eq!(refused("$['[[[[[[[[[((((((((((((((((((((((((((((((((((........']"), "");
        assert_eq!(refused("$[?@.a[?@.b[?@.c]]]"), "");
    }

    #[test]
    fn a_dead_end_is_shown() {
        let document = json!({"paths": {"/pets": {"get": {"operationId": "a"}}}});
        let dead_end = |text: &str| Query::parse(text).unwrap().dead_end(&document).unwrap();
        assert_eq!(dead_end("$.paths['/pet'].get"), "`$.paths` is there, `['/pet']` of it is not: `/pets` is meant?");
        assert_eq!(dead_end("$.paths.*.gett"), "`$.paths.*` is there, `.gett` of it is not: `get` is meant?");
        assert_eq!(dead_end("$.paths.*[?@.x == 1]"), "`$.paths.*` is there, `[?@.x == 1]` of it is not");
        assert_eq!(dead_end("$..put"), "`$` is there, `..put` of it is not");
        assert_eq!(dead_end("$.components"), "`$` is there, `.components` of it is not");
    }

    #[test]
    fn segments_begin_where_the_grammar_says() {
        assert_eq!(segment_starts("$.a..[?@.x['y.z']].b['.[']"), [1, 3, 18, 20]);
    }
}
