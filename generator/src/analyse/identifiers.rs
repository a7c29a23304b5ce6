//! From any text to a legal identifier: casing first, words for signs where casing leaves nothing, then legality.

use heck::ToSnakeCase;

use super::{keywords, unicode};

/// The two casings of Rust names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// `order_line`: fields, methods, modules.
    Snake,
    /// `OrderLine`: types and variants.
    Camel,
}

/// What casing alone makes of a text; empty when it has no letter or digit, and not always legal.
pub(crate) fn cased(text: &str, case: Case) -> String {
    let snake = if is_snake(text) { text.to_owned() } else { text.to_snake_case() };
    match case {
        Case::Snake => snake,
        Case::Camel => join_camel(snake.split('_')),
    }
}

/// Whether casing leaves a text as it is; most names of documents are written so.
fn is_snake(text: &str) -> bool {
    let legal = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    legal && text.split('_').all(|word| !word.is_empty())
}

/// A legal identifier for a text, as close to plain casing as can be.
pub(crate) fn identifier(text: &str, case: Case) -> String {
    let plain = if begins_with_sign(text) { spelled_text(text, case) } else { cased(text, case) };
    let mut name = continuing(&plain, case);
    if name.is_empty() {
        name = continuing(&spelled_text(text, case), case);
    }
    legal(name)
}

/// A legal identifier that has words for the signs in a text: `order.line` is `OrderDotLine`.
pub(crate) fn spelled(text: &str, case: Case) -> String {
    legal(continuing(&spelled_text(text, case), case))
}

/// The text itself, where it is a legal variant name that rustc's lints accept: `ASC`, `_1M`.
pub(crate) fn verbatim_variant(text: &str) -> Option<String> {
    let alphanumeric = text.chars().all(|c| c.is_ascii_alphanumeric());
    let first = text.chars().next()?;
    (alphanumeric && !first.is_ascii_lowercase()).then(|| legal(text.to_owned()))
}

/// The identifier without its raw mark: what has to be unique.
pub(crate) fn bare(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn join_camel<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut name = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        // `1.0` and `10` stay apart.
        if name.ends_with(|c: char| c.is_numeric()) && word.starts_with(|c: char| c.is_numeric()) {
            name.push('_');
        }
        let mut letters = word.chars();
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(letters.as_str());
    }
    name
}

/// Drops what no identifier may hold.
fn continuing(name: &str, case: Case) -> String {
    let mut name = unicode::unsuspicious(name.chars().filter(|c| unicode_ident::is_xid_continue(*c)).collect());
    if let (Case::Camel, Some(first)) = (case, name.get_mut(..1)) {
        first.make_ascii_uppercase();
    }
    name
}

fn legal(name: String) -> String {
    let starts_well = name.chars().next().is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first));
    keywords::legal(if starts_well { name } else { format!("_{name}") })
}

/// `+1` and `-1` are not the same, and neither is `1`.
fn begins_with_sign(text: &str) -> bool {
    let mut letters = text.chars();
    matches!(letters.next(), Some('+' | '-')) && letters.next().is_some_and(|second| second.is_ascii_digit())
}

fn spelled_text(text: &str, case: Case) -> String {
    if text.is_empty() {
        return cased("empty", case);
    }
    let mut words = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        if let Some((pair, word)) = PAIRS.iter().find(|(pair, _)| rest.starts_with(pair)) {
            push_word(&mut words, word);
            rest = &rest[pair.len()..];
            continue;
        }
        rest = &rest[sign.len_utf8()..];
        let between = !words.is_empty() && !rest.is_empty();
        match word_of(sign, between) {
            Some(word) => push_word(&mut words, word),
            None if sign.is_alphanumeric() && unicode_ident::is_xid_continue(sign) => words.push(sign),
            None => push_word(&mut words, &format!("u{:04x}", u32::from(sign))),
        }
    }
    cased(&words, case)
}

fn push_word(words: &mut String, word: &str) {
    words.push(' ');
    words.push_str(word);
    words.push(' ');
}

const PAIRS: &[(&str, &str)] = &[
    (">=", "greater equal"),
    ("<=", "less equal"),
    ("!=", "not equal"),
    ("<>", "not equal"),
    ("==", "equal"),
    ("=~", "match"),
    ("!~", "not match"),
    ("&&", "and"),
    ("||", "or"),
];

fn word_of(sign: char, between: bool) -> Option<&'static str> {
    Some(match sign {
        ' ' => "space",
        '!' => "not",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "ampersand",
        '\'' => "apostrophe",
        '(' | ')' => "parenthesis",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' if between => "dash",
        '-' => "minus",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' | ']' => "bracket",
        '\\' => "backslash",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' | '}' => "brace",
        '|' => "pipe",
        '~' => "tilde",
        '\n' | '\r' => "newline",
        '\t' => "tab",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casing_is_kept_where_it_is_legal() {
        assert_eq!(identifier("orderLine", Case::Camel), "OrderLine");
        assert_eq!(identifier("HTTPServer-id", Case::Snake), "http_server_id");
        assert_eq!(identifier("v1.0", Case::Camel), "V1_0");
        assert_eq!(identifier("é", Case::Camel), "É");
    }

    #[test]
    fn keywords_are_raw_or_get_an_underscore() {
        for (text, name) in [("type", "r#type"), ("self", "self_"), ("Self", "self_"), ("crate", "crate_")] {
            assert_eq!(identifier(text, Case::Snake), name);
        }
        assert_eq!(identifier("self", Case::Camel), "Self_");
        assert_eq!(identifier("_", Case::Snake), "underscore");
    }

    #[test]
    fn signs_become_words_where_nothing_else_is_there() {
        let texts = ["", " ", "+", "-", ">=", "!=", "%", "+1", "-1", "1m", "1.0", "→"];
        let names = texts.map(|text| identifier(text, Case::Camel));
        let expected = [
            "Empty",
            "Space",
            "Plus",
            "Minus",
            "GreaterEqual",
            "NotEqual",
            "Percent",
            "Plus1",
            "Minus1",
            "_1m",
            "_1_0",
            "U2192",
        ];
        assert_eq!(names, expected);
        assert_eq!(spelled("order.line", Case::Camel), "OrderDotLine");
        assert_eq!(spelled("order-line", Case::Snake), "order_dash_line");
    }

    #[test]
    fn any_text_gives_an_identifier_syn_accepts() {
        let odd = [
            "\u{202e}",
            "\0",
            "½",
            "²",
            "a\u{301}",
            "\u{301}",
            "__",
            "1",
            "🦀",
            "日本",
            "ǆ",
            "r#type",
            "'",
            "\u{200d}x",
        ];
        for text in odd {
            for case in [Case::Snake, Case::Camel] {
                for name in [identifier(text, case), spelled(text, case)] {
                    let parsed = syn::parse_str::<syn::Ident>(&name);
                    assert!(parsed.is_ok(), "{text:?} gave {name:?}");
                    assert!(case == Case::Snake || !name.starts_with(char::is_lowercase), "{text:?} gave {name:?}");
                }
            }
        }
    }
}
