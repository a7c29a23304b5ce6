//! The inside of a line: code spans, web links and emphasis stay; brackets and angles that rustdoc would take for links
//! to items or for HTML are escaped.

/// Escapes one line of Markdown.
pub(crate) fn escape(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '\\' => backslash(rest, &mut out),
            '`' => backticks(rest, &mut out),
            '<' => angle(rest, &mut out),
            '[' => bracket(rest, &mut out),
            'h' => bare_url(rest, &mut out),
            _ => None,
        };
        rest = match taken {
            Some(length) => &rest[length..],
            None => {
                if matches!(c, '[' | ']' | '<' | '>' | '`') || rest.starts_with("![") {
                    out.push('\\');
                }
                out.push(c);
                &rest[c.len_utf8()..]
            }
        };
    }
    out
}

/// A code span around a text, whatever backticks it holds.
pub(crate) fn code_span(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let touches = text.starts_with('`') || text.ends_with('`');
    // Spaces alone would not be code.
    if text.trim().is_empty() {
        return "(blank)".to_owned();
    }
    if touches { format!("{fence} {text} {fence}") } else { format!("{fence}{text}{fence}") }
}

/// The longest run of backticks.
pub(crate) fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// The author's own escape stays one.
fn backslash(rest: &str, out: &mut String) -> Option<usize> {
    let escaped = rest[1..].chars().next().filter(char::is_ascii_punctuation)?;
    out.push('\\');
    out.push(escaped);
    Some(2)
}

/// A code span that ends on this line is copied as it is; other backticks are only characters.
fn backticks(rest: &str, out: &mut String) -> Option<usize> {
    let length = rest.chars().take_while(|c| *c == '`').count();
    let mut search = length;
    while let Some(found) = rest[search..].find('`') {
        let start = search + found;
        let run = rest[start..].chars().take_while(|c| *c == '`').count();
        if run == length {
            out.push_str(&rest[..start + run]);
            return Some(start + run);
        }
        search = start + run;
    }
    out.extend(std::iter::repeat_n("\\`", length));
    Some(length)
}

/// `<https://…>` is copied.
fn angle(rest: &str, out: &mut String) -> Option<usize> {
    let inner = &rest[1..];
    let url = &inner[..inner.find('>')?];
    if !is_url(url) || url.contains(['<', ' ']) {
        return None;
    }
    out.push_str(&rest[..url.len() + 2]);
    Some(url.len() + 2)
}

/// `[text](https://…)` stays a link; any other bracket is only a character.
fn bracket(rest: &str, out: &mut String) -> Option<usize> {
    let close = rest.find("](")?;
    let text = &rest[1..close];
    let target = &rest[close + 2..];
    let url = &target[..target.find(')')?];
    if !is_url(url) || text.contains(['[', ']', '`', '<', '\\', '!']) || url.contains([' ', '(', '<', '>', '\\', '"']) {
        return None;
    }
    out.push_str(&format!("[{text}]({url})"));
    Some(close + 2 + url.len() + 1)
}

/// A URL in running text becomes a link, as rustdoc asks.
fn bare_url(rest: &str, out: &mut String) -> Option<usize> {
    if !is_url(rest) {
        return None;
    }
    let end =
        rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`' | '[' | ']' | '|' | '\\'));
    let url = &rest[..end.unwrap_or(rest.len())];
    let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '_', '}']);
    let scheme = if url.starts_with("https") { 8 } else { 7 };
    if url.len() <= scheme {
        return None;
    }
    out.push('<');
    out.push_str(url);
    out.push('>');
    Some(url.len())
}

fn is_url(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_angles_are_only_characters_outside_code() {
        assert_eq!(
            escape("Use `x[0]<T>` | [link](y) <b>html</b> [brackets] #[derive(Boom)] {braces}"),
            "Use `x[0]<T>` | \\[link\\](y) \\<b\\>html\\</b\\> \\[brackets\\] #\\[derive(Boom)\\] {braces}"
        );
    }

    #[test]
    fn an_escape_of_the_author_is_not_undone() {
        assert_eq!(escape(r"\[a\] \\<b> \n \"), r"\[a\] \\\<b\> \n \");
        assert_eq!(escape(r"\`a`"), r"\`a\`");
    }

    #[test]
    fn web_links_stay_links_and_bare_urls_become_some() {
        assert_eq!(
            escape("[docs](https://a.test/x) ![i](https://a.test)"),
            "[docs](https://a.test/x) \\![i](https://a.test)"
        );
        assert_eq!(
            escape("see http://a.test/x_y?q=1, or xhttps://b.test."),
            "see <http://a.test/x_y?q=1>, or x<https://b.test>."
        );
        assert_eq!(escape("<https://a.test> [x][y]"), "<https://a.test> \\[x\\]\\[y\\]");
        assert_eq!(escape("[a](javascript:x)"), "\\[a\\](javascript:x)");
    }

    #[test]
    fn code_spans_hold_any_text() {
        assert_eq!(code_span("a`b"), "``a`b``");
        assert_eq!(code_span("`"), "`` ` ``");
        assert_eq!(escape("``a`b`` `open"), "``a`b`` \\`open");
    }
}
