//! The permission for one call, and its refusal.

use std::fmt;
use std::time::Duration;

use super::circuit::CircuitBreaker;
use super::clock::{Clock, RuntimeClock};
use super::state::BreakerState;
use crate::moment::nanos;

/// Permission for one call. End it with the call's outcome.
///
/// A permit that is dropped (the caller gave the call up, or the code between panicked) gives its permission back,
/// or counts as a failure when the call had already been running for longer than a slow call, as
/// [`DroppedCalls`](super::DroppedCalls) says.
///
/// Outcomes count only in the state period in which the call was permitted.
#[must_use = "a permit that is dropped at once gives its permission back"]
pub struct Permit<'b, C: Clock = RuntimeClock> {
    breaker: &'b CircuitBreaker<C>,
    generation: u64,
    /// When, by the breaker's clock, in nanoseconds.
    began: u64,
}

impl<'b, C: Clock> Permit<'b, C> {
    #[inline]
    pub(super) fn new(breaker: &'b CircuitBreaker<C>, generation: u64, began: u64) -> Self {
        Self { breaker, generation, began }
    }

    /// Time since the permission was given.
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(nanos(self.breaker.clock().now()).saturating_sub(self.began))
    }

    /// The call succeeded after `elapsed`.
    pub fn success(self, elapsed: Duration) {
        self.ended(false, nanos(elapsed));
    }

    /// The call failed after `elapsed`.
    pub fn failure(self, elapsed: Duration) {
        self.ended(true, nanos(elapsed));
    }

    fn ended(self, failed: bool, elapsed: u64) {
        let (breaker, generation) = self.into_parts();
        breaker.vote(generation, failed, elapsed);
    }

    /// The call says nothing about the system: its permission is given back.
    pub fn ignore(self) {
        let (breaker, generation) = self.into_parts();
        breaker.release(generation);
    }

    /// The call was given up, as when the permit is dropped; if that counted as a failure, after what time.
    pub fn abandon(self) -> Option<Duration> {
        let elapsed = self.elapsed();
        let (breaker, generation) = self.into_parts();
        breaker.dropped(generation, nanos(elapsed)).then_some(elapsed)
    }

    /// Forgets the permit before its outcome is told, so that it can never be told twice.
    fn into_parts(self) -> (&'b CircuitBreaker<C>, u64) {
        let parts = (self.breaker, self.generation);
        std::mem::forget(self);
        parts
    }
}

impl<C: Clock> Drop for Permit<'_, C> {
    #[inline]
    fn drop(&mut self) {
        self.breaker.dropped(self.generation, nanos(self.elapsed()));
    }
}

impl<C: Clock> fmt::Debug for Permit<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("breaker", &self.breaker.name())
            .field("generation", &self.generation)
            .field("began", &self.began)
            .finish()
    }
}

/// The state period in which a call was permitted: the only one in which it can still count. Whoever has one tells the
/// breaker how the call ended, once.
#[cfg(feature = "http")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admission {
    generation: u64,
}

#[cfg(feature = "http")]
impl Admission {
    /// To no state period there is.
    pub(crate) const NONE: Self = Self { generation: u64::MAX };

    #[inline]
    pub(super) fn to(generation: u64) -> Self {
        Self { generation }
    }
}

#[cfg(feature = "http")]
impl<C: Clock> CircuitBreaker<C> {
    /// The call ended after so many nanoseconds.
    #[inline]
    pub(crate) fn ended(&self, admission: Admission, failed: bool, elapsed: u64) {
        self.vote(admission.generation, failed, elapsed);
    }

    /// The call says nothing about the system: its permission is given back.
    #[inline]
    pub(crate) fn ignored(&self, admission: Admission) {
        self.release(admission.generation);
    }

    /// The call was given up so many nanoseconds after it was permitted. Whether that is a failure of it.
    pub(crate) fn abandoned(&self, admission: Admission, elapsed: u64) -> bool {
        self.dropped(admission.generation, elapsed)
    }

    /// A call that was told as a success turned out a failure later on: one failure more, never a slow one.
    pub(crate) fn failed_later(&self, admission: Admission) {
        self.vote(admission.generation, true, 0);
    }
}

/// A breaker refused a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPermitted {
    /// The state it is in.
    pub state: BreakerState,
    /// The rest of the wait, when open. In half-open it depends on the probes, in forced open on an operator.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for NotPermitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not permitted: the circuit breaker is {}", self.state)?;
        match self.retry_after {
            Some(wait) => write!(f, " for another {wait:?}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for NotPermitted {}
