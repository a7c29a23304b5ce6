use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, StatusCode};
use tokio::time::{Instant, Sleep, sleep_until};

use super::super::RawReply;
use super::{ItemStream, StreamError, StreamForm};
use crate::deadline::Deadline;
use crate::error::TransportFault;
use crate::guard::Held;
use crate::wire::{DecodeError, Wire};

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, TransportFault>> + Send>>;

/// The bytes of a reply as they come, with its status and headers.
///
/// It is a [`Stream`]; [`next`](Self::next) is there for those who have no combinators at hand. After an error it is
/// over. Dropping it ends the exchange and gives back what it held.
pub struct ByteStream {
    /// The head of the reply: without a body.
    head: RawReply,
    /// `None` once it is over.
    pieces: Option<Pieces>,
    silence: Silence,
    item_limit: usize,
    held: Option<Held>,
}

impl ByteStream {
    pub(super) fn new(head: RawReply, pieces: Pieces, longest_silence: Duration, item_limit: usize) -> Self {
        Self { head, pieces: Some(pieces), silence: Silence::new(longest_silence), item_limit, held: None }
    }

    /// A reply that has no body.
    pub(super) fn empty(head: RawReply) -> Self {
        Self { head, pieces: None, silence: Silence::new(Duration::ZERO), item_limit: 0, held: None }
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// The media type in lower case and without parameters; empty when the reply names none.
    #[must_use]
    pub fn media_type(&self) -> &str {
        self.head.media_type()
    }

    /// A header that must be there; see [`RawReply::header`].
    pub fn header<T: Wire>(&self, name: &str) -> Result<T, DecodeError> {
        self.head.header(name)
    }

    /// A header that may be there; see [`RawReply::header_opt`].
    pub fn header_opt<T: Wire>(&self, name: &str) -> Result<Option<T>, DecodeError> {
        self.head.header_opt(name)
    }

    /// The next piece; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        std::future::poll_fn(|context| self.poll_piece(context)).await
    }

    /// How many bytes an item may have.
    pub(crate) fn item_limit(&self) -> usize {
        self.item_limit
    }

    /// Keeps what a guard gave for it, until it ends or is dropped.
    pub(crate) fn hold(&mut self, held: Held) {
        self.silence.deadline = held.deadline();
        // One that is over already holds nothing.
        self.held = self.pieces.is_some().then_some(held);
    }

    /// What came turned out to be the system's failure.
    pub(crate) fn failed(&mut self) {
        if let Some(held) = &mut self.held {
            held.failed();
        }
    }

    /// Ends it: nothing more is read, and nothing is held.
    pub(crate) fn close(&mut self) {
        self.pieces = None;
        self.held = None;
    }

    /// The head with these bytes as its body, for an error about them.
    pub(crate) fn reply_with(&self, body: Bytes) -> RawReply {
        RawReply::new(self.head.status, self.head.headers.clone(), body)
    }

    pub(crate) fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, StreamError>>> {
        let Some(pieces) = &mut self.pieces else { return Poll::Ready(None) };
        let error = match pieces.as_mut().poll_next(context) {
            Poll::Ready(Some(Ok(piece))) => {
                self.silence.broken();
                return Poll::Ready(Some(Ok(piece)));
            }
            Poll::Ready(None) => {
                self.close();
                return Poll::Ready(None);
            }
            Poll::Ready(Some(Err(fault))) => StreamError::Transport(fault),
            Poll::Pending => ready!(self.silence.poll(context)),
        };
        if error.is_break() {
            self.failed();
        }
        self.close();
        Poll::Ready(Some(Err(error)))
    }
}

impl ItemStream for ByteStream {
    type Item = Bytes;

    fn over(bytes: ByteStream, _: &StreamForm) -> Self {
        bytes
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, StreamError>>> {
        self.poll_piece(context)
    }

    fn bytes(&self) -> &ByteStream {
        self
    }

    fn bytes_mut(&mut self) -> &mut ByteStream {
        self
    }
}

impl Stream for ByteStream {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_piece(context)
    }
}

/// Shows neither headers nor bytes: they may be secrets.
impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteStream")
            .field("status", &self.head.status)
            .field("media_type", &self.media_type())
            .field("is_over", &self.pieces.is_none())
            .finish_non_exhaustive()
    }
}

/// The wait for a next piece. It runs only while somebody waits: a slow reader is no silent system.
struct Silence {
    longest: Duration,
    /// Of the guard that the stream came through.
    deadline: Option<Deadline>,
    since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Silence {
    fn new(longest: Duration) -> Self {
        Self { longest, deadline: None, since: None, timer: None }
    }

    fn broken(&mut self) {
        self.since = None;
    }

    /// Ready with the error when it has lasted too long, or the time of whoever waits is used up.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<StreamError> {
        let since = *self.since.get_or_insert_with(Instant::now);
        let silent_until = since.checked_add(self.longest);
        let deadline = [self.deadline, Deadline::current()].into_iter().flatten().min().map(Deadline::moment);
        let Some(end) = [silent_until, deadline].into_iter().flatten().min() else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(end)));
        if timer.deadline() != end {
            timer.as_mut().reset(end);
        }
        ready!(timer.as_mut().poll(context));
        Poll::Ready(match silent_until {
            Some(moment) if moment <= end => StreamError::TimedOut { limit: self.longest },
            _ => StreamError::OutOfTime,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use tokio::sync::mpsc;

    use super::*;
    use crate::deadline::within;
    use crate::error::FaultKind;

    struct Script(VecDeque<Result<Bytes, TransportFault>>, Option<mpsc::Receiver<Bytes>>);

    impl Stream for Script {
        type Item = Result<Bytes, TransportFault>;

        fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            match (self.0.pop_front(), &mut self.1) {
                (Some(piece), _) => Poll::Ready(Some(piece)),
                (None, Some(more)) => more.poll_recv(context).map(|piece| piece.map(Ok)),
                (None, None) => Poll::Ready(None),
            }
        }
    }

    fn stream(script: Script) -> ByteStream {
        let head = RawReply::new(StatusCode::OK, HeaderMap::new(), Bytes::new());
        ByteStream::new(head, Box::pin(script), Duration::from_secs(10), 100)
    }

    fn piece(text: &'static str) -> Result<Bytes, TransportFault> {
        Ok(Bytes::from_static(text.as_bytes()))
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_limited_and_counted_from_the_last_piece() {
        let (sender, receiver) = mpsc::channel(4);
        let mut stream = stream(Script(VecDeque::new(), Some(receiver)));
        let begun = Instant::now();
        let feeding = tokio::spawn(async move {
            for text in ["a", "b"] {
                tokio::time::sleep(Duration::from_secs(9)).await;
                sender.send(Bytes::from_static(text.as_bytes())).await.unwrap();
            }
            tokio::time::sleep(Duration::from_secs(3600)).await;
        });
        assert_eq!(stream.next().await.unwrap().unwrap(), "a");
        assert_eq!(stream.next().await.unwrap().unwrap(), "b");
        let error = stream.next().await.unwrap().unwrap_err();
        assert!(matches!(error, StreamError::TimedOut { limit } if limit == Duration::from_secs(10)), "{error}");
        assert_eq!(begun.elapsed(), Duration::from_secs(28));
        assert!(stream.next().await.is_none(), "an error ends it");
        feeding.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_is_no_silent_system() {
        let (sender, receiver) = mpsc::channel(4);
        let mut stream = stream(Script(VecDeque::from([piece("a")]), Some(receiver)));
        assert_eq!(stream.next().await.unwrap().unwrap(), "a");
        tokio::time::sleep(Duration::from_secs(60)).await;
        sender.send(Bytes::from_static(b"b")).await.unwrap();
        drop(sender);
        assert_eq!(stream.next().await.unwrap().unwrap(), "b");
        assert!(stream.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_of_whoever_waits_is_a_limit_too() {
        let (_sender, receiver) = mpsc::channel(4);
        let mut stream = stream(Script(VecDeque::new(), Some(receiver)));
        let begun = Instant::now();
        let error = within(Duration::from_secs(4), stream.next()).await.unwrap().unwrap_err();
        assert!(matches!(error, StreamError::OutOfTime), "{error}");
        assert_eq!(begun.elapsed(), Duration::from_secs(4));
    }

    #[tokio::test]
    async fn a_break_is_an_error_after_what_came_before_it() {
        let fault = TransportFault::new(FaultKind::Truncated, "cut");
        let mut stream = stream(Script(VecDeque::from([piece("a"), Err(fault), piece("b")]), None));
        assert_eq!(stream.next().await.unwrap().unwrap(), "a");
        assert!(matches!(stream.next().await, Some(Err(StreamError::Transport(_)))));
        assert!(stream.next().await.is_none());
    }
}
