//! What the client knows about the attempt it is part of, without it being handed through generated code.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, timeout_at};
use tracing::Span;

use crate::moment::Moment;
use crate::trace::new_trace;

/// What is known of the attempt whose future a thread polls.
///
/// Whole words only: one that is padded is copied in pieces, and reading it back right after waits for each.
#[derive(Debug, Clone, Copy)]
struct Scope {
    /// When it must have ended.
    end: u64,
    /// The upper half of its logical call's trace id …
    high: u64,
    /// … and the lower one; 0: not made up yet.
    low: u64,
    /// 1: it sent something that cannot be sent again.
    spent: u64,
}

impl Scope {
    /// No attempt: one that ends 584 years after the first.
    const NONE: Self = Self { end: u64::MAX, high: 0, low: 0, spent: 0 };

    #[inline]
    fn trace(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    #[inline]
    fn with_trace(self, trace: u128) -> Self {
        Self { high: (trace >> 64) as u64, low: trace as u64, ..self }
    }
}

// A plain cell, not tokio's task locals: it is set and read back on every poll of every call.
thread_local! {
    static CURRENT: Cell<Scope> = const { Cell::new(Scope::NONE) };
}

/// While it lives, its attempt is the current one.
struct Polled {
    outer: Scope,
}

impl Polled {
    #[inline]
    fn begin(scope: Scope) -> Self {
        Self { outer: CURRENT.replace(scope) }
    }

    /// What became of the scope in this poll.
    #[inline]
    fn end(self) -> Scope {
        CURRENT.get()
    }
}

impl Drop for Polled {
    #[inline]
    fn drop(&mut self) {
        CURRENT.set(self.outer);
    }
}

/// Runs one attempt, pinned where it was made, in its span, until its end at the latest. The client in it sees that end
/// too and hits it first, since it can tell in which phase the time ran out. What it answers goes to `output`, which
/// stays empty if its time runs out first. `trace` is the id made up for the logical call, 0 until somebody asks for
/// it. Whether what it sent could be sent again.
#[inline]
pub(crate) async fn run<F: Future>(
    end: Moment,
    trace: &mut u128,
    span: &Span,
    mut attempt: Pin<&mut F>,
    output: &mut Option<F::Output>,
) -> bool {
    let mut scope = Scope { end: end.number(), ..Scope::NONE }.with_trace(*trace);
    let mut poll = |context: &mut Context<'_>| {
        let _in_span = span.enter();
        let polled = Polled::begin(scope);
        let poll = attempt.as_mut().poll(context).map(|value| *output = Some(value));
        scope = polled.end();
        *trace = scope.trace();
        poll
    };
    // What is done at once needs no timer, and a timer costs more than all the rest here.
    if poll_fn(|context| Poll::Ready(poll(context))).await.is_pending() {
        // Out of time: then there is no output.
        let _ = timeout_at(end.instant(), poll_fn(poll)).await;
    }
    scope.spent == 0
}

/// When the attempt that runs in this task must have ended.
pub(crate) fn current_end() -> Option<Instant> {
    let end = CURRENT.get().end;
    (end != Scope::NONE.end).then(|| Moment::from_number(end).instant())
}

/// The trace id of the logical call that this task is an attempt of, made up for the first who asks.
pub(crate) fn current_trace() -> Option<u128> {
    let mut scope = CURRENT.get();
    if scope.end == Scope::NONE.end {
        return None;
    }
    if scope.low == 0 {
        scope = scope.with_trace(new_trace());
        CURRENT.set(scope);
    }
    Some(scope.trace())
}

/// The attempt that runs in this task sends something that cannot be sent a second time, such as a stream. Without a
/// guard around it there is nobody who would repeat it.
pub(crate) fn cannot_be_repeated() {
    CURRENT.set(Scope { spent: 1, ..CURRENT.get() });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn ended<F: Future>(end: Instant, attempt: F) -> (Option<F::Output>, bool) {
        let mut output = None;
        let attempt = std::pin::pin!(attempt);
        let repeatable = run(Moment::of(end), &mut 0, &Span::none(), attempt, &mut output).await;
        (output, repeatable)
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_within_each_other_and_beside_each_other_keep_their_own() {
        let now = Instant::now();
        let end = |seconds| now + Duration::from_secs(seconds);
        let attempt = async |seconds: u64, spoils: bool| {
            let attempt = async {
                assert_eq!(current_end(), Some(end(seconds)));
                tokio::task::yield_now().await;
                if spoils {
                    cannot_be_repeated();
                }
                assert_eq!(ended(end(1), async { current_end() }).await, (Some(Some(end(1))), true));
                assert_eq!(current_end(), Some(end(seconds)));
            };
            ended(end(seconds), attempt).await
        };
        assert_eq!(tokio::join!(attempt(5, true), attempt(6, false)), ((Some(()), false), (Some(()), true)));
        assert_eq!(current_end(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_of_one_call_have_one_trace_id_and_nobody_else_has_it() {
        let (mut trace, end) = (0, Moment::of(Instant::now() + Duration::from_secs(1)));
        let mut ids = Vec::new();
        for _ in 0..2 {
            let mut id = None;
            let attempt = std::pin::pin!(async {
                tokio::task::yield_now().await;
                current_trace()
            });
            run(end, &mut trace, &Span::none(), attempt, &mut id).await;
            ids.push(id.flatten());
        }
        assert_eq!(ids, [Some(trace), Some(trace)]);
        assert_ne!(trace, 0);
        assert_eq!(current_trace(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_leaves_nothing_behind() {
        let task = tokio::spawn(ended(Instant::now(), async { panic!("on purpose") }));
        assert!(task.await.is_err());
        assert_eq!(current_end(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn it_ends_at_its_end() {
        let start = Instant::now();
        assert_eq!(ended(start + Duration::from_secs(3), std::future::pending::<()>()).await, (None, true));
        assert_eq!(start.elapsed(), Duration::from_secs(3));
    }
}
