//! Text of a form.

use serde_json::Value;

use super::{Said, bounds, pattern};
use crate::model::TextFormat;

/// The longest text that is made to fill a `minLength`.
const LONGEST: usize = 10_000;

/// A text of a format that keeps to its bounds, as far as one is found.
pub(super) fn text(format: &TextFormat, said: &Said<'_>) -> Value {
    let mut found = candidates(format, said).into_iter().map(Value::from);
    let first = found.next();
    let fits = |text: &Value| bounds::breach(text, said, &[]).is_none();
    match first {
        Some(first) if fits(&first) => first,
        first => found.find(fits).or(first).unwrap_or_else(|| Value::from("text")),
    }
}

fn candidates(format: &TextFormat, said: &Said<'_>) -> Vec<String> {
    let formed = match format {
        TextFormat::DateTime => Some("2024-01-02T03:04:05Z"),
        TextFormat::Date => Some("2024-01-02"),
        TextFormat::Uuid => Some("3fa85f64-5717-4562-b3fc-2c963f66afa6"),
        TextFormat::Uri => Some("https://example.com/sample"),
        TextFormat::Base64 => Some("c2FtcGxl"),
        TextFormat::Plain => None,
    };
    if let Some(formed) = formed {
        return vec![formed.to_owned()];
    }
    let (least, most) = (bounds::least(said, "minLength"), bounds::most(said, "maxLength"));
    let formats = said.keyword("format").filter_map(Value::as_str).filter_map(by_name);
    let mut candidates: Vec<String> = formats.map(str::to_owned).collect();
    let patterns = said.keyword("pattern").filter_map(Value::as_str);
    candidates.extend(patterns.flat_map(|pattern| pattern::texts(pattern, least)));
    candidates.push(of_length("text", least, most));
    candidates
}

/// A text that is long enough, and not too long.
fn of_length(text: &str, least: usize, most: Option<usize>) -> String {
    let length = text.len().max(least.min(LONGEST)).min(most.unwrap_or(usize::MAX));
    text.chars().chain(std::iter::repeat('t')).take(length).collect()
}

/// A text of a format that has no type of its own.
fn by_name(format: &str) -> Option<&'static str> {
    Some(match format {
        "email" | "idn-email" => "someone@example.com",
        "hostname" | "idn-hostname" | "domain" | "fqdn" => "example.com",
        "ip" | "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "cidr" | "ipv4-cidr" => "192.0.2.0/24",
        "time" => "03:04:05Z",
        "duration" => "P1D",
        "uri-reference" | "iri-reference" => "/sample",
        "iri" => "https://example.com/sample",
        "uri-template" => "/samples/{sample}",
        "json-pointer" => "/sample",
        "relative-json-pointer" => "0",
        "regex" => "^sample$",
        "color" => "#a0b1c2",
        "phone" => "+12025550123",
        "partial-date" | "date-only" => "2024-01-02",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_fills_its_bounds() {
        assert_eq!(of_length("text", 0, None), "text");
        assert_eq!(of_length("text", 6, Some(8)), "texttt");
        assert_eq!(of_length("text", 0, Some(2)), "te");
        assert_eq!(of_length("text", 0, Some(0)), "");
    }
}
