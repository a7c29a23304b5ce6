//! Sums of outcomes, and the rates they give.

/// One call's outcome, as a window counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::breaker) struct Vote {
    pub(in crate::breaker) failed: bool,
    pub(in crate::breaker) slow: bool,
}

/// How many calls, and how many of them were what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::breaker) struct Tally {
    pub(in crate::breaker) calls: u64,
    pub(in crate::breaker) failed: u64,
    pub(in crate::breaker) slow: u64,
    pub(in crate::breaker) slow_failed: u64,
}

/// Rates in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::breaker) struct Rates {
    pub(in crate::breaker) failure: f32,
    pub(in crate::breaker) slow: f32,
}

impl Tally {
    pub(super) fn add(&mut self, vote: Vote) {
        let (failed, slow) = (u64::from(vote.failed), u64::from(vote.slow));
        self.calls += 1;
        self.failed += failed;
        self.slow += slow;
        self.slow_failed += failed & slow;
    }

    pub(super) fn remove(&mut self, vote: Vote) {
        let mut gone = Self::default();
        gone.add(vote);
        self.subtract(gone);
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            failed: self.failed + other.failed,
            slow: self.slow + other.slow,
            slow_failed: self.slow_failed + other.slow_failed,
        }
    }

    pub(super) fn subtract(&mut self, gone: Self) {
        self.calls = self.calls.saturating_sub(gone.calls);
        self.failed = self.failed.saturating_sub(gone.failed);
        self.slow = self.slow.saturating_sub(gone.slow);
        self.slow_failed = self.slow_failed.saturating_sub(gone.slow_failed);
    }

    /// The rates, or nothing when there are fewer calls than `minimum`, or none.
    pub(in crate::breaker) fn rates(&self, minimum: u64) -> Option<Rates> {
        let enough = self.calls > 0 && self.calls >= minimum;
        enough.then(|| Rates { failure: percent(self.failed, self.calls), slow: percent(self.slow, self.calls) })
    }
}

/// A 32-bit float, and in this order of operations: a threshold that is just met must be met to the last bit, as in
/// Resilience4j.
fn percent(part: u64, whole: u64) -> f32 {
    part as f32 * 100.0 / whole as f32
}
