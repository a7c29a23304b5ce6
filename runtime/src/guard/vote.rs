use super::meters::Meters;
use crate::Verdict;
use crate::breaker::{Admission, Permit};
use crate::moment::{Moment, nanos};

/// The breaker's permit for a call, from its admission to its vote, whatever happens in between:
///
/// - recorded: it counts as judged;
/// - dropped while an exchange was under way, or between two of them: the breaker decides by how long it ran;
/// - dropped before one began, or by a panic, which is our own code's or the team's and nothing the system did
///   (R-RES-WHERE-X1): it counts for nothing.
pub(crate) struct Vote<'b> {
    permit: Option<Permit<'b>>,
    meters: &'b Meters,
    started: Option<Moment>,
    /// Nanoseconds.
    elapsed: u64,
}

impl<'b> Vote<'b> {
    #[inline]
    pub(super) fn new(permit: Permit<'b>, meters: &'b Meters) -> Self {
        Self { permit: Some(permit), meters, started: None, elapsed: 0 }
    }

    /// What remains of the permit for what outlives the call.
    pub(super) fn admission(&self) -> Option<Admission> {
        self.permit.as_ref().map(Permit::admission)
    }

    /// An exchange begins. What came before it, such as waiting for a place, is not the system's time.
    #[inline]
    pub(super) fn exchange_begins(&mut self, now: Moment) {
        self.started.get_or_insert(now);
    }

    /// The exchange has ended; how long the call has taken, in nanoseconds.
    #[inline]
    pub(super) fn exchange_ended(&mut self, now: Moment) -> u64 {
        self.elapsed = self.started.map_or(0, |started| now.since(started));
        self.elapsed
    }

    /// Tells the breaker, and says when the exchange ended, if there was one.
    #[inline]
    pub(super) fn record(&mut self, verdict: Verdict) -> Option<Moment> {
        if let Some(permit) = self.permit.take() {
            self.meters.call(verdict, self.elapsed);
            match verdict {
                Verdict::Success => permit.ended(false, self.elapsed),
                Verdict::Failure => permit.ended(true, self.elapsed),
                Verdict::Ignored => permit.ignore(),
            }
        }
        self.started.map(|started| started.plus(self.elapsed))
    }
}

impl Drop for Vote<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(permit) = self.permit.take() {
            abandoned(permit, self.started, self.meters);
        }
    }
}

#[cold]
fn abandoned(permit: Permit<'_>, started: Option<Moment>, meters: &Meters) {
    if started.is_none() || std::thread::panicking() {
        permit.ignore();
    } else if let Some(elapsed) = permit.abandon() {
        meters.call(Verdict::Failure, nanos(elapsed));
    }
}
