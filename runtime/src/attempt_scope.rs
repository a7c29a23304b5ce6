//! What the client knows about the attempt it is part of, without it being handed through generated code.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, timeout_at};
use tracing::Span;

#[derive(Debug, Clone, Copy)]
struct Attempt {
    end: Instant,
    repeatable: bool,
}

thread_local! {
    /// The attempt whose future this thread polls. A cell, not one of tokio's task locals: it is set and read back on
    /// every poll of every call.
    static CURRENT: Cell<Option<Attempt>> = const { Cell::new(None) };
}

/// While it lives, its attempt is the current one.
struct Polled {
    outer: Option<Attempt>,
}

impl Polled {
    #[inline]
    fn begin(attempt: Attempt) -> Self {
        Self { outer: CURRENT.replace(Some(attempt)) }
    }

    /// The attempt as it is after the poll.
    #[inline]
    fn end(self, before: Attempt) -> Attempt {
        CURRENT.get().unwrap_or(before)
    }
}

impl Drop for Polled {
    #[inline]
    fn drop(&mut self) {
        CURRENT.set(self.outer);
    }
}

/// An attempt that is over.
pub(crate) struct Ended<T> {
    /// What it answered, unless its time ran out first.
    pub(crate) output: Option<T>,
    /// Whether what it sent could be sent again.
    pub(crate) repeatable: bool,
}

/// Runs one attempt in its span, until its end at the latest. The client in it sees that end too and hits it first,
/// since it can tell in which phase the time ran out.
#[inline]
pub(crate) async fn run<F: Future>(end: Instant, span: Span, attempt: F) -> Ended<F::Output> {
    let mut attempt = pin!(attempt);
    let mut scope = Attempt { end, repeatable: true };
    let mut poll = |context: &mut Context<'_>| {
        let _in_span = span.enter();
        let polled = Polled::begin(scope);
        let output = attempt.as_mut().poll(context);
        scope = polled.end(scope);
        output
    };
    // What is done at once needs no timer, and a timer costs more than all the rest here.
    let output = match poll_fn(|context| Poll::Ready(poll(context))).await {
        Poll::Ready(output) => Some(output),
        Poll::Pending => timeout_at(end, poll_fn(poll)).await.ok(),
    };
    Ended { output, repeatable: scope.repeatable }
}

/// When the attempt that runs in this task must have ended.
pub(crate) fn current_end() -> Option<Instant> {
    CURRENT.get().map(|attempt| attempt.end)
}

/// The attempt that runs in this task sends something that cannot be sent a second time, such as a stream. Without a
/// guard around it there is nobody who would repeat it.
pub(crate) fn cannot_be_repeated() {
    CURRENT.set(CURRENT.get().map(|attempt| Attempt { repeatable: false, ..attempt }));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn attempts_within_each_other_and_beside_each_other_keep_their_own() {
        let now = Instant::now();
        let end = |seconds| now + Duration::from_secs(seconds);
        let attempt = async |seconds: u64, spoils: bool| {
            let ended = run(end(seconds), Span::none(), async {
                assert_eq!(current_end(), Some(end(seconds)));
                tokio::task::yield_now().await;
                if spoils {
                    cannot_be_repeated();
                }
                let inner = run(end(1), Span::none(), async { current_end() }).await;
                assert_eq!((inner.output, inner.repeatable), (Some(Some(end(1))), true));
                assert_eq!(current_end(), Some(end(seconds)));
            });
            ended.await.repeatable
        };
        assert_eq!(tokio::join!(attempt(5, true), attempt(6, false)), (false, true));
        assert_eq!(current_end(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_leaves_nothing_behind() {
        let task = tokio::spawn(run(Instant::now(), Span::none(), async { panic!("on purpose") }));
        assert!(task.await.is_err());
        assert_eq!(current_end(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn it_ends_at_its_end() {
        let start = Instant::now();
        let ended = run(start + Duration::from_secs(3), Span::none(), std::future::pending::<()>()).await;
        assert_eq!((ended.output, start.elapsed()), (None, Duration::from_secs(3)));
    }
}
