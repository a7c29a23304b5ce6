use std::{
    fmt, io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::Value;

use super::{BuildError, Multipart, Place, form};
use crate::wire::json;

/// A request, ready but for the base URL and the credentials.
pub struct RequestParts {
    /// The method.
    pub method: Method,
    /// The path, escaped, with its leading slash; relative to the base URL.
    pub path: String,
    /// The query, escaped, without question mark; empty when there is none.
    pub query: String,
    /// The headers. Cookies are one `cookie` header.
    pub headers: HeaderMap,
    /// The body. Its `content-type` is already among the headers, but for multipart, whose boundary is not chosen yet.
    pub body: RequestBody,
}

impl RequestParts {
    /// The same with forms, JSON and parts written out as bytes; for parts, with the `content-type` of a fresh boundary.
    pub fn rendered(mut self) -> Result<Self, BuildError> {
        self.body = match self.body {
            RequestBody::Form(pairs) => RequestBody::Bytes(form::render(&pairs)),
            RequestBody::Json(value) => RequestBody::Bytes(json::print(&value)),
            RequestBody::Multipart(multipart) => {
                let boundary = multipart.boundary();
                let content_type = HeaderValue::from_str(&multipart.content_type(&boundary))
                    .map_err(|_| BuildError::new(Place::Header, "content-type", "not a media type"))?;
                self.headers.insert(header::CONTENT_TYPE, content_type);
                RequestBody::Bytes(multipart.render(&boundary))
            }
            other @ (RequestBody::Empty | RequestBody::Bytes(_) | RequestBody::Stream(_)) => other,
        };
        Ok(self)
    }
}

/// What a request carries.
pub enum RequestBody {
    /// Nothing.
    Empty,
    /// Bytes as they are.
    Bytes(Bytes),
    /// Pairs of unescaped text, to be written as `application/x-www-form-urlencoded` (a space as `+`).
    Form(Vec<(String, String)>),
    /// A value to be written as JSON text.
    Json(Value),
    /// Parts. Their `content-type` is known when the boundary is: see [`RequestParts::rendered`].
    Multipart(Multipart),
    /// Bytes that come while they are sent.
    Stream(BodyStream),
}

type Chunks = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// A body that comes in pieces and can be sent once.
///
/// Clones share the one stream: whoever [takes](Self::take) it first has it.
#[derive(Clone)]
pub struct BodyStream {
    chunks: Arc<Mutex<Option<Chunks>>>,
}

impl BodyStream {
    /// A body out of a stream of pieces.
    pub fn new(chunks: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self { chunks: Arc::new(Mutex::new(Some(Box::pin(chunks)))) }
    }

    /// The pieces, unless they are taken already.
    #[must_use]
    pub fn take(&self) -> Option<Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Shows neither query nor header values nor body: they may be secrets.
impl fmt::Debug for RequestParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestParts").field("method", &self.method).field("body", &self.body).finish_non_exhaustive()
    }
}

impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Form(pairs) => write!(f, "Form({} pairs)", pairs.len()),
            Self::Json(_) => f.write_str("Json"),
            Self::Multipart(multipart) => write!(f, "{multipart:?}"),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyStream")
    }
}
