use super::meters::Meters;
use crate::Verdict;
use crate::breaker::{Admission, CircuitBreaker, NotPermitted};
use crate::moment::Moment;

/// A call's word with the breaker, from its admission to its vote, whatever happens in between:
///
/// - recorded: it counts as judged;
/// - dropped while an exchange was under way, or between two of them: the breaker decides by how long it ran;
/// - dropped before one began, or by a panic, which is our own code's or the team's and nothing the system did
///   (R-RES-WHERE-X1): it counts for nothing.
///
/// It stays where it was made: copying it would cost more than all that is done with it.
pub(crate) struct Vote<'b> {
    breaker: &'b CircuitBreaker,
    meters: &'b Meters,
    /// Whether there is a vote to be given.
    is_open: bool,
    admission: Admission,
    admitted: Moment,
    started: Option<Moment>,
    /// Nanoseconds.
    elapsed: u64,
}

impl<'b> Vote<'b> {
    /// None yet.
    #[inline(always)]
    pub(super) fn new(breaker: &'b CircuitBreaker, meters: &'b Meters) -> Self {
        let (admission, admitted) = (Admission::NONE, Moment::FIRST);
        Self { breaker, meters, is_open: false, admission, admitted, started: None, elapsed: 0 }
    }

    /// Has the call admitted, if it is not yet.
    #[inline]
    pub(super) fn open(&mut self, now: Moment) -> Result<(), NotPermitted> {
        if !self.is_open {
            self.admission = self.breaker.admit_at(now)?;
            self.admitted = now;
            self.started = None;
            self.is_open = true;
        }
        Ok(())
    }

    /// What remains of the admission for what outlives the call.
    #[inline]
    pub(super) fn admission(&self) -> Option<Admission> {
        self.is_open.then_some(self.admission)
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

    /// Tells the breaker, once, and says when the exchange ended, if there was one.
    #[inline]
    pub(super) fn record(&mut self, verdict: Verdict) -> Option<Moment> {
        if !self.is_open {
            return None;
        }
        self.is_open = false;
        self.meters.call(verdict, self.elapsed);
        match verdict {
            Verdict::Success => self.breaker.ended(self.admission, false, self.elapsed),
            Verdict::Failure => self.breaker.ended(self.admission, true, self.elapsed),
            Verdict::Ignored => self.breaker.ignored(self.admission),
        }
        self.started.map(|started| started.plus(self.elapsed))
    }

    #[cold]
    fn abandon(&mut self) {
        if self.started.is_none() || std::thread::panicking() {
            self.breaker.ignored(self.admission);
            return;
        }
        let elapsed = Moment::now().since(self.admitted);
        if self.breaker.abandoned(self.admission, elapsed) {
            self.meters.call(Verdict::Failure, elapsed);
        }
    }
}

impl Drop for Vote<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.is_open {
            self.abandon();
        }
    }
}
