use std::{borrow::Cow, fmt};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::Value;

use super::{
    BinaryBody, BodyStream, BuildError, FieldEncoding, Multipart, OwnServer, Place, RequestBody, RequestParts, form,
    media_type,
};
use crate::wire::{
    EncodeError, Style, Wire, json,
    style::{self, StyleError},
};

/// What cannot stand in a path as it is. `%` is looked at apart.
const LITERAL: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}').add(b'|').add(b'\\').add(b'^');

/// Writes a request piece by piece, in the order the operation's code calls.
///
/// Values are written by their [`Wire`] form; everything behind that is independent of their types.
pub struct RequestWriter {
    method: Method,
    target: Target,
    path: String,
    /// The last parameter in the segment that is being written.
    segment_parameter: Option<&'static str>,
    query: String,
    headers: HeaderMap,
    cookies: String,
    body: RequestBody,
    server: Option<OwnServer>,
    fault: Option<BuildError>,
}

/// What the pieces of a path template are part of. Some documents write `/jobs?action=stop` or `/jobs#stop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Path,
    Query,
    /// Never sent: it only tells two paths of one document apart.
    Fragment,
}

impl RequestWriter {
    /// A request with nothing in it yet.
    #[must_use]
    pub fn new(method: &str) -> Self {
        let (method, fault) = match Method::from_bytes(method.as_bytes()) {
            Ok(method) => (method, None),
            Err(_) => (Method::GET, Some(BuildError::new(Place::Header, "method", "not an HTTP method"))),
        };
        Self {
            method,
            target: Target::Path,
            path: String::new(),
            segment_parameter: None,
            query: String::new(),
            headers: HeaderMap::new(),
            cookies: String::new(),
            body: RequestBody::Empty,
            server: None,
            fault,
        }
    }

    /// The server the document gives the operation alone.
    pub fn server(&mut self, server: OwnServer) {
        self.server = Some(server);
    }

    /// A literal piece of the path template, between its parameters.
    ///
    /// What is after a `?` in it is part of the query, what is after a `#` is not sent.
    pub fn path(&mut self, literal: &'static str) {
        let mut rest = literal;
        while !rest.is_empty() {
            let end = match self.target {
                Target::Path => rest.find(['?', '#']),
                Target::Query => rest.find('#'),
                Target::Fragment => None,
            };
            let (piece, tail) = rest.split_at(end.unwrap_or(rest.len()));
            match self.target {
                Target::Path => self.path_literal(piece),
                Target::Query => self.query.push_str(&escaped_literal(piece)),
                Target::Fragment => {}
            }
            match tail.as_bytes().first() {
                Some(b'?') => self.target = Target::Query,
                Some(_) => self.target = Target::Fragment,
                None => {}
            }
            rest = tail.get(1..).unwrap_or_default();
        }
    }

    fn path_literal(&mut self, piece: &str) {
        for (index, part) in piece.split('/').enumerate() {
            if index > 0 {
                self.close_segment();
                self.path.push('/');
            }
            self.path.push_str(&escaped_literal(part));
        }
    }

    /// A parameter in the path.
    pub fn path_value<T: Wire>(
        &mut self,
        name: &'static str,
        value: &T,
        style: Style,
        explode: bool,
    ) -> Result<(), BuildError> {
        let value = encoded(Place::Path, name, value.encode())?;
        let text = styled(Place::Path, name, style::path(name, &value, style, explode))?;
        self.put_in_path(name, &text);
        Ok(())
    }

    /// A parameter in the path that is JSON text (`content: application/json`).
    pub fn path_json<T: Wire>(&mut self, name: &'static str, value: &T) -> Result<(), BuildError> {
        let text = Value::String(encoded(Place::Path, name, value.encode())?.to_string());
        let text = styled(Place::Path, name, style::path(name, &text, Style::Simple, false))?;
        self.put_in_path(name, &text);
        Ok(())
    }

    fn put_in_path(&mut self, name: &'static str, escaped: &str) {
        match self.target {
            Target::Path => {
                self.path.push_str(escaped);
                self.segment_parameter = Some(name);
            }
            Target::Query => self.query.push_str(escaped),
            Target::Fragment => {}
        }
    }

    /// At the end of a segment: a parameter must not have made it `.` or `..`, which every URL library folds away,
    /// escaped or not, and thereby calls another path.
    fn close_segment(&mut self) {
        let Some(name) = self.segment_parameter.take() else {
            return;
        };
        let segment = self.path.rsplit('/').next().unwrap_or_default();
        if matches!(segment.to_ascii_uppercase().replace("%2E", ".").as_str(), "." | "..") {
            let message = "`.` or `..` as a whole segment of the path would make another path";
            self.fault.get_or_insert(BuildError::new(Place::Path, name, message));
        }
    }

    /// A parameter in the query. Nothing is written for a missing value, an empty array or an empty object.
    pub fn query<T: Wire>(
        &mut self,
        name: &'static str,
        value: &T,
        style: Style,
        explode: bool,
        allow_reserved: bool,
    ) -> Result<(), BuildError> {
        let value = encoded(Place::Query, name, value.encode())?;
        let pairs = styled(Place::Query, name, style::query(name, &value, style, explode, allow_reserved))?;
        self.put_in_query(&pairs);
        Ok(())
    }

    /// A parameter in the query that is JSON text (`content: application/json`).
    pub fn query_json<T: Wire>(&mut self, name: &'static str, value: &T) -> Result<(), BuildError> {
        match json_text(encoded(Place::Query, name, value.encode())?) {
            Some(text) => self.query_text(name, &text),
            None => Ok(()),
        }
    }

    /// A parameter in the query that is text already.
    pub fn query_text(&mut self, name: &'static str, text: &str) -> Result<(), BuildError> {
        let value = Value::String(text.to_owned());
        let pairs = styled(Place::Query, name, style::query(name, &value, Style::Form, true, false))?;
        self.put_in_query(&pairs);
        Ok(())
    }

    fn put_in_query(&mut self, pairs: &[(String, String)]) {
        join(&mut self.query, "&", pairs);
    }

    /// A header, style `simple`. Nothing is written for a missing value, an empty array or an empty object.
    pub fn header<T: Wire>(&mut self, name: &'static str, value: &T, explode: bool) -> Result<(), BuildError> {
        let value = encoded(Place::Header, name, value.encode())?;
        match styled(Place::Header, name, style::header(&value, explode))? {
            Some(text) => self.header_text(name, &text),
            None => Ok(()),
        }
    }

    /// A header that is JSON text (`content: application/json`).
    pub fn header_json<T: Wire>(&mut self, name: &'static str, value: &T) -> Result<(), BuildError> {
        match json_text(encoded(Place::Header, name, value.encode())?) {
            Some(text) => self.header_text(name, &text),
            None => Ok(()),
        }
    }

    /// A header that is text already, such as an idempotency key.
    pub fn header_text(&mut self, name: &'static str, text: &str) -> Result<(), BuildError> {
        let fault = |message: &'static str| BuildError::new(Place::Header, name, message);
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| fault("not a header name"))?;
        let value = HeaderValue::from_bytes(text.as_bytes())
            .map_err(|_| fault("a value holds a line break or another control character"))?;
        if text.trim_matches([' ', '\t']) != text {
            return Err(fault("a value begins or ends with a blank, which the receiver cuts off"));
        }
        self.headers.append(key, value);
        Ok(())
    }

    /// A cookie, style `form`; exploded arrays and objects are several cookies. Nothing is written for a missing value,
    /// an empty array or an empty object.
    pub fn cookie<T: Wire>(&mut self, name: &'static str, value: &T, explode: bool) -> Result<(), BuildError> {
        let value = encoded(Place::Cookie, name, value.encode())?;
        let pairs = styled(Place::Cookie, name, style::cookie(name, &value, explode))?;
        join(&mut self.cookies, "; ", &pairs);
        Ok(())
    }

    /// A cookie that is JSON text (`content: application/json`).
    pub fn cookie_json<T: Wire>(&mut self, name: &'static str, value: &T) -> Result<(), BuildError> {
        match json_text(encoded(Place::Cookie, name, value.encode())?) {
            Some(text) => self.cookie(name, &text, false),
            None => Ok(()),
        }
    }

    /// A JSON body.
    pub fn json<T: Wire>(&mut self, media_type: &str, value: &T) -> Result<(), BuildError> {
        let value = encoded(Place::Body, "", value.encode())?;
        self.put_body(media_type, RequestBody::Json(value))
    }

    /// An `application/x-www-form-urlencoded` body: the members of an object, in order.
    pub fn form<T: Wire>(&mut self, value: &T, encodings: &[FieldEncoding]) -> Result<(), BuildError> {
        let value = encoded(Place::Body, "", value.encode())?;
        let body = form::body(&value, encodings).map_err(|(name, message)| BuildError {
            place: Place::Body,
            name: name.into(),
            message,
        })?;
        self.put_body("application/x-www-form-urlencoded", body)
    }

    /// A text body, in the charset of the media type; UTF-8, and said so where it matters, when it names none.
    pub fn text(&mut self, media_type: &str, text: &str) -> Result<(), BuildError> {
        let charset = media_type::charset(media_type);
        let Some(bytes) = media_type::to_charset(text, charset.as_deref()) else {
            let message = format!("the text cannot be written in the charset {}", charset.unwrap_or_default());
            return Err(BuildError::new(Place::Body, "", message));
        };
        let said = charset.is_some() || text.is_ascii();
        let media_type = if said { Cow::Borrowed(media_type) } else { format!("{media_type}; charset=utf-8").into() };
        self.put_body(&media_type, RequestBody::Bytes(bytes.into()))
    }

    /// A text body that is a scalar in its plain form, such as `3` or an enum's value. Nothing is written for a missing
    /// value.
    pub fn text_value<T: Wire>(&mut self, media_type: &str, value: &T) -> Result<(), BuildError> {
        let value = encoded(Place::Body, "", value.encode())?;
        match style::plain_text(&value) {
            Some(text) => self.text(media_type, &text),
            None => Ok(()),
        }
    }

    /// A body of bytes.
    pub fn bytes(&mut self, media_type: &str, bytes: Bytes) -> Result<(), BuildError> {
        self.put_body(media_type, RequestBody::Bytes(bytes))
    }

    /// A body of bytes, all there or made while it is sent.
    pub fn binary(&mut self, media_type: &str, body: BinaryBody) -> Result<(), BuildError> {
        match body {
            BinaryBody::Bytes(bytes) => self.bytes(media_type, bytes),
            BinaryBody::Stream(stream) => self.stream(media_type, stream),
        }
    }

    /// A body of JSON texts: one a line, or as records for `application/json-seq` (RFC 7464).
    pub fn json_lines<T: Wire>(&mut self, media_type: &str, items: &[T]) -> Result<(), BuildError> {
        let before: &[u8] = if media_type::essence(media_type).ends_with("json-seq") { b"\x1e" } else { b"" };
        let mut lines = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let item = item.encode().map_err(|error| error.at_index(index));
            lines.extend_from_slice(before);
            lines.extend_from_slice(&json::print(&encoded(Place::Body, "", item)?));
            lines.push(b'\n');
        }
        self.put_body(media_type, RequestBody::Bytes(lines.into()))
    }

    /// A body that comes in pieces.
    pub fn stream(&mut self, media_type: &str, stream: BodyStream) -> Result<(), BuildError> {
        self.put_body(media_type, RequestBody::Stream(stream))
    }

    /// A multipart body. Its `content-type` is set when the boundary is chosen.
    pub fn multipart(&mut self, media_type: &str, mut multipart: Multipart) -> Result<(), BuildError> {
        multipart.set_media_type(media_type);
        self.headers.remove(header::CONTENT_TYPE);
        self.body = RequestBody::Multipart(multipart);
        Ok(())
    }

    fn put_body(&mut self, media_type: &str, body: RequestBody) -> Result<(), BuildError> {
        let media_type = HeaderValue::from_str(media_type)
            .map_err(|_| BuildError::new(Place::Header, "content-type", "not a media type"))?;
        self.headers.insert(header::CONTENT_TYPE, media_type);
        self.body = body;
        Ok(())
    }

    /// The request, unless a piece of it was wrong.
    pub fn finish(mut self) -> Result<RequestParts, BuildError> {
        self.close_segment();
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if !self.path.starts_with('/') {
            self.path.insert(0, '/');
        }
        if !self.cookies.is_empty() {
            let cookies = HeaderValue::from_str(&self.cookies)
                .map_err(|_| BuildError::new(Place::Cookie, "", "not a cookie header"))?;
            self.headers.insert(header::COOKIE, cookies);
        }
        let Self { method, path, query, headers, body, server, .. } = self;
        Ok(RequestParts { method, path, query, headers, body, server, repeatable: false })
    }
}

/// Shows no values: they may be secrets.
impl fmt::Debug for RequestWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestWriter").field("method", &self.method).field("body", &self.body).finish_non_exhaustive()
    }
}

fn encoded(place: Place, name: &'static str, value: Result<Value, EncodeError>) -> Result<Value, BuildError> {
    value.map_err(|error| BuildError::new(place, name, error.to_string()))
}

fn styled<T>(place: Place, name: &'static str, written: Result<T, StyleError>) -> Result<T, BuildError> {
    written.map_err(|message| BuildError::new(place, name, message))
}

fn json_text(value: Value) -> Option<String> {
    (!value.is_null()).then(|| value.to_string())
}

fn join(text: &mut String, between: &str, pairs: &[(String, String)]) {
    for (name, value) in pairs {
        if !text.is_empty() {
            text.push_str(between);
        }
        text.push_str(name);
        text.push('=');
        text.push_str(value);
    }
}

/// A literal as it may stand in a URL; escapes that it has already are kept.
fn escaped_literal(literal: &str) -> String {
    let mut escaped = String::with_capacity(literal.len());
    for (index, piece) in literal.split('%').enumerate() {
        if index > 0 {
            let is_escape =
                piece.as_bytes().first_chunk::<2>().is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
            escaped.push_str(if is_escape { "%" } else { "%25" });
        }
        escaped.extend(utf8_percent_encode(piece, LITERAL));
    }
    escaped
}

#[cfg(test)]
mod tests;
