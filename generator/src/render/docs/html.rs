//! The few HTML tags that descriptions are full of, as Markdown. Every other tag stays text.

/// The text with simple tags turned into Markdown, outside code.
pub(crate) fn simple_tags(text: &str) -> String {
    // In a fence of tildes everything is code.
    if text.contains("~~~") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut links: Vec<Option<String>> = Vec::new();
    let mut rest = text;
    while let Some(found) = rest.find(['<', '`']) {
        out.push_str(&rest[..found]);
        rest = &rest[found..];
        let taken = if rest.starts_with('`') { code(rest, &mut out) } else { tag(rest, &mut out, &mut links) };
        match taken {
            Some(length) => rest = &rest[length..],
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Copies what stands in backticks, spans and fences alike.
fn code(rest: &str, out: &mut String) -> Option<usize> {
    let length = rest.len() - rest.trim_start_matches('`').len();
    let fence = &rest[..length];
    let end = rest[length..].find(fence).map_or(length, |found| found + 2 * length);
    out.push_str(&rest[..end]);
    Some(end)
}

fn tag(rest: &str, out: &mut String, links: &mut Vec<Option<String>>) -> Option<usize> {
    let inner = &rest[1..rest.find('>')?];
    let closes = inner.starts_with('/');
    let words = inner.trim_matches('/');
    let name = words.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let markdown = match (name.as_str(), closes) {
        ("p" | "div", _) => "\n\n".to_owned(),
        ("br", _) => "\n".to_owned(),
        ("ul" | "ol", _) => "\n".to_owned(),
        ("li", false) => "\n- ".to_owned(),
        ("li", true) => String::new(),
        ("b" | "strong", _) => "**".to_owned(),
        ("i" | "em", _) => "*".to_owned(),
        ("code", _) => "`".to_owned(),
        ("a", false) => {
            let url = href(words);
            let open = if url.is_some() { "[" } else { "" };
            links.push(url);
            open.to_owned()
        }
        ("a", true) => links.pop().flatten().map(|url| format!("]({url})")).unwrap_or_default(),
        _ => return None,
    };
    out.push_str(&markdown);
    Some(inner.len() + 2)
}

/// The web address a link leads to.
fn href(words: &str) -> Option<String> {
    let value = words.split_once("href=")?.1;
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let url = value[1..].split(quote).next()?;
    url.starts_with("http").then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_tags_become_markdown_and_the_rest_stays() {
        assert_eq!(
            simple_tags(
                "<p>Use <code>x</code>, <b>see</b> <a href=\"https://a.test\">here</a> or <a href='#x'>there</a>.</p>"
            ),
            "\n\nUse `x`, **see** [here](https://a.test) or there.\n\n"
        );
        assert_eq!(simple_tags("a <T> `<b>` <td>x</td> < b"), "a <T> `<b>` <td>x</td> < b");
        assert_eq!(simple_tags("<ul><li>one</li><li>two</li></ul>"), "\n\n- one\n- two\n");
    }
}
