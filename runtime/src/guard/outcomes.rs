use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::error::CallError;

type Inner<T, R> = Pin<Box<dyn Stream<Item = Result<T, CallError<R>>> + Send>>;

/// Outcomes that come one after another, of the operation that the adapter's method is for: the items of a stream, or the
/// pages of a list.
///
/// It is a [`Stream`]; [`next`](Self::next) is there for those who have no combinators at hand. It does nothing while
/// nobody asks for the next outcome, and dropping it gives back whatever it holds.
pub struct Outcomes<T, R> {
    inner: Inner<T, R>,
}

impl<T, R> Outcomes<T, R> {
    /// Outcomes from anywhere: for a test's own port, say.
    pub fn new(stream: impl Stream<Item = Result<T, CallError<R>>> + Send + 'static) -> Self {
        Self { inner: Box::pin(stream) }
    }

    /// The next outcome; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<T, CallError<R>>> {
        std::future::poll_fn(|context| self.inner.as_mut().poll_next(context)).await
    }
}

impl<T, R> Stream for Outcomes<T, R> {
    type Item = Result<T, CallError<R>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.inner.as_mut().poll_next(context)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl<T, R> fmt::Debug for Outcomes<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outcomes")
    }
}
