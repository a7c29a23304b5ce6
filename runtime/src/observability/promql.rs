//! Pieces of PromQL and YAML around a system's name, which may hold anything.

/// A name within double quotes of PromQL. Nothing that YAML or JSON would trip over is left as it is.
pub(super) fn quoted(name: &str) -> String {
    let mut quoted = String::from('"');
    for character in name.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            _ if character.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// The selector of a system's series: `{name="sber"}`, with more matchers after it.
pub(super) fn of(system: &str, more: &str) -> String {
    let separator = if more.is_empty() { "" } else { "," };
    format!("{{name={}{separator}{more}}}", quoted(system))
}

/// Text within single quotes of YAML. It must be of one line.
pub(super) fn yaml(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_its_quotes() {
        assert_eq!(quoted("sber"), "\"sber\"");
        assert_eq!(quoted("a\"b\\c\nd\u{7}"), "\"a\\\"b\\\\c\\nd\\u0007\"");
        assert_eq!(of("f6", ""), "{name=\"f6\"}");
        assert_eq!(of("f6", "state=\"open\""), "{name=\"f6\",state=\"open\"}");
        assert_eq!(yaml("it's"), "'it''s'");
    }
}
