use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::{RequestBody, RequestParts};
use crate::wire::Wire;

/// Writes a request out of an operation's arguments.
#[derive(Debug)]
pub struct RequestWriter {
    parts: RequestParts,
}

/// An argument that cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError(String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

impl RequestWriter {
    /// A request with this method and nothing else yet.
    pub fn new(method: &'static str) -> Self {
        Self {
            parts: RequestParts {
                method: Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET),
                path: String::new(),
                query: String::new(),
                headers: HeaderMap::new(),
                body: RequestBody::Empty,
            },
        }
    }

    /// A literal piece of the path.
    pub fn path(&mut self, literal: &'static str) {
        self.parts.path.push_str(literal);
    }

    /// A header; `explode` matters for lists and objects only.
    pub fn header<T: Wire>(&mut self, name: &'static str, value: &T, _explode: bool) -> Result<(), BuildError> {
        let value = value.encode().map_err(|error| BuildError(error.to_string()))?;
        let value = HeaderValue::from_str(value.as_str().unwrap_or_default())
            .map_err(|_| BuildError(format!("`{name}` cannot stand in a header")))?;
        self.parts.headers.append(HeaderName::from_static(name), value);
        Ok(())
    }

    /// A JSON body.
    pub fn json<T: Wire>(&mut self, media_type: &'static str, value: &T) -> Result<(), BuildError> {
        self.parts.body = RequestBody::Json(value.encode().map_err(|error| BuildError(error.to_string()))?);
        self.parts.headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        Ok(())
    }

    /// The finished parts.
    pub fn finish(self) -> RequestParts {
        self.parts
    }
}
