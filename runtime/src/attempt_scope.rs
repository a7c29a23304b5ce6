//! What the client knows about the attempt it is part of, without it being handed through generated code.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::time::{Instant, timeout_at};

struct Attempt {
    end: Instant,
    trace: u128,
    repeatable: AtomicBool,
}

tokio::task_local! {
    static ATTEMPT: Attempt;
}

/// An attempt that is over.
pub(crate) struct Ended<T> {
    /// What it answered, unless its time ran out first.
    pub(crate) output: Option<T>,
    /// Whether what it sent could be sent again.
    pub(crate) repeatable: bool,
}

/// Runs one attempt until its end at the latest. `trace` is that of the logical call, should there be no other. The client in it sees that end too and hits it first, since it can
/// tell in which phase the time ran out.
pub(crate) async fn run<F: Future>(end: Instant, trace: u128, attempt: F) -> Ended<F::Output> {
    let attempt = async {
        let output = timeout_at(end, attempt).await.ok();
        Ended { output, repeatable: ATTEMPT.with(|attempt| attempt.repeatable.load(Ordering::Relaxed)) }
    };
    ATTEMPT.scope(Attempt { end, trace, repeatable: AtomicBool::new(true) }, attempt).await
}

/// When the attempt that runs in this task must have ended.
pub(crate) fn current_end() -> Option<Instant> {
    ATTEMPT.try_with(|attempt| attempt.end).ok()
}

/// The trace id made up for the logical call that this task is an attempt of.
pub(crate) fn current_trace() -> Option<u128> {
    ATTEMPT.try_with(|attempt| attempt.trace).ok()
}

/// The attempt that runs in this task sends something that cannot be sent a second time, such as a stream.
pub(crate) fn cannot_be_repeated() {
    // Without a guard around it there is nobody who would repeat it.
    let _ = ATTEMPT.try_with(|attempt| attempt.repeatable.store(false, Ordering::Relaxed));
}
