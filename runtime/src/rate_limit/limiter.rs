use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::cycles::Cycles;
use crate::breaker::{Clock, RuntimeClock};
#[cfg(feature = "http")]
use crate::moment::Moment;
use crate::moment::nanos;
use crate::settings::RateLimitSettings;

/// A limiter to be shared by all calls to one system.
///
/// ```
/// use cofferdam_runtime::rate_limit::RateLimiter;
/// use cofferdam_runtime::settings::RateLimitSettings;
/// use std::time::Duration;
///
/// let second = Duration::from_secs(1);
/// let limiter = RateLimiter::new(&RateLimitSettings { limit: 2, period: second, max_wait: second });
/// assert_eq!(limiter.reserve(1), Ok(Duration::ZERO));
/// assert_eq!(limiter.reserve(1), Ok(Duration::ZERO));
/// assert!(limiter.reserve(1).is_ok_and(|wait| !wait.is_zero()), "in the next cycle");
/// ```
#[derive(Debug)]
pub struct RateLimiter<C: Clock = RuntimeClock> {
    state: Mutex<State>,
    clock: C,
    /// What the clock said when the limiter was made.
    made: u64,
}

#[derive(Debug)]
struct State {
    cycles: Cycles,
    max_wait: Duration,
}

impl RateLimiter {
    /// A limiter on the runtime's clock. Its first cycle begins now.
    pub fn new(settings: &RateLimitSettings) -> Self {
        Self::with_clock(settings, RuntimeClock::new())
    }

    /// One permission, for a caller that has just read the clock. The wait in nanoseconds.
    #[cfg(feature = "http")]
    pub(crate) fn reserve_at(&self, now: Moment, longest: u64) -> Result<u64, RateLimited> {
        self.take(1, now.since(self.clock.zero()).saturating_sub(self.made), longest)
    }
}

impl<C: Clock> RateLimiter<C> {
    /// A limiter on a clock of the caller's.
    pub fn with_clock(settings: &RateLimitSettings, clock: C) -> Self {
        let state = State { cycles: Cycles::starting(settings, 0), max_wait: settings.max_wait };
        Self { state: Mutex::new(state), made: nanos(clock.now()), clock }
    }

    /// Reserves permissions. The time to wait before they may be used; zero for none.
    ///
    /// What is reserved is used up, even by a caller that then goes away: those behind it were already told when
    /// their turn is, and moving somebody up would break the limit in their cycle.
    pub fn reserve(&self, permits: u32) -> Result<Duration, RateLimited> {
        let max_wait = self.locked().max_wait;
        self.reserve_within(permits, max_wait)
    }

    /// Reserves permissions if the wait for them is no longer than this.
    pub fn reserve_within(&self, permits: u32, longest: Duration) -> Result<Duration, RateLimited> {
        self.take(permits, self.now(), nanos(longest)).map(Duration::from_nanos)
    }

    fn take(&self, permits: u32, now: u64, longest: u64) -> Result<u64, RateLimited> {
        let (wait, taken) = self.locked().cycles.take(i64::from(permits), now, longest);
        if taken { Ok(wait) } else { Err(RateLimited { retry_after: Duration::from_nanos(wait) }) }
    }

    /// Permissions to be had now; negative: reserved ahead.
    pub fn available(&self) -> i64 {
        let now = self.now();
        self.locked().cycles.available(now)
    }

    /// Takes away what was left after the last reservation, as when the system says that the quota is used up; with
    /// permissions reserved ahead, gives those back. In a cycle nobody has used yet it leaves the difference.
    pub fn drain(&self) {
        let now = self.now();
        self.locked().cycles.drain(now);
    }

    /// Takes new settings; they hold from the next reservation on, also for cycles that went by unseen.
    pub fn reconfigure(&self, settings: &RateLimitSettings) {
        let now = self.now();
        let mut state = self.locked();
        state.cycles.reconfigure(settings, now);
        state.max_wait = settings.max_wait;
    }

    /// Begins anew with these settings: nothing is reserved, and the whole limit is there. The first cycle begins now.
    pub fn restart(&self, settings: &RateLimitSettings) {
        let now = self.now();
        let mut state = self.locked();
        *state = State { cycles: Cycles::starting(settings, now), max_wait: settings.max_wait };
    }

    fn now(&self) -> u64 {
        nanos(self.clock.now()).saturating_sub(self.made)
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// No permission to be had in time; nothing was reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// After which time there would be one, as things are now.
    pub retry_after: Duration,
}

impl fmt::Display for RateLimited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rate limit reached, next in {:?}", self.retry_after)
    }
}

impl std::error::Error for RateLimited {}
