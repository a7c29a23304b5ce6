//! What a well-behaved server says.

use std::io::Write as _;

use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;

/// A whole reply: status, headers, body. `Content-Length` is written by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Bytes,
}

impl Answer {
    /// A reply without a body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Bytes::new() }
    }

    /// A 200 with a JSON body.
    #[must_use]
    pub fn json(body: &Value) -> Self {
        Self::status(200).with_json(body)
    }

    /// A redirect (302) to another address.
    #[must_use]
    pub fn redirect(location: &str) -> Self {
        Self::status(302).with_header("Location", location)
    }

    /// The same reply with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same reply with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same reply with a JSON body and its content type.
    #[must_use]
    pub fn with_json(self, body: &Value) -> Self {
        self.with_body("application/json", body.to_string())
    }

    /// The same reply with a body of the given content type. An earlier body and its type are replaced.
    #[must_use]
    pub fn with_body(mut self, content_type: &str, body: impl Into<Bytes>) -> Self {
        self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        self.body = body.into();
        self.with_header("Content-Type", content_type)
    }

    /// The status line and headers with `length` as the declared length of the body, ready for the wire.
    pub(crate) fn head(&self, length: usize) -> Vec<u8> {
        let mut head = self.fields();
        if self.may_have_body() {
            // Writing to a Vec cannot fail.
            let _ = write!(head, "Content-Length: {length}\r\n");
        }
        head.extend_from_slice(b"\r\n");
        head
    }

    /// The status line and headers of a body that comes in chunks.
    pub(crate) fn chunked_head(&self) -> Vec<u8> {
        let mut head = self.fields();
        head.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
        head
    }

    fn fields(&self) -> Vec<u8> {
        let reason = StatusCode::from_u16(self.status).ok().and_then(|status| status.canonical_reason());
        let mut head = Vec::with_capacity(128);
        // Writing to a Vec cannot fail.
        let _ = write!(head, "HTTP/1.1 {} {}\r\n", self.status, reason.unwrap_or("Unknown"));
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head
    }

    #[cfg(feature = "secure")]
    pub(crate) fn parts(&self) -> (u16, &[(String, String)]) {
        (self.status, &self.headers)
    }

    pub(crate) fn body(&self) -> &Bytes {
        &self.body
    }

    /// 1xx, 204 and 304 say that nothing follows; a length would contradict them.
    fn may_have_body(&self) -> bool {
        !matches!(self.status, 100..=199 | 204 | 304)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_body_has_one_content_type_and_its_length() {
        let answer = Answer::status(503).with_body("text/plain", "x").with_json(&serde_json::json!({"code": 7}));
        let head = String::from_utf8(answer.head(answer.body().len())).unwrap();
        assert_eq!(
            head,
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n"
        );
    }

    #[test]
    fn no_content_declares_no_length() {
        assert_eq!(Answer::status(204).head(0), b"HTTP/1.1 204 No Content\r\n\r\n");
    }
}
