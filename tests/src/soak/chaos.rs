//! A mapping that panics now and then, and a caller that goes away in the middle of anything.

use std::future::{Future, poll_fn};
use std::panic;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Poll;

use cofferdam_runtime::{Mapping, MappingError, Operation, Refusal, StatusCode, Verdict};

/// One of so many uses of the mapping panics.
const PANICS: u64 = 700;

/// What a panic of ours says.
#[derive(Debug)]
struct OnPurpose;

/// Panics of ours are not shown; others are.
pub(super) fn silence_own_panics() {
    let shown = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !info.payload().is::<OnPurpose>() {
            shown(info);
        }
    }));
}

/// Does what another mapping does, and panics now and then.
#[derive(Debug)]
pub(super) struct Chaotic<M> {
    inner: M,
    uses: AtomicU64,
    is_calm: AtomicBool,
}

impl<M> Chaotic<M> {
    pub(super) fn new(inner: M) -> Self {
        Self { inner, uses: AtomicU64::new(0), is_calm: AtomicBool::new(false) }
    }

    /// From now on it does not panic.
    pub(super) fn calm(&self) {
        self.is_calm.store(true, Ordering::SeqCst);
    }

    fn perhaps_panic(&self) {
        if !self.is_calm.load(Ordering::SeqCst) && self.uses.fetch_add(1, Ordering::Relaxed) % PANICS == PANICS - 1 {
            panic::panic_any(OnPurpose);
        }
    }
}

impl<Op: Operation, M: Mapping<Op>> Mapping<Op> for Chaotic<M> {
    type Command = M::Command;
    type Outcome = M::Outcome;
    type Rejection = M::Rejection;

    fn request(&self, command: &Self::Command) -> Result<Op::Request, MappingError> {
        self.perhaps_panic();
        self.inner.request(command)
    }

    fn verdict(&self, reply: &Op::Reply) -> Verdict {
        self.perhaps_panic();
        self.inner.verdict(reply)
    }

    fn outcome(&self, reply: Op::Reply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        self.perhaps_panic();
        self.inner.outcome(reply)
    }

    fn rejection(&self, status: StatusCode, body: Op::Rejection) -> Self::Rejection {
        self.perhaps_panic();
        self.inner.rejection(status, body)
    }
}

/// Polls a future so often, and drops it if it has not ended by then.
pub(super) async fn drop_after<F: Future>(polls: u32, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(move |context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}
