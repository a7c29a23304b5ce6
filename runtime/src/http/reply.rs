use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::media_type;
use crate::wire::{DecodeError, Wire, json, text};

/// A reply as it came. Reading it never consumes it, so that whoever cannot read it still has every byte.
#[derive(Clone)]
pub struct RawReply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    media_type: String,
}

impl RawReply {
    /// A reply out of its pieces.
    #[must_use]
    pub fn new(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        let media_type = media_type::essence(content_type(&headers));
        Self { status, headers, body, media_type }
    }

    /// The media type in lower case and without parameters; empty when the reply names none.
    #[must_use]
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// Whether the reply's media type is the documented one, or falls under the documented range (`image/*`).
    /// Parameters and case do not count.
    #[must_use]
    pub fn is(&self, documented: &str) -> bool {
        media_type::falls_under(&self.media_type, documented)
    }

    /// Whether the reply says that it is JSON, or says nothing.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.media_type.is_empty() || media_type::is_json(&self.media_type)
    }

    /// The body as JSON. Its media type must be `application/json` or any `+json`, or absent: a body that calls itself
    /// `text/html` is refused, even if it looks like JSON. JSON is UTF-8, whatever charset the reply names.
    pub fn json<T: Wire>(&self) -> Result<T, DecodeError> {
        if !self.is_json() {
            return Err(self.mismatch("JSON"));
        }
        json::decode(&self.body)
    }

    /// The body as text, in the charset that the reply names, UTF-8 without one. UTF-8, ISO 8859-1 and ASCII are known;
    /// in another charset, a body that is not plain ASCII is an error rather than a guess.
    pub fn text(&self) -> Result<String, DecodeError> {
        let charset = media_type::charset(content_type(&self.headers));
        media_type::from_charset(&self.body, charset.as_deref()).ok_or_else(|| {
            DecodeError::mismatched_text("text in a known charset", &charset.unwrap_or_else(|| "utf-8".to_owned()))
        })
    }

    /// The body as text that is a scalar in its plain form, such as `3` or an enum's value.
    pub fn text_value<T: Wire>(&self) -> Result<T, DecodeError> {
        text::decode_scalar(&self.text()?)
    }

    /// The body as an `application/x-www-form-urlencoded` form.
    pub fn form<T: Wire>(&self) -> Result<T, DecodeError> {
        if !self.media_type.is_empty() && self.media_type != "application/x-www-form-urlencoded" {
            return Err(self.mismatch("a form"));
        }
        text::decode_pairs(url::form_urlencoded::parse(&self.body).into_owned())
    }

    /// The body as it is.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.body.clone()
    }

    /// A header that must be there, style `simple`: what its text means is up to the type.
    pub fn header<T: Wire>(&self, name: &str) -> Result<T, DecodeError> {
        self.header_opt(name)?.ok_or_else(|| DecodeError::missing_header(name))
    }

    /// A header that may be there. Several lines of one name count as one line with commas between.
    pub fn header_opt<T: Wire>(&self, name: &str) -> Result<Option<T>, DecodeError> {
        let lines: Vec<String> = self.headers.get_all(name).iter().map(header_text).collect();
        if lines.is_empty() {
            return Ok(None);
        }
        let read = match name.eq_ignore_ascii_case(header::SET_COOKIE.as_str()) {
            true => text::decode_lines(lines),
            false => text::decode_simple(&lines.join(", ")),
        };
        read.map(Some).map_err(|error| error.in_header(name))
    }

    fn mismatch(&self, expected: &'static str) -> DecodeError {
        DecodeError::mismatched_text(format!("a reply of {expected}"), &self.media_type)
    }
}

/// Shows neither header values nor body: they may be secrets.
impl fmt::Debug for RawReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawReply")
            .field("status", &self.status)
            .field("media_type", &self.media_type)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// A header's text: UTF-8, or else ISO 8859-1, which old servers mean and which reads any byte.
fn header_text(value: &HeaderValue) -> String {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => text.trim().to_owned(),
        Err(_) => value.as_bytes().iter().copied().map(char::from).collect::<String>().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use http::HeaderName;

    use super::*;
    use crate::{Value, wire::DateTime};

    fn reply(headers: &[(&'static str, &[u8])], body: &'static [u8]) -> RawReply {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap()));
        let mut map = HeaderMap::new();
        headers.for_each(|(name, value)| {
            map.append(name, value);
        });
        RawReply::new(StatusCode::OK, map, Bytes::from_static(body))
    }

    fn typed(content_type: &'static str, body: &'static [u8]) -> RawReply {
        reply(&[("content-type", content_type.as_bytes())], body)
    }

    #[test]
    fn the_media_type_ignores_parameters_and_case() {
        let reply = typed("Application/Vnd.Example.Doc+JSON;charset=UTF-8", b"{\"a\":1}");
        assert_eq!(reply.media_type(), "application/vnd.example.doc+json");
        assert!(reply.is("application/vnd.example.doc+json; charset=utf-8"));
        assert!(reply.is("application/*"));
        assert!(!reply.is("application/json"));
        assert_eq!(reply.json::<BTreeMap<String, i64>>().unwrap(), BTreeMap::from([("a".to_owned(), 1)]));
    }

    #[test]
    fn json_is_json_or_unnamed() {
        for content_type in ["application/json", "application/problem+json", "text/json", ""] {
            assert_eq!(typed(content_type, b"5").json::<i64>().unwrap(), 5, "{content_type}");
        }
        assert_eq!(reply(&[], b"5").json::<i64>().unwrap(), 5);
        for (content_type, body) in
            [("text/html", &b"{}"[..]), ("text/plain", b"5"), ("application/octet-stream", b"5")]
        {
            let error = typed(content_type, body).json::<Value>().unwrap_err();
            assert_eq!(error.to_string(), format!("expected a reply of JSON, found {content_type:?}"));
        }
        assert!(reply(&[], b"").json::<Value>().unwrap_err().to_string().starts_with("not JSON: "));
    }

    #[test]
    fn text_is_read_in_its_charset() {
        assert_eq!(typed("text/plain", b"\"a\" b").text().unwrap(), "\"a\" b");
        assert_eq!(typed("text/plain", b"12").text().unwrap(), "12");
        assert_eq!(typed("text/plain; charset=latin1", b"\xe9").text().unwrap(), "é");
        assert_eq!(reply(&[], "é".as_bytes()).text().unwrap(), "é");
        assert_eq!(typed("text/plain", b"12").text_value::<i64>().unwrap(), 12);
        assert_eq!(typed("text/plain", b"12").text_value::<String>().unwrap(), "12");
        assert_eq!(typed("text/plain", b"[1]").text_value::<Value>().unwrap(), Value::from("[1]"));
        assert!(typed("text/plain", b"1,2").text_value::<Vec<i64>>().is_err());
        let error = typed("text/plain; charset=windows-1251", b"\xe9").text().unwrap_err();
        assert_eq!(error.to_string(), "expected text in a known charset, found \"windows-1251\"");
        assert!(typed("text/plain", b"\xff").text().is_err());
    }

    #[test]
    fn headers_are_read_by_their_type() {
        let reply = reply(
            &[
                ("etag", b"\"e\""),
                ("x-rate", b" 10 "),
                ("x-id", b"007"),
                ("x-at", b"2024-01-02T03:04:05Z"),
                ("x-tags", b"a, b"),
                ("x-tags", b"c"),
                ("x-name", b"caf\xe9"),
                ("set-cookie", b"a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
                ("set-cookie", b"b=2"),
            ],
            b"",
        );
        assert_eq!(reply.header::<String>("ETag").unwrap(), "\"e\"");
        assert_eq!(reply.header::<u32>("x-rate").unwrap(), 10);
        assert_eq!(reply.header::<String>("x-id").unwrap(), "007");
        assert_eq!(reply.header::<DateTime>("x-at").unwrap().timestamp(), 1_704_164_645);
        assert_eq!(reply.header::<Vec<String>>("x-tags").unwrap(), ["a", "b", "c"]);
        assert_eq!(reply.header::<String>("x-tags").unwrap(), "a, b, c");
        assert_eq!(reply.header::<String>("x-name").unwrap(), "café");
        let cookies = reply.header::<Vec<String>>("set-cookie").unwrap();
        assert_eq!(cookies, ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2"]);
        assert_eq!(reply.header_opt::<String>("location").unwrap(), None);
        assert_eq!(
            reply.header::<String>("location").unwrap_err().to_string(),
            "header location: required by the reply, but missing"
        );
        assert_eq!(
            reply.header::<i64>("etag").unwrap_err().to_string(),
            r#"header etag: expected a 64-bit integer, found "\"e\"""#
        );
    }

    #[test]
    fn forms_are_read_by_their_type() {
        let reply = typed("application/x-www-form-urlencoded", b"token=12&scope=a+b");
        let map = reply.form::<BTreeMap<String, String>>().unwrap();
        assert_eq!(
            map,
            BTreeMap::from([("token".to_owned(), "12".to_owned()), ("scope".to_owned(), "a b".to_owned())])
        );
        assert!(typed("application/json", b"{}").form::<Value>().is_err());
    }

    #[test]
    fn debug_shows_neither_headers_nor_body() {
        let reply = reply(&[("set-cookie", b"hunter2")], b"hunter2");
        assert!(!format!("{reply:?}").contains("hunter2"));
        assert_eq!(reply.bytes(), "hunter2");
    }
}
