//! The arithmetic of cycles. No clock, no lock.

use crate::settings::RateLimitSettings;

/// Where a limiter stands: times are nanoseconds since it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cycles {
    limit: i64,
    period: u64,
    /// When cycle 0 began.
    zero: u64,
    /// The cycle that `permissions` belongs to.
    cycle: u64,
    /// Permissions left in that cycle; negative: reserved ahead.
    permissions: i64,
}

impl Cycles {
    /// The first cycle begins now, with all its permissions.
    pub(super) fn starting(settings: &RateLimitSettings, now: u64) -> Self {
        let (limit, period) = measures(settings);
        Self { limit, period, zero: now, cycle: 0, permissions: limit }
    }

    /// Takes `permits` if they are to be had within `longest`. The wait until they are, and whether they were taken.
    pub(super) fn take(&mut self, permits: i64, now: u64, longest: u64) -> (u64, bool) {
        self.refresh(now);
        let wait = self.wait_for(permits, now);
        let taken = wait <= longest;
        if taken {
            self.permissions = self.permissions.saturating_sub(permits);
        }
        (wait, taken)
    }

    /// Takes away what was left after the last change, or gives back what was reserved ahead.
    pub(super) fn drain(&mut self, now: u64) {
        self.take(self.permissions, now, 0);
    }

    /// Permissions of the cycle that `now` is in.
    pub(super) fn available(mut self, now: u64) -> i64 {
        self.refresh(now);
        self.permissions
    }

    /// Takes new settings. A changed limit leaves the permissions at hand as they are; with a changed period, cycles
    /// begin anew.
    pub(super) fn reconfigure(&mut self, settings: &RateLimitSettings, now: u64) {
        let (limit, period) = measures(settings);
        if period != self.period {
            self.refresh(now);
            (self.period, self.zero, self.cycle) = (period, now, 0);
        }
        self.limit = limit;
    }

    /// Brings the permissions of the cycles that began since, none of which can be saved up.
    fn refresh(&mut self, now: u64) {
        let current = self.cycle_at(now);
        if current > self.cycle {
            let elapsed = i64::try_from(current - self.cycle).unwrap_or(i64::MAX);
            let brought = elapsed.saturating_mul(self.limit);
            self.permissions = self.permissions.saturating_add(brought).min(self.limit);
            self.cycle = current;
        }
    }

    fn wait_for(&self, permits: i64, now: u64) -> u64 {
        if self.permissions >= permits {
            return 0;
        }
        let to_next = self.period - now.saturating_sub(self.zero) % self.period;
        let missing = permits.saturating_sub(self.permissions.saturating_add(self.limit)).max(0);
        // A limit is at least 1.
        let more_cycles = missing.unsigned_abs().div_ceil(self.limit.unsigned_abs());
        more_cycles.saturating_mul(self.period).saturating_add(to_next)
    }

    fn cycle_at(&self, now: u64) -> u64 {
        now.saturating_sub(self.zero) / self.period
    }
}

/// Limit and period, neither of which can be 0.
fn measures(settings: &RateLimitSettings) -> (i64, u64) {
    let period = u64::try_from(settings.period.as_nanos()).unwrap_or(u64::MAX);
    (i64::from(settings.limit.max(1)), period.max(1))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn settings(limit: u32, period: u64) -> RateLimitSettings {
        RateLimitSettings { limit, period: Duration::from_nanos(period), max_wait: Duration::ZERO }
    }

    #[test]
    fn a_changed_period_begins_cycles_anew_and_keeps_what_is_reserved() {
        let mut cycles = Cycles::starting(&settings(2, 100), 0);
        assert_eq!(cycles.take(5, 30, 1000), (170, true));
        assert_eq!(cycles.available(30), -3);
        cycles.reconfigure(&settings(2, 1000), 30);
        assert_eq!((cycles.available(1029), cycles.available(1030), cycles.available(2030)), (-3, -1, 1));
    }

    #[test]
    fn numbers_at_their_limits_do_no_harm() {
        let mut cycles = Cycles::starting(&settings(0, 0), 0);
        assert_eq!(cycles.available(u64::MAX), 1, "a limit and a period of 0 are taken as 1");
        assert_eq!(cycles.take(i64::MAX, 0, u64::MAX), (i64::MAX as u64 - 1, true));
        assert!(cycles.take(i64::MAX, 0, u64::MAX).1);
        let mut cycles = Cycles::starting(&settings(u32::MAX, u64::MAX), 0);
        assert_eq!(cycles.take(i64::MAX, u64::MAX - 1, u64::MAX), (u64::MAX, true));
        cycles.drain(u64::MAX);
    }
}
