//! Where the breaker reads the time.

use std::time::Duration;

use crate::moment::Moment;

/// A clock that never runs backwards, told as time since a zero of its own.
///
/// The zero is a whole second: a time-based window counts in whole clock seconds from it.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Duration;
}

/// Time since this clock was made, by the runtime's own clock (tokio's, so that paused time works in tests).
#[derive(Debug, Clone, Copy)]
pub struct RuntimeClock {
    zero: Moment,
}

impl RuntimeClock {
    /// A clock whose zero is now.
    pub fn new() -> Self {
        Self { zero: Moment::now() }
    }

    /// Where it begins.
    #[cfg(feature = "http")]
    #[inline]
    pub(crate) fn zero(&self) -> Moment {
        self.zero
    }
}

impl Default for RuntimeClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for RuntimeClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(Moment::now().since(self.zero))
    }
}

/// The time of one operation: read from the clock when first asked for, and then the same until the end.
///
/// Most calls never need it, and reading a clock costs more than everything else a breaker does for a good call.
pub(super) struct Now<'c, C> {
    clock: &'c C,
    read: Option<Duration>,
}

impl<'c, C: Clock> Now<'c, C> {
    pub(super) fn of(clock: &'c C) -> Self {
        Self { clock, read: None }
    }

    /// A time that has been read already. Another thread may have read a later one and be first: then it is as if this
    /// operation had been quicker.
    pub(super) fn known(clock: &'c C, now: Duration) -> Self {
        Self { clock, read: Some(now) }
    }

    pub(super) fn get(&mut self) -> Duration {
        *self.read.get_or_insert_with(|| self.clock.now())
    }
}
