use std::time::Duration;

use tokio::time::Instant;

use super::meters::Meters;
use crate::Verdict;
use crate::breaker::{Admission, Permit};

/// The breaker's permit for a call, from its admission to its vote, whatever happens in between:
///
/// - recorded: it counts as judged;
/// - dropped while an exchange was under way, or between two of them: the breaker decides by how long it ran;
/// - dropped before one began, or by a panic, which is our own code's or the team's and nothing the system did
///   (R-RES-WHERE-X1): it counts for nothing.
pub(super) struct Vote<'b> {
    permit: Option<Permit<'b>>,
    meters: &'b Meters,
    started: Option<Instant>,
    elapsed: Duration,
}

impl<'b> Vote<'b> {
    pub(super) fn new(permit: Permit<'b>, meters: &'b Meters) -> Self {
        Self { permit: Some(permit), meters, started: None, elapsed: Duration::ZERO }
    }

    /// What remains of the permit for what outlives the call.
    pub(super) fn admission(&self) -> Option<Admission> {
        self.permit.as_ref().map(Permit::admission)
    }

    /// An exchange begins. What came before it, such as waiting for a place, is not the system's time.
    pub(super) fn exchange_begins(&mut self, now: Instant) {
        self.started.get_or_insert(now);
    }

    /// The exchange has ended; how long the call has taken.
    pub(super) fn exchange_ended(&mut self) -> Duration {
        self.elapsed = self.started.map_or(Duration::ZERO, |started| started.elapsed());
        self.elapsed
    }

    /// Tells the breaker, and says when the exchange ended, if there was one.
    pub(super) fn record(mut self, verdict: Verdict) -> Option<Instant> {
        if let Some(permit) = self.permit.take() {
            self.meters.call(verdict, self.elapsed);
            match verdict {
                Verdict::Success => permit.success(self.elapsed),
                Verdict::Failure => permit.failure(self.elapsed),
                Verdict::Ignored => permit.ignore(),
            }
        }
        self.started.map(|started| started + self.elapsed)
    }
}

impl Drop for Vote<'_> {
    fn drop(&mut self) {
        let Some(permit) = self.permit.take() else { return };
        if self.started.is_none() || std::thread::panicking() {
            permit.ignore();
        } else if let Some(elapsed) = permit.abandon() {
            self.meters.call(Verdict::Failure, elapsed);
        }
    }
}
