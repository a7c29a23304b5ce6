//! Waits that grow: fixed, exponential, exponential up to a maximum. Arithmetic only, nothing sleeps here.

use std::time::Duration;

/// The largest wait in whole milliseconds, as in Resilience4j, whose running value is a signed 64-bit number.
const LONGEST: u64 = i64::MAX as u64;

/// How long to wait after the first, second, third… failure.
///
/// Waits are whole milliseconds. The running value is multiplied step by step and cut to a whole number each time,
/// as Resilience4j does: `first * factor^(n-1)` gives other numbers. The maximum caps what comes out, not the running
/// value; a factor below 1 shrinks the waits, down to none.
///
/// ```
/// use cofferdam_runtime::backoff::Backoff;
/// use std::time::Duration;
///
/// let backoff = Backoff::exponential(Duration::from_millis(500), 2.0).capped(Duration::from_secs(3));
/// let waits: Vec<_> = backoff.waits().take(4).map(|wait| wait.as_millis()).collect();
/// assert_eq!(waits, [500, 1000, 2000, 3000]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    first: u64,
    factor: f64,
    max: Option<u64>,
}

impl Backoff {
    /// The same wait every time. What is below a millisecond is dropped.
    pub fn fixed(wait: Duration) -> Self {
        Self::exponential(wait, 1.0)
    }

    /// `first`, and then each time the wait before times `factor`. What is below a millisecond is dropped.
    pub fn exponential(first: Duration, factor: f64) -> Self {
        Self { first: whole_millis(first), factor, max: None }
    }

    /// The same waits, none longer than `max`.
    pub fn capped(self, max: Duration) -> Self {
        Self { max: Some(whole_millis(max)), ..self }
    }

    /// The wait after failure number `failures` (from 1; 0 is taken as 1).
    pub fn wait(&self, failures: u32) -> Duration {
        let mut running = self.first;
        for _ in 1..failures {
            let next = self.step(running);
            // From here on the outcome is the same for ever: no need to count up to a large number.
            if next == running || (self.factor >= 1.0 && self.max.is_some_and(|max| running >= max)) {
                break;
            }
            running = next;
        }
        self.outcome(running)
    }

    /// The waits after the first, second, third… failure, without end.
    pub fn waits(&self) -> impl Iterator<Item = Duration> + use<> {
        let backoff = *self;
        std::iter::successors(Some(backoff.first), move |running| Some(backoff.step(*running)))
            .map(move |running| backoff.outcome(running))
    }

    /// Multiplies in 64-bit float and cuts to whole milliseconds. Not a number and negative become 0.
    fn step(&self, running: u64) -> u64 {
        if self.factor == 1.0 { running } else { ((running as f64 * self.factor) as u64).min(LONGEST) }
    }

    fn outcome(&self, running: u64) -> Duration {
        Duration::from_millis(self.max.map_or(running, |max| running.min(max)))
    }
}

/// Full jitter: a part of `wait`, from none of it (`random` = 0) to all of it (`random` = 1).
///
/// Callers that failed together come back spread over the whole wait, not in a pack.
pub fn full_jitter(wait: Duration, random: f64) -> Duration {
    fraction(wait, random)
}

/// `part` of `whole`; a part that is no number is none, and one outside 0 to 1 is moved to the nearest of the two.
pub(crate) fn fraction(whole: Duration, part: f64) -> Duration {
    let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
    Duration::try_from_secs_f64(whole.as_secs_f64() * part).map_or(whole, |taken| taken.min(whole))
}

fn whole_millis(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis()).unwrap_or(LONGEST).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_far_out_is_the_one_the_sequence_reaches() {
        for (first, factor, max) in [(500, 2.0, 4000), (3, 1.5, 10_000), (1, 1.5, 50), (900, 0.5, 300), (0, 2.0, 9)] {
            let backoff = Backoff::exponential(Duration::from_millis(first), factor).capped(Duration::from_millis(max));
            for (index, wait) in backoff.waits().take(200).enumerate() {
                assert_eq!(backoff.wait(index as u32 + 1), wait, "{backoff:?} after {index} more failures");
            }
        }
    }

    #[test]
    fn counting_to_the_largest_number_of_failures_ends() {
        let endless = Backoff::exponential(Duration::from_millis(1), 3.0);
        assert_eq!(endless.wait(u32::MAX), Duration::from_millis(LONGEST));
        assert_eq!(Backoff::exponential(Duration::from_secs(1), 0.5).wait(u32::MAX), Duration::ZERO);
    }

    #[test]
    fn a_factor_that_is_no_number_gives_no_wait_and_no_panic() {
        let backoff = Backoff::exponential(Duration::from_millis(500), f64::NAN);
        assert_eq!(backoff.wait(2), Duration::ZERO);
        assert_eq!(Backoff::exponential(Duration::MAX, f64::INFINITY).wait(3), Duration::from_millis(LONGEST));
    }

    #[test]
    fn full_jitter_stays_between_nothing_and_the_whole_wait() {
        let wait = Duration::from_millis(800);
        assert_eq!(full_jitter(wait, 0.0), Duration::ZERO);
        assert_eq!(full_jitter(wait, 0.25), Duration::from_millis(200));
        assert_eq!(full_jitter(wait, 1.0), wait);
        assert_eq!(full_jitter(wait, 7.0), wait);
        assert_eq!(full_jitter(wait, -1.0), Duration::ZERO);
        assert_eq!(full_jitter(wait, f64::NAN), Duration::ZERO);
        assert_eq!(full_jitter(Duration::MAX, 1.0), Duration::MAX);
    }
}
