//! The longest that a call can take under its settings: what a plan shows beside an operation (R-RES-RE-4).

use std::time::Duration;

use super::{CallPolicy, RetrySettings};
use crate::backoff::Backoff;

/// Kept back from a caller's time, so that it can still do something with the answer (R-RES-TO-3): no attempt begins, and
/// none goes on, in the last so much of it.
pub const DEADLINE_MARGIN: Duration = Duration::from_millis(100);

impl RetrySettings {
    /// The longest that the waits between the attempts of one call take together, without those that the system asks
    /// for by Retry-After (these are bound by [`max_total_wait`](Self::max_total_wait)).
    #[must_use]
    pub fn worst_case_waits(&self) -> Duration {
        self.longest_waits().fold(Duration::ZERO, Duration::saturating_add)
    }

    /// The longest that each wait between two attempts takes, one fewer than there are attempts.
    pub fn longest_waits(&self) -> impl Iterator<Item = Duration> {
        let waits = self.max_attempts.saturating_sub(1) as usize;
        Backoff::exponential(self.initial_wait, self.multiplier).capped(self.max_wait).waits().take(waits)
    }
}

impl CallPolicy {
    /// The longest that a call takes which may be repeated: every attempt its whole time, every wait its longest, the
    /// waits for a turn in the quota included. The wait for a place in the bulkhead is part of an attempt's time.
    #[must_use]
    pub fn worst_case_repeated(&self) -> Duration {
        let attempts = self.worst_case_once().saturating_mul(self.retry.max_attempts);
        attempts.saturating_add(self.retry.worst_case_waits())
    }

    /// The longest that a call takes which is sent once.
    #[must_use]
    pub fn worst_case_once(&self) -> Duration {
        self.timeouts.call.saturating_add(self.quota_wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Profile, RateLimitSettings, SystemSettings};
    use url::Url;

    #[test]
    fn the_external_preset_takes_three_attempts_and_two_waits() {
        let settings: SystemSettings = Profile::External.preset(Url::parse("https://x.example/").unwrap());
        let policy = settings.policy("any");
        assert_eq!(policy.retry.worst_case_waits(), Duration::from_millis(500 + 1000));
        assert_eq!(policy.worst_case_repeated(), policy.timeouts.call * 3 + Duration::from_millis(1500));
        assert_eq!(policy.worst_case_once(), policy.timeouts.call);
    }

    #[test]
    fn each_attempt_may_wait_for_its_turn_in_the_quota() {
        let mut settings: SystemSettings = Profile::External.preset(Url::parse("https://x.example/").unwrap());
        let max_wait = Duration::from_millis(700);
        settings.rate_limit = Some(RateLimitSettings { limit: 5, period: Duration::from_secs(1), max_wait });
        let policy = settings.policy("any");
        assert_eq!(policy.worst_case_once(), policy.timeouts.call + max_wait);
        assert_eq!(policy.worst_case_repeated(), (policy.timeouts.call + max_wait) * 3 + Duration::from_millis(1500));
    }
}
