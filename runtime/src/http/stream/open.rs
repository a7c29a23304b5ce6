//! Opening a stream: one request whose reply is not waited for to its end.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderName, HeaderValue, StatusCode};

use super::super::client::{judge, write};
use super::super::media_type;
use super::super::transport::{self, Bounds, SendError};
use super::super::{BuildError, HttpClient, Place, RawReply, RequestParts};
use super::{ByteStream, EventData, EventStream, StreamError};
use crate::error::{ClientError, NotSentCause, TransportFault};
use crate::wire::{DecodeError, Wire};
use crate::{IdempotencyKey, Operation, OperationMeta, Read, Streaming};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// How the items of a stream come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamForm {
    /// The documented media type.
    pub media_type: &'static str,
    /// What the data of an event is; without effect on other streams.
    pub data: EventData,
}

/// A reply that comes item by item: [`EventStream`], [`JsonLines`](super::JsonLines), [`ByteStream`]. Only the runtime implements it, and
/// only a guard calls it.
pub trait ItemStream: Sized + Send + Unpin + 'static {
    /// What it yields.
    type Item: Send;

    #[doc(hidden)]
    fn over(bytes: ByteStream, form: &StreamForm) -> Self;
    #[doc(hidden)]
    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Self::Item, StreamError>>>;
    #[doc(hidden)]
    fn bytes(&self) -> &ByteStream;
    #[doc(hidden)]
    fn bytes_mut(&mut self) -> &mut ByteStream;
    #[doc(hidden)]
    fn way_back(&self) -> Option<WayBack> {
        None
    }
    #[doc(hidden)]
    fn resume(&mut self, bytes: ByteStream) {
        *self.bytes_mut() = bytes;
    }
}

/// What came back when a stream was asked for.
pub(crate) enum Opened {
    /// A success, its body still to come.
    Stream(ByteStream),
    /// Anything else, whole.
    Whole(RawReply),
}

type Write = dyn Fn() -> Result<RequestParts, BuildError> + Send + Sync;

/// All that is needed to open a stream of events once more.
pub(crate) struct Reopen {
    http: HttpClient,
    meta: &'static OperationMeta,
    media_type: &'static str,
    write: Box<Write>,
}

/// A stream that broke, and how it can go on.
#[derive(Debug, Clone)]
pub struct WayBack {
    pub(crate) reopen: Arc<Reopen>,
    pub(crate) last_event_id: Option<String>,
    /// The wait before it that the stream asked for.
    pub(crate) wait: Option<Duration>,
}

impl WayBack {
    /// Opens the stream once more.
    pub(crate) async fn go<Op: Streaming>(&self) -> Result<ByteStream, ClientError<Op::Rejection>> {
        let Reopen { http, meta, media_type, write } = self.reopen.as_ref();
        let mut parts = write().map_err(argument)?;
        if let Some(id) = &self.last_event_id {
            let unfit =
                |_| argument(BuildError::new(Place::Header, "last-event-id", "the id cannot stand in a header"));
            let id = HeaderValue::from_bytes(id.as_bytes()).map_err(unfit)?;
            parts.headers.insert(LAST_EVENT_ID, id);
        }
        match http.open(meta, parts, Some(media_type)).await? {
            Opened::Stream(bytes) => Ok(bytes),
            Opened::Whole(reply) => Err(refuse::<Op>(reply, media_type)),
        }
    }
}

impl HttpClient {
    /// Opens the stream of an operation: one request, no protection. Prefer the adapter.
    pub async fn stream<Op: Streaming>(
        &self,
        request: &Op::Request,
        key: Option<&IdempotencyKey>,
    ) -> Result<Op::Stream, ClientError<Op::Rejection>> {
        let parts = write::<Op>(request, key).map_err(argument)?;
        match self.open(Op::META, parts, Some(Op::FORM.media_type)).await? {
            Opened::Stream(bytes) => Ok(Op::Stream::over(bytes, &Op::FORM)),
            Opened::Whole(reply) => Err(refuse::<Op>(reply, Op::FORM.media_type)),
        }
    }

    /// Opens the events of an operation that only reads, so that a guard can open them once more where they broke off.
    /// Bare of a guard nothing is repeated.
    pub async fn subscribe<Op, T>(&self, request: &Op::Request) -> Result<EventStream<T>, ClientError<Op::Rejection>>
    where
        Op: Read + Streaming<Stream = EventStream<T>>,
        Op::Request: Clone + 'static,
        T: Wire + Send + 'static,
    {
        let stream = self.stream::<Op>(request, None).await?;
        let request = request.clone();
        Ok(stream.reopened_by(Reopen {
            http: self.clone(),
            meta: Op::META,
            media_type: Op::FORM.media_type,
            write: Box::new(move || write::<Op>(&request, None)),
        }))
    }

    /// Calls an operation and gives the body of its success as it comes: one request, no protection. Prefer the adapter.
    pub async fn bytes<Op: Operation>(
        &self,
        request: &Op::Request,
        key: Option<&IdempotencyKey>,
    ) -> Result<ByteStream, ClientError<Op::Rejection>> {
        let parts = write::<Op>(request, key).map_err(argument)?;
        match self.open(Op::META, parts, None).await? {
            Opened::Stream(bytes) => Ok(bytes),
            Opened::Whole(reply) => Err(refuse::<Op>(reply, "bytes")),
        }
    }

    /// Sends a request. A success in the media type (or one of none, or any if none is asked for) is handed over with
    /// its head; anything else is read whole.
    async fn open(&self, meta: &OperationMeta, parts: RequestParts, wanted: Option<&str>) -> Result<Opened, SendError> {
        let (reply, bounds) = Box::pin(self.begin(meta, parts)).await?;
        if !reply.status().is_success() {
            return transport::whole(reply, true, &bounds).await.map(Opened::Whole);
        }
        let head = RawReply::new(reply.status(), reply.headers().clone(), Bytes::new());
        if matches!(head.status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT) {
            return Ok(Opened::Stream(ByteStream::empty(head)));
        }
        let fits = |wanted: &str| head.media_type().is_empty() || is_kin(head.media_type(), wanted);
        if !wanted.is_none_or(fits) {
            return transport::whole(reply, true, &bounds).await.map(Opened::Whole);
        }
        Ok(Opened::Stream(in_pieces(head, reply, &bounds)))
    }
}

/// Whether a reply is the documented stream: names of JSON lines are many, and mean the same.
fn is_kin(found: &str, wanted: &str) -> bool {
    let is_lines = |essence: &str| {
        let word = essence.rsplit(['/', '+']).next().unwrap_or_default();
        let word = word.strip_prefix("x-").unwrap_or(word);
        matches!(word, "jsonl" | "ndjson" | "jsonlines" | "json-lines" | "json-seq")
            || essence == "application/stream+json"
    };
    media_type::falls_under(found, wanted) || (is_lines(found) && is_lines(&media_type::essence(wanted)))
}

fn in_pieces(head: RawReply, reply: reqwest::Response, bounds: &Bounds) -> ByteStream {
    let pieces = Box::pin(Faults(Box::pin(reply.bytes_stream())));
    ByteStream::new(head, pieces, bounds.read, bounds.max_reply_bytes)
}

/// The error for a reply that is no stream.
fn refuse<Op: Operation>(reply: RawReply, wanted: &str) -> ClientError<Op::Rejection> {
    if reply.status.is_success() {
        let cause = DecodeError::mismatched_text(format!("a stream of {wanted}"), reply.media_type());
        return ClientError::Undecodable { cause: Box::new(cause), reply: Box::new(reply) };
    }
    match judge::<Op>(reply.clone()) {
        Err(error) => error,
        // The document calls a status a success that is none.
        Ok(_) => ClientError::Unexpected { reply: Box::new(reply) },
    }
}

fn argument<R>(error: BuildError) -> ClientError<R> {
    ClientError::NotSent(NotSentCause::Argument(error))
}

impl fmt::Debug for Reopen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reopen").field("operation", &self.meta.id).finish_non_exhaustive()
    }
}

/// Names the faults of a body that is under way.
struct Faults<S>(Pin<Box<S>>);

impl<S: Stream<Item = reqwest::Result<Bytes>>> Stream for Faults<S> {
    type Item = Result<Bytes, TransportFault>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|piece| piece.map(|piece| piece.map_err(transport::within_reply)))
    }
}
