//! A limit of calls at once that follows what the system can take: additive increase, decrease by how much slower it
//! has become (a gradient), or by a fixed part when it fails.
//!
//! The only thing it is told is how calls end. It compares how long they take with how long they took when there were
//! few of them. Nothing here reads a clock or draws a number, so that a test can say what comes out.

use crate::Verdict;
use crate::moment::Moment;
use crate::settings::AdaptiveSettings;

/// Fewest calls that are judged together.
const FEWEST_CALLS: u32 = 10;
/// Failed calls, of those judged together, from which on the system is taken to be overloaded: one of ten.
const FAILING_PART: u32 = 10;
/// What is left of the limit then.
const KEPT_AFTER_FAILURES: f64 = 0.75;
/// What is left of the limit at least, however slow the system has become.
const KEPT_AT_LEAST: f64 = 0.5;

/// The limit, and what it was learnt from.
#[derive(Debug)]
pub(crate) struct AdaptiveLimit {
    settings: AdaptiveSettings,
    limit: u32,
    /// How long calls take, in nanoseconds, when there are few of them.
    unhurried: Option<u64>,
    /// No overload was met yet: the limit doubles.
    starting: bool,
    /// When the limit last changed. Calls that began before say nothing about it.
    since: Moment,
    window: Window,
}

/// Calls that are judged together.
#[derive(Debug, Default, Clone, Copy)]
struct Window {
    failed: u32,
    answered: u32,
    nanos: u64,
    /// The limit was reached: more would have come.
    reached: bool,
}

/// How a call ended, as far as it matters here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) began: Moment,
    pub(crate) ended: Moment,
    pub(crate) verdict: Verdict,
    /// Whether the system answered: how long a call took that was cut off says nothing.
    pub(crate) answered: bool,
    /// Whether the limit was reached since the last sample.
    pub(crate) reached: bool,
}

impl AdaptiveLimit {
    /// Begins at the smallest limit, so that it learns how long calls take when there are few of them.
    pub(crate) fn new(settings: AdaptiveSettings, now: Moment) -> Self {
        let settings = in_order(settings);
        Self { settings, limit: settings.min, unhurried: None, starting: true, since: now, window: Window::default() }
    }

    /// The limit now.
    pub(crate) fn limit(&self) -> u32 {
        self.limit
    }

    /// Takes other bounds. What was learnt stays.
    pub(crate) fn reconfigure(&mut self, settings: AdaptiveSettings, now: Moment) {
        self.settings = in_order(settings);
        self.change(self.limit, now);
    }

    /// A call ended. The limit, if it changed by that.
    pub(crate) fn ended(&mut self, sample: Sample) -> Option<u32> {
        self.window.reached |= sample.reached;
        if sample.began < self.since {
            return None;
        }
        match sample.verdict {
            Verdict::Failure => self.window.failed += 1,
            _ if sample.answered => {
                self.window.answered += 1;
                self.window.nanos = self.window.nanos.saturating_add(sample.ended.since(sample.began));
            }
            _ => return None,
        }
        let calls = self.window.failed + self.window.answered;
        if calls < FEWEST_CALLS.max(self.limit) {
            return None;
        }
        let window = std::mem::take(&mut self.window);
        let before = self.limit;
        let wanted = self.judge(window);
        self.change(wanted, sample.ended);
        (self.limit != before).then_some(self.limit)
    }

    /// The limit that the calls of a window speak for.
    fn judge(&mut self, window: Window) -> u32 {
        let calls = window.failed + window.answered;
        if window.failed * FAILING_PART >= calls {
            self.starting = false;
            return part(self.limit, KEPT_AFTER_FAILURES);
        }
        // Fewer than one of ten failed, so there are answers.
        let took = window.nanos / u64::from(window.answered.max(1));
        let unhurried = match self.unhurried {
            // At the smallest limit nothing can be made quicker by asking less: this is the system's own pace.
            _ if self.limit == self.settings.min => took,
            Some(known) => known.min(took),
            None => took,
        };
        self.unhurried = Some(unhurried);
        let slower = took as f64 / (unhurried.max(1) as f64 * self.settings.tolerance);
        if slower > 1.0 {
            self.starting = false;
            return part(self.limit, (1.0 / slower).max(KEPT_AT_LEAST));
        }
        match (window.reached, self.starting) {
            // Nobody asked for more: there is nothing to learn from.
            (false, _) => self.limit,
            (true, true) => self.limit.saturating_mul(2),
            (true, false) => self.limit.saturating_add(1),
        }
    }

    /// Within the bounds. Whether it changed or not, calls are judged anew.
    fn change(&mut self, wanted: u32, now: Moment) {
        let limit = wanted.clamp(self.settings.min, self.settings.max);
        if limit != self.limit {
            self.limit = limit;
            self.since = now;
            self.window = Window::default();
        }
    }
}

/// A part of the limit, and at least one less.
fn part(limit: u32, kept: f64) -> u32 {
    let kept = (f64::from(limit) * kept) as u32;
    kept.min(limit.saturating_sub(1))
}

/// Bounds and tolerance that can be worked with, whatever was given.
fn in_order(settings: AdaptiveSettings) -> AdaptiveSettings {
    let min = settings.min.max(1);
    let tolerance = if settings.tolerance >= 1.0 { settings.tolerance } else { 1.0 };
    AdaptiveSettings { min, max: settings.max.max(min), tolerance }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SETTINGS: AdaptiveSettings = AdaptiveSettings { min: 2, max: 16, tolerance: 2.0 };

    /// Feeds calls that take so many milliseconds each, until the limit has been judged so many times.
    struct Feed {
        limit: AdaptiveLimit,
        now: Moment,
    }

    impl Feed {
        fn new() -> Self {
            let now = Moment::from_number(1);
            Self { limit: AdaptiveLimit::new(SETTINGS, now), now }
        }

        fn window(&mut self, millis: u64, failed: u32, reached: bool) -> u32 {
            let calls = FEWEST_CALLS.max(self.limit.limit());
            for call in 0..calls {
                let began = self.now;
                self.now = began.plus(millis * 1_000_000);
                let verdict = if call < failed { Verdict::Failure } else { Verdict::Success };
                self.limit.ended(Sample { began, ended: self.now, verdict, answered: true, reached });
            }
            self.limit.limit()
        }
    }

    #[test]
    fn it_doubles_until_the_first_overload_and_then_grows_one_by_one() {
        let mut feed = Feed::new();
        assert_eq!([feed.window(100, 0, true), feed.window(120, 0, true)], [4, 8]);
        assert_eq!(feed.window(400, 0, true), 4, "twice as slow as tolerated: half");
        assert_eq!([feed.window(150, 0, true), feed.window(150, 0, true)], [5, 6]);
        assert_eq!(feed.window(250, 0, true), 4, "6 x 200 / 250");
    }

    #[test]
    fn one_of_ten_that_fails_takes_a_quarter_away() {
        let mut feed = Feed::new();
        feed.window(100, 0, true);
        feed.window(100, 0, true);
        assert_eq!(feed.window(100, 1, true), 6);
        assert_eq!(feed.window(100, 9, true), 4);
        assert_eq!([feed.window(100, 10, true), feed.window(100, 10, true)], [3, 2]);
        assert_eq!(feed.window(100, 10, true), 2, "never below its minimum");
    }

    #[test]
    fn it_does_not_grow_unless_more_is_asked_for() {
        let mut feed = Feed::new();
        (0..50).for_each(|_| assert_eq!(feed.window(100, 0, false), 2));
    }

    #[test]
    fn a_system_that_has_become_slower_for_good_is_believed_at_the_smallest_limit() {
        let mut feed = Feed::new();
        for _ in 0..4 {
            feed.window(100, 0, true);
        }
        assert_eq!(feed.limit.limit(), 16);
        let down: Vec<u32> = (0..3).map(|_| feed.window(500, 0, true)).collect();
        assert_eq!(down, [8, 4, 2]);
        let up: Vec<u32> = (0..3).map(|_| feed.window(500, 0, true)).collect();
        assert_eq!(up, [3, 4, 5]);
    }

    #[test]
    fn calls_from_before_a_change_say_nothing_about_it() {
        let mut feed = Feed::new();
        let old = feed.now;
        feed.window(100, 0, true);
        for _ in 0..100 {
            let late = Sample {
                began: old,
                ended: feed.now.plus(1),
                verdict: Verdict::Failure,
                answered: true,
                reached: true,
            };
            assert_eq!(feed.limit.ended(late), None);
        }
    }

    #[test]
    fn new_bounds_hold_at_once_and_what_was_learnt_stays() {
        let mut feed = Feed::new();
        for _ in 0..4 {
            feed.window(100, 0, true);
        }
        feed.limit.reconfigure(AdaptiveSettings { max: 5, ..SETTINGS }, feed.now);
        assert_eq!(feed.limit.limit(), 5);
        assert_eq!(feed.window(1000, 0, true), 2, "it still knows 100 ms");
    }

    proptest! {
        #[test]
        fn whatever_happens_it_stays_within_its_bounds(
            settings in (0_u32..40, 0_u32..40, -1.0_f64..5.0),
            calls in prop::collection::vec((0_u64..10_000_000_000, 0_u64..10_000_000_000, 0_u8..3, any::<bool>()), 0..400),
        ) {
            let (min, max, tolerance) = settings;
            let settings = AdaptiveSettings { min, max, tolerance };
            let mut limit = AdaptiveLimit::new(settings, Moment::from_number(0));
            let (low, high) = (min.max(1), max.max(min).max(1));
            for (began, took, verdict, flag) in calls {
                let began = Moment::from_number(began);
                let verdict = [Verdict::Success, Verdict::Failure, Verdict::Ignored][usize::from(verdict)];
                let sample = Sample { began, ended: began.plus(took), verdict, answered: flag, reached: !flag };
                let changed = limit.ended(sample);
                prop_assert!((low..=high).contains(&limit.limit()));
                prop_assert!(changed.is_none_or(|new| new == limit.limit()));
            }
        }
    }
}
