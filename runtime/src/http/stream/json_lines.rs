use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::items::{Framing, ItemSplitter};
use super::{ByteStream, ItemStream, StreamError, StreamForm};
use crate::wire::{Wire, json};

/// A reply of JSON texts, one a line (`application/jsonl`, `application/x-ndjson`) or one a record
/// (`application/json-seq`), as the reply's media type says, and if it says none, the document's.
///
/// It is a [`Stream`]; [`next`](Self::next) is there for those who have no combinators at hand. An item that is not
/// what the document says is an error, after which the stream goes on; any other error is its end.
pub struct JsonLines<T> {
    bytes: ByteStream,
    splitter: ItemSplitter,
    item: PhantomData<fn() -> T>,
}

impl<T: Wire + Send + 'static> JsonLines<T> {
    /// The next item; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<T, StreamError>> {
        std::future::poll_fn(|context| self.poll_item(context)).await
    }

    /// The reply, for its status and headers.
    #[must_use]
    pub fn reply(&self) -> &ByteStream {
        &self.bytes
    }
}

fn read<T: Wire>(item: Bytes) -> Result<T, StreamError> {
    json::decode(&item).map_err(|cause| StreamError::Undecodable { cause: Box::new(cause), item })
}

impl<T: Wire + Send + 'static> ItemStream for JsonLines<T> {
    type Item = T;

    fn over(bytes: ByteStream, form: &StreamForm) -> Self {
        let media_type = if bytes.media_type().is_empty() { form.media_type } else { bytes.media_type() };
        let splitter = ItemSplitter::new(Framing::of(media_type), bytes.item_limit());
        Self { bytes, splitter, item: PhantomData }
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, StreamError>>> {
        loop {
            match self.splitter.next() {
                Ok(None) => {}
                Ok(Some(item)) => return Poll::Ready(Some(read(item))),
                Err(_) => {
                    self.splitter.clear();
                    self.bytes.close();
                    return Poll::Ready(Some(Err(StreamError::TooLarge { limit: self.bytes.item_limit() })));
                }
            }
            match ready!(self.bytes.poll_piece(context)) {
                Some(Ok(piece)) => self.splitter.push(piece),
                Some(Err(error)) => {
                    // What was cut off is no item.
                    self.splitter.clear();
                    return Poll::Ready(Some(Err(error)));
                }
                None => return Poll::Ready(self.splitter.finish().map(read)),
            }
        }
    }

    fn bytes(&self) -> &ByteStream {
        &self.bytes
    }

    fn bytes_mut(&mut self) -> &mut ByteStream {
        &mut self.bytes
    }
}

impl<T: Wire + Send + 'static> Stream for JsonLines<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<T> fmt::Debug for JsonLines<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonLines").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
