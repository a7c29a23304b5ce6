use std::time::Duration;

use super::error::QueueError;
use crate::backoff::{Backoff, full_jitter};

/// How one kind of task is repeated: how often, and how long it waits in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    attempts: u32,
    first: Duration,
    factor: f64,
    max: Duration,
    run_limit: Duration,
    expires: Duration,
}

impl Default for Policy {
    /// 10 attempts; waits of 5 s, twice as long each time, at most 10 min; 10 min for one attempt; a question is given up
    /// after a day.
    fn default() -> Self {
        Self {
            attempts: 10,
            first: Duration::from_secs(5),
            factor: 2.0,
            max: Duration::from_secs(600),
            run_limit: Duration::from_secs(600),
            expires: Duration::from_secs(24 * 3600),
        }
    }
}

impl Policy {
    /// So many failed attempts, the first included, and the task has failed (R-RES-RE-5). What never was sent because the
    /// system is kept away from (open breaker, full bulkhead, used up quota) is no attempt.
    #[must_use]
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// The wait after the first failure, the factor from each to the next, and the longest (R-RES-RE-X3). Half of each wait
    /// is fixed, the other half is drawn, so that tasks that failed together do not come back together.
    #[must_use]
    pub fn waits(self, first: Duration, factor: f64, max: Duration) -> Self {
        Self { first, factor, max, ..self }
    }

    /// Longest time for one attempt, whatever the handler does besides its call. What takes longer is dropped, and counts as
    /// a write that may have arrived.
    #[must_use]
    pub fn run_limit(self, limit: Duration) -> Self {
        Self { run_limit: limit, ..self }
    }

    /// How long after it was put into the queue a question is asked again; then it has failed.
    #[must_use]
    pub fn expires(self, after: Duration) -> Self {
        Self { expires: after, ..self }
    }

    pub(super) fn longest_run(&self) -> Duration {
        self.run_limit
    }

    pub(super) fn is_expired(&self, age: Duration) -> bool {
        age >= self.expires
    }

    /// Whether this many failures are too many.
    pub(super) fn is_spent(&self, failures: u32) -> bool {
        failures >= self.attempts
    }

    /// The wait after failure number `failures`; longer where the system asked for it.
    pub(super) fn wait(&self, failures: u32, asked: Option<Duration>, random: f64) -> Duration {
        let wait = Backoff::exponential(self.first, self.factor).capped(self.max).wait(failures);
        let jittered = wait / 2 + full_jitter(wait / 2, random);
        asked.map_or(jittered, |asked| jittered.max(asked))
    }

    pub(super) fn check(&self) -> Result<(), QueueError> {
        let fault = if self.attempts == 0 {
            "at least one attempt"
        } else if !(self.factor >= 1.5 && self.factor <= 10.0) {
            "waits grow by a factor from 1.5 to 10 (R-RES-RE-X3)"
        } else if self.first < Duration::from_millis(1) || self.max < self.first {
            "the first wait is at least 1 ms, the longest no shorter"
        } else if self.run_limit.is_zero() {
            "an attempt needs time"
        } else {
            return Ok(());
        };
        Err(QueueError::Settings(fault.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_grow_to_a_maximum_and_half_of_each_is_drawn() {
        let policy = Policy::default().waits(4 * SECOND, 2.0, 20 * SECOND);
        let least: Vec<_> = (1..=5).map(|failures| policy.wait(failures, None, 0.0).as_secs()).collect();
        let most: Vec<_> = (1..=5).map(|failures| policy.wait(failures, None, 1.0).as_secs()).collect();
        assert_eq!((least, most), (vec![2, 4, 8, 10, 10], vec![4, 8, 16, 20, 20]));
    }

    #[test]
    fn a_system_that_asks_for_more_time_gets_it() {
        let policy = Policy::default().waits(4 * SECOND, 2.0, 20 * SECOND);
        assert_eq!(policy.wait(1, Some(90 * SECOND), 0.0), 90 * SECOND);
        assert_eq!(policy.wait(1, Some(SECOND), 1.0), 4 * SECOND);
    }

    #[test]
    fn r_res_re_x3_a_policy_whose_waits_do_not_grow_is_refused() {
        let policy = Policy::default();
        assert!(policy.check().is_ok());
        for bad in [
            policy.attempts(0),
            policy.waits(SECOND, 1.0, SECOND),
            policy.waits(SECOND, f64::NAN, SECOND),
            policy.waits(SECOND, 2.0, SECOND / 2),
            policy.waits(Duration::ZERO, 2.0, SECOND),
            policy.run_limit(Duration::ZERO),
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
