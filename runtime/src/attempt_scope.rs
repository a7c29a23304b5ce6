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
/// Each word has its own place, and most calls touch one only: words that are set and read back together are copied
/// together, and whoever reads them so waits for each.
struct Current {
    /// When it must have ended.
    end: Cell<u64>,
    /// Whether the client noted anything.
    noted: Cell<bool>,
    notes: Cell<Notes>,
}

/// No attempt: one that ends 584 years after the first.
const NONE: u64 = u64::MAX;

/// What the client of an attempt notes for its guard.
#[derive(Debug, Clone, Copy)]
struct Notes {
    /// The trace id of its logical call; 0: not made up yet.
    trace: u128,
    /// It sent something that cannot be sent again.
    spent: bool,
}

impl Notes {
    const EMPTY: Self = Self { trace: 0, spent: false };
}

impl Current {
    fn notes(&self) -> Notes {
        if self.noted.get() { self.notes.get() } else { Notes::EMPTY }
    }

    fn note(&self, notes: Notes) {
        self.notes.set(notes);
        self.noted.set(true);
    }
}

// A plain cell, not tokio's task locals: it is set and read back on every poll of every call.
thread_local! {
    static CURRENT: Current =
        const { Current { end: Cell::new(NONE), noted: Cell::new(false), notes: Cell::new(Notes::EMPTY) } };
}

/// While it lives, its attempt is the current one.
struct Polled {
    outer_end: u64,
    /// Of the attempt around it, if there are any.
    outer_notes: Option<Notes>,
}

impl Polled {
    #[inline]
    fn begin(end: Moment, notes: Option<Notes>) -> Self {
        CURRENT.with(|current| {
            let outer_end = current.end.replace(end.number());
            let outer_notes = current.noted.replace(notes.is_some()).then(|| current.notes.get());
            if let Some(notes) = notes {
                current.notes.set(notes);
            }
            Self { outer_end, outer_notes }
        })
    }

    /// What was noted in this poll, or before and had been handed in.
    #[inline]
    fn end(self) -> Option<Notes> {
        CURRENT.with(|current| current.noted.get().then(|| current.notes.get()))
    }
}

impl Drop for Polled {
    #[inline]
    fn drop(&mut self) {
        CURRENT.with(|current| {
            current.end.set(self.outer_end);
            current.noted.set(self.outer_notes.is_some());
            if let Some(notes) = self.outer_notes {
                current.notes.set(notes);
            }
        });
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
    let mut notes = (*trace != 0).then_some(Notes { trace: *trace, ..Notes::EMPTY });
    let mut poll = |context: &mut Context<'_>| {
        let _in_span = span.enter();
        let polled = Polled::begin(end, notes);
        let poll = attempt.as_mut().poll(context).map(|value| *output = Some(value));
        notes = polled.end();
        if let Some(notes) = notes {
            *trace = notes.trace;
        }
        poll
    };
    // What is done at once needs no timer, and a timer costs more than all the rest here.
    if poll_fn(|context| Poll::Ready(poll(context))).await.is_pending() {
        // Out of time: then there is no output.
        let _ = timeout_at(end.instant(), poll_fn(poll)).await;
    }
    !notes.is_some_and(|notes| notes.spent)
}

/// When the attempt that runs in this task must have ended.
pub(crate) fn current_end() -> Option<Instant> {
    let end = CURRENT.with(|current| current.end.get());
    (end != NONE).then(|| Moment::from_number(end).instant())
}

/// The trace id of the logical call that this task is an attempt of, made up for the first who asks.
pub(crate) fn current_trace() -> Option<u128> {
    CURRENT.with(|current| {
        if current.end.get() == NONE {
            return None;
        }
        let mut notes = current.notes();
        if notes.trace == 0 {
            notes.trace = new_trace();
            current.note(notes);
        }
        Some(notes.trace)
    })
}

/// The attempt that runs in this task sends something that cannot be sent a second time, such as a stream. Without a
/// guard around it there is nobody who would repeat it.
pub(crate) fn cannot_be_repeated() {
    CURRENT.with(|current| {
        if current.end.get() != NONE {
            current.note(Notes { spent: true, ..current.notes() });
        }
    });
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
