use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, Method};
use serde_json::Value;

use super::{Multipart, OwnServer};

/// A request that is written in full but for credentials: what an operation's arguments say.
pub struct RequestParts {
    /// The method.
    pub method: Method,
    /// Percent-encoded, starts with `/`; put behind the base URL's own path.
    pub path: String,
    /// Percent-encoded, without the `?`; empty for none.
    pub query: String,
    /// Headers, `content-type` of the body included.
    pub headers: HeaderMap,
    /// The body.
    pub body: RequestBody,
    /// The server the document gives the operation alone.
    pub server: Option<OwnServer>,
    /// Whether the same request may be sent a second time: it only reads, or carries its idempotency key.
    pub repeatable: bool,
}

impl RequestParts {
    /// The same request once more, if it may be sent twice and can be.
    pub(super) fn again(&self) -> Option<Self> {
        let body = match &self.body {
            _ if !self.repeatable => return None,
            RequestBody::Empty => RequestBody::Empty,
            RequestBody::Bytes(bytes) => RequestBody::Bytes(bytes.clone()),
            RequestBody::Form(fields) => RequestBody::Form(fields.clone()),
            RequestBody::Json(value) => RequestBody::Json(value.clone()),
            RequestBody::Multipart(multipart) => RequestBody::Multipart(multipart.clone()),
            RequestBody::Stream(_) => return None,
        };
        let (method, path, query) = (self.method.clone(), self.path.clone(), self.query.clone());
        let (headers, server) = (self.headers.clone(), self.server);
        Some(Self { method, path, query, headers, body, server, repeatable: true })
    }
}

/// A body. Forms and JSON stay data until they are sent: a credential may be a field of them.
#[derive(Default)]
pub enum RequestBody {
    /// None.
    #[default]
    Empty,
    /// Bytes as they are.
    Bytes(Bytes),
    /// `application/x-www-form-urlencoded`: names and values not yet escaped.
    Form(Vec<(String, String)>),
    /// JSON.
    Json(Value),
    /// `multipart/*`: the boundary is chosen, and `content-type` written, when it is sent.
    Multipart(Multipart),
    /// Bytes that are made while they are sent; they cannot be sent a second time.
    Stream(BodyStream),
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// Bytes that are made while they are sent. Clones share them: the first to send them has them, a later one has
/// nothing, and a call that sent them is not tried again.
#[derive(Clone)]
pub struct BodyStream {
    pieces: Arc<Mutex<Option<Pieces>>>,
}

impl BodyStream {
    /// Sends what the stream yields; an error in it breaks the request off.
    pub fn new<S, E>(stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        let pieces: Pieces = Box::pin(IntoBoxError(Box::pin(stream)));
        Self { pieces: Arc::new(Mutex::new(Some(pieces))) }
    }

    /// The stream, unless it was taken before.
    pub(super) fn take(&self) -> Option<Pieces> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Two are the same when they share their bytes.
impl PartialEq for BodyStream {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pieces, &other.pieces)
    }
}

impl Eq for BodyStream {}

/// A body of raw bytes: all there, or made while it is sent.
///
/// ```
/// use cofferdam_runtime::http::BinaryBody;
///
/// let body: BinaryBody = vec![0xff, 0xfe, 0x00].into();
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum BinaryBody {
    /// All there: an operation that may be repeated can send it again.
    Bytes(Bytes),
    /// Made while it is sent: sent once, whatever the operation.
    Stream(BodyStream),
}

impl Default for BinaryBody {
    fn default() -> Self {
        Self::Bytes(Bytes::new())
    }
}

impl From<BodyStream> for BinaryBody {
    fn from(stream: BodyStream) -> Self {
        Self::Stream(stream)
    }
}

macro_rules! from_bytes {
    ($($ty:ty),*) => {
        $(impl From<$ty> for BinaryBody {
            fn from(bytes: $ty) -> Self {
                Self::Bytes(bytes.into())
            }
        })*
    };
}

from_bytes!(Bytes, Vec<u8>, String, &'static [u8], &'static str);

/// Shows no byte: they may be secrets.
impl fmt::Debug for BinaryBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Stream(_) => f.write_str("Stream"),
        }
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
            Self::Form(fields) => write!(f, "Form({} fields)", fields.len()),
            Self::Json(_) => f.write_str("Json"),
            Self::Multipart(multipart) => multipart.fmt(f),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyStream")
    }
}

/// Turns a stream's own error into the common one. The inner pin spares the projection that would need `unsafe`.
struct IntoBoxError<S>(Pin<Box<S>>);

impl<S, E> Stream for IntoBoxError<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<BoxError>,
{
    type Item = Result<Bytes, BoxError>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|item| item.map(|result| result.map_err(Into::into)))
    }
}
