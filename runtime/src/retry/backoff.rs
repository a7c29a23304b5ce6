use std::time::Duration;

use crate::backoff::{Backoff, full_jitter};
use crate::settings::RetrySettings;

/// The waits of one logical call: each drawn from zero to a bound that grows (R-RES-RE-2, RE-X3), all together within
/// the total the settings allow (R-RES-RE-4).
#[derive(Debug)]
pub(crate) struct Waits {
    failures: u32,
    left: Duration,
}

impl Waits {
    #[inline]
    pub(crate) fn new(settings: &RetrySettings) -> Self {
        Self { failures: 0, left: settings.max_total_wait }
    }

    /// The next wait, not shorter than the server asks. `None` if that is longer than is left of the total.
    pub(crate) fn next(&mut self, settings: &RetrySettings, asked: Option<Duration>) -> Option<Duration> {
        self.failures = self.failures.saturating_add(1);
        let backoff = Backoff::exponential(settings.initial_wait, settings.multiplier).capped(settings.max_wait);
        let wait = full_jitter(backoff.wait(self.failures), fastrand::f64()).max(asked.unwrap_or_default());
        self.left = self.left.checked_sub(wait)?;
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::settings::SystemSettings;

    fn settings() -> RetrySettings {
        SystemSettings::external(Url::parse("http://a.example").unwrap()).retry
    }

    #[test]
    fn r_res_re_2_bounds_double_up_to_the_maximum_and_waits_fill_them() {
        let mut settings = settings();
        settings.max_total_wait = Duration::from_secs(60);
        let mut longest = [Duration::ZERO; 4];
        let mut shortest = [Duration::MAX; 4];
        for _ in 0..2000 {
            let mut waits = Waits::new(&settings);
            for (long, short) in longest.iter_mut().zip(&mut shortest) {
                let wait = waits.next(&settings, None).unwrap();
                *long = (*long).max(wait);
                *short = (*short).min(wait);
            }
        }
        for (bound, (long, short)) in [500, 1000, 2000, 2000].into_iter().zip(longest.into_iter().zip(shortest)) {
            let bound = Duration::from_millis(bound);
            assert!(long <= bound && long > bound.mul_f64(0.9), "{long:?} of {bound:?}");
            assert!(short < bound.mul_f64(0.1), "{short:?} of {bound:?}");
        }
    }

    #[test]
    fn the_server_is_not_asked_again_before_it_said_but_only_within_the_total() {
        let settings = settings();
        let mut waits = Waits::new(&settings);
        let asked = Duration::from_secs(3);
        assert_eq!(waits.next(&settings, Some(asked)), Some(asked));
        assert_eq!(waits.next(&settings, Some(asked)), None, "five seconds in total");
        assert_eq!(Waits::new(&settings).next(&settings, Some(Duration::MAX)), None);
    }
}
