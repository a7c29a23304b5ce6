//! Patterns of paths: `/orders/*/items`, `/internal/**`.

/// A pattern of path templates. `*` stands for any text within a segment (a parameter such as `{id}` too), `**` as a
/// whole segment for any number of segments, none included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    raw: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    /// `**`
    Any,
    /// The pieces between the `*`s.
    Text(Vec<String>),
}

impl PathPattern {
    /// Reads a pattern; the error says what is wrong with it.
    pub(super) fn parse(raw: &str) -> Result<Self, &'static str> {
        let Some(rest) = raw.strip_prefix('/') else {
            return Err("a path pattern begins with `/`");
        };
        let segments = rest
            .split('/')
            .map(|segment| match segment {
                "**" => Ok(Segment::Any),
                _ if segment.contains("**") => Err("`**` stands alone between slashes"),
                _ => Ok(Segment::Text(segment.split('*').map(str::to_owned).collect())),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { raw: raw.to_owned(), segments })
    }

    /// The pattern as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.raw
    }

    /// Whether a path template matches as a whole.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let path: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
        // `reached[n]`: the first n segments of the path can be matched by the pattern so far.
        let mut reached = vec![false; path.len() + 1];
        reached[0] = true;
        for segment in &self.segments {
            let mut next = vec![false; path.len() + 1];
            for at in 0..=path.len() {
                next[at] = match segment {
                    Segment::Any => reached[at] || (at > 0 && next[at - 1]),
                    Segment::Text(pieces) => at > 0 && reached[at - 1] && text_matches(pieces, path[at - 1]),
                };
            }
            reached = next;
        }
        reached[path.len()]
    }
}

/// Whether a text is the pieces in order with anything between them.
fn text_matches(pieces: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = pieces else {
        return pieces.first().is_some_and(|only| only == text);
    };
    let Some(mut rest) = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
        return false;
    };
    for piece in middle {
        let Some(at) = rest.find(piece.as_str()) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::PathPattern;

    fn matches(pattern: &str, path: &str) -> bool {
        PathPattern::parse(pattern).unwrap().matches(path)
    }

    #[test]
    fn a_star_stays_within_its_segment() {
        assert!(matches("/orders/*", "/orders/{id}"));
        assert!(matches("/orders/*", "/orders/"));
        assert!(!matches("/orders/*", "/orders/{id}/items"));
        assert!(matches("/*.do", "/register.do"));
        assert!(!matches("/*.do", "/register.done"));
        assert!(matches("/a*b*c", "/aXbYbZc"));
        assert!(!matches("/ab*ba", "/aba"));
        assert!(matches("/plain", "/plain"));
        assert!(!matches("/plain", "/plain/"));
    }

    #[test]
    fn two_stars_stand_for_any_number_of_segments() {
        assert!(matches("/internal/**", "/internal/a/{b}"));
        assert!(matches("/internal/**", "/internal"));
        assert!(!matches("/internal/**", "/internals"));
        assert!(matches("/**/status", "/a/b/status"));
        assert!(matches("/**/status", "/status"));
        assert!(matches("/**", "/"));
        assert!(!matches("/**/a/**/b", "/b/a"));
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = "/**/a".repeat(50);
        assert!(!matches(&pattern, &"/a".repeat(49)));
        assert!(!matches(&format!("/{}b", "*a".repeat(60)), &format!("/{}", "a".repeat(2000))));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        assert!(PathPattern::parse("orders/*").is_err());
        assert!(PathPattern::parse("/a**/b").is_err());
    }
}
