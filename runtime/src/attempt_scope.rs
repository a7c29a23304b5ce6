//! What the client knows about the attempt it is part of, without it being handed through generated code.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, timeout_at};
use tracing::Span;

use crate::moment::Moment;

/// Stands for no attempt: 584 years after the first.
const NONE: u64 = u64::MAX;

// What is known of the attempt whose future this thread polls. Plain cells, not tokio's task locals: they are set and
// read back on every poll of every call.
thread_local! {
    static END: Cell<u64> = const { Cell::new(NONE) };
    static SPENT: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, its attempt is the current one.
struct Polled {
    outer_end: u64,
    outer_spent: bool,
}

impl Polled {
    #[inline]
    fn begin(end: Moment) -> Self {
        Self { outer_end: END.replace(end.number()), outer_spent: SPENT.replace(false) }
    }

    /// Whether something was sent in this poll that cannot be sent again.
    #[inline]
    fn end(self) -> bool {
        SPENT.get()
    }
}

impl Drop for Polled {
    #[inline]
    fn drop(&mut self) {
        END.set(self.outer_end);
        SPENT.set(self.outer_spent);
    }
}

/// Runs one attempt, pinned where it was made, in its span, until its end at the latest. The client in it sees that end too and hits it first,
/// since it can tell in which phase the time ran out. What it answers goes to `output`, which stays empty if its time
/// runs out first. Whether what it sent could be sent again.
#[inline]
pub(crate) async fn run<F: Future>(
    end: Moment,
    span: &Span,
    mut attempt: Pin<&mut F>,
    output: &mut Option<F::Output>,
) -> bool {
    let mut spent = false;
    let mut poll = |context: &mut Context<'_>| {
        let _in_span = span.enter();
        let polled = Polled::begin(end);
        let poll = attempt.as_mut().poll(context).map(|value| *output = Some(value));
        spent |= polled.end();
        poll
    };
    // What is done at once needs no timer, and a timer costs more than all the rest here.
    if poll_fn(|context| Poll::Ready(poll(context))).await.is_pending() {
        // Out of time: then there is no output.
        let _ = timeout_at(end.instant(), poll_fn(poll)).await;
    }
    !spent
}

/// When the attempt that runs in this task must have ended.
pub(crate) fn current_end() -> Option<Instant> {
    let end = END.get();
    (end != NONE).then(|| Moment::from_number(end).instant())
}

/// The attempt that runs in this task sends something that cannot be sent a second time, such as a stream. Without a
/// guard around it there is nobody who would repeat it.
pub(crate) fn cannot_be_repeated() {
    SPENT.set(true);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn ended<F: Future>(end: Instant, attempt: F) -> (Option<F::Output>, bool) {
        let mut output = None;
        let repeatable = run(Moment::of(end), &Span::none(), std::pin::pin!(attempt), &mut output).await;
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
