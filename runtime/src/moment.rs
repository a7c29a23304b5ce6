//! Moments as one number, for what every call computes with.
//!
//! An [`Instant`] is two numbers, and comparing, adding and copying it costs a call several times what one number does.

use std::sync::OnceLock;
use std::time::Duration;

// With the HTTP side built, tokio's clock: a test that pauses tokio's time moves all layers' time with it.
#[cfg(not(feature = "http"))]
use std::time::Instant;
#[cfg(feature = "http")]
use tokio::time::Instant;

/// A moment of the runtime's clock: nanoseconds since a zero that this process chooses once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64);

static ZERO: OnceLock<Instant> = OnceLock::new();

/// A day before the process asked first, by the clock of the machine: no runtime's clock, paused or moved by a test,
/// was ever there. On a machine that is younger, and whose clock begins with it, its beginning or near it.
fn zero() -> Instant {
    const DAY: u64 = 86_400;
    *ZERO.get_or_init(|| {
        let now = std::time::Instant::now();
        let earlier = [DAY, DAY / 24, 60, 1].into_iter().find_map(|time| now.checked_sub(Duration::from_secs(time)));
        #[allow(clippy::useless_conversion, reason = "tokio's clock has another type, and is not always the one used")]
        earlier.unwrap_or(now).into()
    })
}

impl Moment {
    /// Now.
    #[inline]
    pub(crate) fn now() -> Self {
        Self::of(Instant::now())
    }

    /// This instant; one before zero is taken as that.
    #[inline]
    pub(crate) fn of(instant: Instant) -> Self {
        Self(nanos(instant.saturating_duration_since(zero())))
    }

    /// Nanoseconds since an earlier moment; none since a later one.
    #[inline]
    pub(crate) fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(feature = "http")]
impl Moment {
    /// The first there is.
    pub(crate) const FIRST: Self = Self(0);
    /// One that nobody lives to see.
    pub(crate) const LAST: Self = Self(u64::MAX);

    /// So much later; beyond the clock's end, its end.
    #[inline]
    pub(crate) fn plus(self, time: u64) -> Self {
        Self(self.0.saturating_add(time))
    }

    /// The number alone, and back.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    /// The moment of a number.
    #[inline]
    pub(crate) fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The instant, for timers. One too far for the clock is just far.
    pub(crate) fn instant(self) -> Instant {
        const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);
        zero().checked_add(Duration::from_nanos(self.0)).unwrap_or_else(|| zero() + FAR)
    }
}

/// Whole nanoseconds, the most that fit (584 years).
#[inline]
pub(crate) fn nanos(time: Duration) -> u64 {
    time.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(time.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_become_numbers_and_the_longest_stay_the_longest() {
        for time in [Duration::ZERO, Duration::from_nanos(1), Duration::new(3, 999_999_999)] {
            assert_eq!(u128::from(nanos(time)), time.as_nanos());
        }
        assert_eq!(nanos(Duration::MAX), u64::MAX);
    }

    #[cfg(feature = "http")]
    #[tokio::test(start_paused = true)]
    async fn moments_follow_the_clock_and_give_instants_back() {
        let (began, instant) = (Moment::now(), Instant::now());
        tokio::time::advance(Duration::from_secs(7)).await;
        assert_eq!(Moment::now().since(began), 7_000_000_000);
        assert_eq!(began.since(Moment::now()), 0);
        assert_eq!(Moment::of(instant).instant(), instant);
        assert!(began.plus(u64::MAX).instant() > Instant::now());
    }
}
