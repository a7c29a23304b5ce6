use super::context::Lowering;
use crate::model::{Origin, PathSegment, PathTemplate};

impl<'a> Lowering<'a> {
    /// Cuts a path template at its parameters. What a URL cannot carry as it stands is escaped in the literals.
    pub(super) fn path_template(&mut self, raw: &str, at: &Origin) -> PathTemplate {
        let mut path = raw;
        if let Some((before, _)) = path.split_once('#') {
            let message = "the fragment of a path (`#…`) is never sent: it only tells operations apart";
            self.findings.count("CD-PATH-FRAGMENT", at, message, "");
            path = before;
        }
        let mut segments = Vec::new();
        if !path.starts_with('/') {
            self.findings.warning(
                "CD-PATH-SLASH",
                at,
                format!("the path `{raw}` does not begin with a slash: one is added"),
                "",
            );
            segments.push(PathSegment::Literal("/".to_owned()));
        }
        let mut rest = path;
        while let Some(open) = rest.find('{') {
            let (literal, after) = rest.split_at(open);
            push_literal(&mut segments, literal);
            let Some(close) = after.find('}') else {
                self.findings.error("CD-PATH", at, format!("the path `{raw}` has a brace that is never closed"), "");
                return PathTemplate { raw: raw.to_owned(), segments };
            };
            let name = after.get(1..close).unwrap_or_default();
            if name.is_empty() {
                self.findings.error("CD-PATH", at, format!("the path `{raw}` has a parameter without a name"), "");
            }
            segments.push(PathSegment::Parameter(name.to_owned()));
            rest = after.get(close + 1..).unwrap_or_default();
        }
        push_literal(&mut segments, rest);
        PathTemplate { raw: raw.to_owned(), segments }
    }
}

fn push_literal(segments: &mut Vec<PathSegment>, literal: &str) {
    if literal.is_empty() {
        return;
    }
    let literal = percent_encoding::utf8_percent_encode(literal, IN_PATHS).to_string();
    match segments.last_mut() {
        Some(PathSegment::Literal(before)) => before.push_str(&literal),
        _ => segments.push(PathSegment::Literal(literal)),
    }
}

/// What may not stand in a URL as it is. `%` may: the author has escaped already.
const IN_PATHS: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'|')
    .add(b'}');
