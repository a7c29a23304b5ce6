//! The header `Link` (RFC 8288): `<https://…>; rel="next", <…>; rel="prev"`.

use http::HeaderMap;
use http::header::LINK;

/// The target of the first link whose relation is `next`.
pub(super) fn next_link(headers: &HeaderMap) -> Option<String> {
    headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).find_map(next_in)
}

fn next_in(line: &str) -> Option<String> {
    let mut rest = line;
    while let Some(begin) = rest.find('<') {
        let (target, after) = rest.get(begin + 1..)?.split_once('>')?;
        let (is_next, tail) = parameters(after);
        if is_next {
            return Some(target.trim().to_owned());
        }
        rest = tail;
    }
    None
}

/// Reads the parameters of one link, up to the comma before the next: whether its relation is `next`, and what follows.
fn parameters(text: &str) -> (bool, &str) {
    let (mut is_next, mut has_relation) = (false, false);
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix(';') {
            Some(after) => rest = after.trim_start(),
            None => return (is_next, rest),
        }
        let end = rest.find(['=', ';', ',']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            Some(after) => value(after.trim_start()),
            None => (String::new(), after),
        };
        rest = after;
        // Of several relations parameters only the first counts (RFC 8288, 3.3).
        if name.trim().eq_ignore_ascii_case("rel") && !has_relation {
            has_relation = true;
            is_next = value.split_ascii_whitespace().any(|relation| relation.eq_ignore_ascii_case("next"));
        }
    }
}

/// A value, quoted or not, and what follows it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = text.split_at(text.find([';', ',']).unwrap_or(text.len()));
        return (value.trim().to_owned(), rest);
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_next_link_is_found_among_others() {
        for (line, next) in [
            ("<https://a.example/?page=2>; rel=\"next\"", Some("https://a.example/?page=2")),
            ("<a>; rel=prev, <b>;rel=next, <c>; rel=last", Some("b")),
            ("<a,b;c>; title=\"x, <y>; rel=next\"; rel=\"first NEXT\"", Some("a,b;c")),
            ("<a>; title=\"a \\\"quoted\\\" , <b>; rel=next\"; rel=prev", None),
            ("<a>; rel=prev; rel=next", None),
            ("<a> ; REL = next", Some("a")),
            ("<a>; rel=nextish, <b>; anchor=next", None),
            ("<a>; rel", None),
            ("<a>", None),
            ("<a; rel=next", None),
            ("", None),
        ] {
            assert_eq!(next_in(line).as_deref(), next, "{line}");
        }
    }

    #[test]
    fn it_may_stand_in_any_line() {
        let mut headers = HeaderMap::new();
        headers.append(LINK, HeaderValue::from_static("<a>; rel=prev"));
        headers.append(LINK, HeaderValue::from_static("<b>; rel=next"));
        assert_eq!(next_link(&headers).as_deref(), Some("b"));
    }

    proptest! {
        #[test]
        fn no_line_is_too_odd(line in "[<>;,= \"\\\\a-eé]{0,40}|.*|(<[a-c]*>;? ?(rel)?=?\"?(next)?\"?,?){0,4}") {
            next_in(&line);
        }
    }
}
