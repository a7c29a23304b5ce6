use std::time::Duration;

use tokio::time::Instant;

use crate::Verdict;
use crate::breaker::Permit;

/// The breaker's permit for a call, from its admission to its vote, whatever happens in between:
///
/// - recorded: it counts as judged;
/// - dropped while an exchange was under way, or between two of them: the breaker decides by how long it ran;
/// - dropped before one began, or by a panic, which is our own code's or the team's and nothing the system did
///   (R-RES-WHERE-X1): it counts for nothing.
#[derive(Debug)]
pub(super) struct Vote<'b> {
    permit: Option<Permit<'b>>,
    started: Option<Instant>,
    elapsed: Duration,
}

impl<'b> Vote<'b> {
    #[inline]
    pub(super) fn new(permit: Permit<'b>) -> Self {
        Self { permit: Some(permit), started: None, elapsed: Duration::ZERO }
    }

    /// An exchange begins. What came before it, such as waiting for a place, is not the system's time.
    #[inline]
    pub(super) fn exchange_begins(&mut self, now: Instant) {
        self.started.get_or_insert(now);
    }

    /// The exchange has ended; how long the call has taken.
    #[inline]
    pub(super) fn exchange_ended(&mut self) -> Duration {
        let now = Instant::now();
        self.elapsed = self.started.map_or(Duration::ZERO, |started| now.saturating_duration_since(started));
        self.elapsed
    }

    /// Tells the breaker.
    #[inline]
    pub(super) fn record(mut self, verdict: Verdict) {
        if let Some(permit) = self.permit.take() {
            match verdict {
                Verdict::Success => permit.success(self.elapsed),
                Verdict::Failure => permit.failure(self.elapsed),
                Verdict::Ignored => permit.ignore(),
            }
        }
    }
}

impl Drop for Vote<'_> {
    #[inline]
    fn drop(&mut self) {
        let Some(permit) = self.permit.take() else { return };
        if self.started.is_none() || std::thread::panicking() {
            permit.ignore();
        } else {
            // The permit itself knows what a dropped call counts as.
            drop(permit);
        }
    }
}
