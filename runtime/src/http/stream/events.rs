use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use serde_json::{Map, Value};

use super::sse::{EventParser, RawEvent};
use super::{ByteStream, ItemStream, Reopen, StreamError, StreamForm, WayBack};
use crate::wire::{DecodeError, Wire, json, text};

/// A server-sent event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<T> {
    /// Its type (the field `event`); `None` for the usual one, `message`.
    pub event: Option<String>,
    /// The id in force: its own, or the last one before it.
    pub id: Option<String>,
    /// The wait before reconnecting that it asks for.
    pub retry: Option<Duration>,
    /// What it says.
    pub data: T,
}

/// What the data of events is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventData {
    /// JSON. Data that is exactly `[DONE]`, which is no JSON, is the end of the stream: OpenAI's way, and that of many
    /// after it.
    Json,
    /// Text as it is, or a scalar in its plain form.
    Text,
    /// The document describes the event with its fields: an object of `event`, `data`, `id` and `retry`, where `data` is
    /// JSON or text. `[DONE]` is the end here too.
    Event,
}

/// A reply of server-sent events, read by the rules of WHATWG.
///
/// It is a [`Stream`]; [`next`](Self::next) is there for those who have no combinators at hand. An event that is not
/// what the document says is an error, after which the stream goes on; any other error is its end. An event that the
/// connection's end cuts off is no event.
pub struct EventStream<T> {
    bytes: ByteStream,
    parser: EventParser,
    data: EventData,
    /// The way to open it once more; only a read has one.
    reopen: Option<Arc<Reopen>>,
    /// An event was given out.
    begun: bool,
    item: std::marker::PhantomData<fn() -> T>,
}

impl<T: Wire + Send + 'static> EventStream<T> {
    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<Event<T>, StreamError>> {
        std::future::poll_fn(|context| self.poll_item(context)).await
    }

    /// The reply, for its status and headers.
    #[must_use]
    pub fn reply(&self) -> &ByteStream {
        &self.bytes
    }

    /// The id of the last event, by which the system would know where to go on.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        self.parser.last_id()
    }

    pub(super) fn reopened_by(mut self, reopen: Reopen) -> Self {
        self.reopen = Some(Arc::new(reopen));
        self
    }

    /// Reads an event; `None` if it is the end.
    fn read(&mut self, raw: RawEvent) -> Option<Result<Event<T>, StreamError>> {
        if self.data != EventData::Text && raw.data.trim() == "[DONE]" {
            return None;
        }
        let data = match self.data {
            EventData::Json => json::decode(raw.data.as_bytes()),
            EventData::Text => text::decode_scalar(&raw.data),
            EventData::Event => whole(&raw),
        };
        self.begun = true;
        let RawEvent { event, id, retry, data: text } = raw;
        Some(match data {
            Ok(data) => Ok(Event { event, id, retry, data }),
            Err(cause) => Err(StreamError::Undecodable { cause: Box::new(cause), item: Bytes::from(text) }),
        })
    }
}

/// An event as an object of its fields. Whether `data` is JSON or text the type has to say: both are tried.
fn whole<T: Wire>(raw: &RawEvent) -> Result<T, DecodeError> {
    let object = |data: Value| {
        let mut fields = Map::new();
        let event = raw.event.clone().map(Value::from);
        let retry = raw.retry.map(|retry| Value::from(u64::try_from(retry.as_millis()).unwrap_or(u64::MAX)));
        let known = [("event", event), ("data", Some(data)), ("id", raw.id.clone().map(Value::from)), ("retry", retry)];
        fields.extend(known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        Value::Object(fields)
    };
    let as_text = || T::decode(&object(Value::from(raw.data.as_str())));
    match json::parse(raw.data.as_bytes()) {
        Ok(data) => T::decode(&object(data)).or_else(|error| as_text().map_err(|_| error)),
        Err(_) => as_text(),
    }
}

impl<T: Wire + Send + 'static> ItemStream for EventStream<T> {
    type Item = Event<T>;

    fn over(bytes: ByteStream, form: &StreamForm) -> Self {
        let parser = EventParser::new(bytes.item_limit());
        Self { bytes, parser, data: form.data, reopen: None, begun: false, item: std::marker::PhantomData }
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Event<T>, StreamError>>> {
        loop {
            match self.parser.next() {
                Ok(None) => {}
                Ok(Some(raw)) => {
                    let item = self.read(raw);
                    if item.is_none() {
                        self.close();
                    }
                    return Poll::Ready(item);
                }
                Err(_) => {
                    self.close();
                    return Poll::Ready(Some(Err(StreamError::TooLarge { limit: self.bytes.item_limit() })));
                }
            }
            match ready!(self.bytes.poll_piece(context)) {
                Some(Ok(piece)) => self.parser.push(piece),
                Some(Err(error)) => {
                    self.parser.restart();
                    return Poll::Ready(Some(Err(error)));
                }
                None => return Poll::Ready(None),
            }
        }
    }

    fn bytes(&self) -> &ByteStream {
        &self.bytes
    }

    fn bytes_mut(&mut self) -> &mut ByteStream {
        &mut self.bytes
    }

    /// Without an id the system would begin anew, and nobody could tell what came twice.
    fn way_back(&self) -> Option<WayBack> {
        let reopen = self.reopen.as_ref().filter(|_| !self.begun || self.last_event_id().is_some())?;
        Some(WayBack {
            reopen: Arc::clone(reopen),
            last_event_id: self.last_event_id().map(str::to_owned),
            wait: self.parser.retry(),
        })
    }

    fn resume(&mut self, bytes: ByteStream) {
        self.parser.restart();
        self.bytes = bytes;
    }
}

impl<T> EventStream<T> {
    fn close(&mut self) {
        self.parser.restart();
        self.bytes.close();
    }
}

impl<T: Wire + Send + 'static> Stream for EventStream<T> {
    type Item = Result<Event<T>, StreamError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<T> fmt::Debug for EventStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
