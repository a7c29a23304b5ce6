//! What a breaker is told to do, and the check that it makes sense.

use std::fmt;
use std::time::Duration;

use crate::backoff::Backoff;

/// The most calls a count-based window may hold.
const MOST_CALLS: u32 = 1_000_000;
/// The most seconds a time-based window may span: a day.
const MOST_SECONDS: u32 = 86_400;

/// All settings of a breaker.
///
/// The default is the guides': the last 50 calls, judged from 10 on, 50 % failed or 80 % slow opens for 30 s, then
/// three probes that must all succeed (R-RES-CB-2 to CB-5).
#[derive(Debug, Clone, PartialEq)]
pub struct BreakerConfig {
    /// Which calls are counted.
    pub window: SlidingWindow,
    /// Fewest calls in the window for which a rate is judged. A count-based window caps it by its size.
    pub minimum_calls: u32,
    /// Failed calls, in percent of those in the window, from which on the breaker opens (equal or above).
    pub failure_rate_threshold: f32,
    /// Slow calls, in percent of those in the window, from which on the breaker opens (equal or above).
    pub slow_call_rate_threshold: f32,
    /// A call is slow when it takes longer than this.
    pub slow_call: Duration,
    /// How long the breaker stays open.
    pub open_wait: OpenWait,
    /// Calls permitted in half-open.
    pub half_open_calls: u32,
    /// How half-open is judged.
    pub half_open_verdict: HalfOpenVerdict,
    /// How long half-open may last without a verdict. `None`: as long as it takes.
    pub half_open_limit: Option<HalfOpenLimit>,
    /// Whether open turns to half-open by itself **at** the end of the wait. Otherwise the first request for
    /// permission **after** the wait turns it.
    pub half_open_unasked: bool,
    /// What a call counts as that was dropped before it ended.
    pub dropped_calls: DroppedCalls,
}

/// Which calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlidingWindow {
    /// The last so many calls.
    Calls(u32),
    /// The calls that ended in the last so many whole clock seconds, the current one included.
    Seconds(u32),
}

/// How half-open is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HalfOpenVerdict {
    /// Every permitted call must succeed: the first failure opens. A slow success is no failure by itself; when all
    /// are in, the slow call rate is judged as ever. The minimum number of calls does not apply.
    #[default]
    All,
    /// Resilience4j's: both rates are judged when the minimum number of calls (at most the permitted) are in.
    Rate,
}

/// The end of a half-open that comes to no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfOpenLimit {
    /// How long after half-open began.
    pub after: Duration,
    /// Where it leads.
    pub to: AfterHalfOpen,
}

/// Where a half-open leads that came to no verdict in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterHalfOpen {
    /// Open again.
    Open,
    /// Closed.
    Closed,
}

/// What a call counts as that was dropped before it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DroppedCalls {
    /// A failure when it had been running for longer than a slow call; otherwise its permission is given back.
    #[default]
    FailWhenSlow,
    /// Its permission is given back, however long it ran.
    Release,
}

/// How long the breaker stays open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenWait {
    first: Duration,
    growth: Option<(f64, Duration)>,
    jitter: f64,
}

impl OpenWait {
    /// The same wait each time.
    pub const fn fixed(wait: Duration) -> Self {
        Self { first: wait, growth: None, jitter: 0.0 }
    }

    /// A wait that is multiplied by `factor` for each opening that no closed state came between, up to `max`.
    /// Such waits are whole milliseconds.
    pub const fn growing(first: Duration, factor: f64, max: Duration) -> Self {
        Self { first, growth: Some((factor, max)), jitter: 0.0 }
    }

    /// Prolongs each wait by a random part of it, up to `fraction` (0 to 1), so that many breakers that opened
    /// together do not probe together. It is added after the maximum has been applied: the wait is never shorter than
    /// told, and long waits are spread too.
    pub const fn jittered(self, fraction: f64) -> Self {
        Self { jitter: fraction, ..self }
    }

    /// The wait of the `openings`-th opening in a row (from 1), before jitter.
    pub fn base(&self, openings: u32) -> Duration {
        match self.growth {
            None => self.first,
            Some((factor, max)) => Backoff::exponential(self.first, factor).capped(max).wait(openings),
        }
    }

    /// The factor by which it grows and the longest it grows to, if it does.
    pub fn growth(&self) -> Option<(f64, Duration)> {
        self.growth
    }

    /// The largest part of a wait that may be added to it.
    pub fn jitter(&self) -> f64 {
        self.jitter
    }
}

impl Default for BreakerConfig {
    fn default() -> Self {
        Self {
            window: SlidingWindow::Calls(50),
            minimum_calls: 10,
            failure_rate_threshold: 50.0,
            slow_call_rate_threshold: 80.0,
            slow_call: Duration::from_secs(15),
            open_wait: OpenWait::fixed(Duration::from_secs(30)),
            half_open_calls: 3,
            half_open_verdict: HalfOpenVerdict::All,
            half_open_limit: None,
            half_open_unasked: false,
            dropped_calls: DroppedCalls::FailWhenSlow,
        }
    }
}

impl BreakerConfig {
    /// Everything that is wrong with these settings, all at once.
    pub fn faults(&self) -> Vec<BreakerFault> {
        let mut faults = Vec::new();
        let mut demand = |holds: bool, fault: BreakerFault| {
            if !holds {
                faults.push(fault);
            }
        };
        match self.window {
            SlidingWindow::Calls(size) => demand((1..=MOST_CALLS).contains(&size), BreakerFault::WindowCalls(size)),
            SlidingWindow::Seconds(size) => {
                demand((1..=MOST_SECONDS).contains(&size), BreakerFault::WindowSeconds(size));
            }
        }
        demand(self.minimum_calls >= 1, BreakerFault::NoMinimumCalls);
        demand(is_percentage(self.failure_rate_threshold), BreakerFault::FailureRate(self.failure_rate_threshold));
        demand(is_percentage(self.slow_call_rate_threshold), BreakerFault::SlowCallRate(self.slow_call_rate_threshold));
        demand(!self.slow_call.is_zero(), BreakerFault::NoSlowCall);
        demand((1..=MOST_CALLS).contains(&self.half_open_calls), BreakerFault::HalfOpenCalls(self.half_open_calls));
        demand(self.half_open_limit.is_none_or(|limit| !limit.after.is_zero()), BreakerFault::NoHalfOpenLimit);
        self.open_wait.faults(&mut demand);
        faults
    }
}

impl OpenWait {
    fn faults(&self, demand: &mut impl FnMut(bool, BreakerFault)) {
        demand(!self.base(1).is_zero(), BreakerFault::NoOpenWait);
        demand((0.0..=1.0).contains(&self.jitter), BreakerFault::Jitter(self.jitter));
        if let Some((factor, max)) = self.growth {
            demand(factor.is_finite() && factor >= 1.0, BreakerFault::GrowthFactor(factor));
            demand(max >= self.first, BreakerFault::GrowthMaximum { first: self.first, max });
        }
    }
}

fn is_percentage(threshold: f32) -> bool {
    threshold > 0.0 && threshold <= 100.0
}

/// One thing that is wrong with a breaker's settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BreakerFault {
    /// A count-based window of no calls, or of too many.
    WindowCalls(u32),
    /// A time-based window of no seconds, or of too many.
    WindowSeconds(u32),
    /// The minimum number of calls is 0.
    NoMinimumCalls,
    /// The failure rate threshold is no percentage.
    FailureRate(f32),
    /// The slow call rate threshold is no percentage.
    SlowCallRate(f32),
    /// The slow call duration is 0.
    NoSlowCall,
    /// No calls are permitted in half-open, or too many.
    HalfOpenCalls(u32),
    /// The limit of half-open is 0.
    NoHalfOpenLimit,
    /// The wait in open is 0 (or a growing one that is below a millisecond).
    NoOpenWait,
    /// The jitter is no fraction.
    Jitter(f64),
    /// The factor of a growing wait is below 1 or no number.
    GrowthFactor(f64),
    /// A growing wait that is at most shorter than at first.
    GrowthMaximum {
        /// The first wait.
        first: Duration,
        /// The longest.
        max: Duration,
    },
}

impl fmt::Display for BreakerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WindowCalls(size) => write!(f, "a window of {size} calls: 1 to {MOST_CALLS} are possible"),
            Self::WindowSeconds(size) => write!(f, "a window of {size} s: 1 to {MOST_SECONDS} s are possible"),
            Self::NoMinimumCalls => write!(f, "the minimum number of calls must be at least 1"),
            Self::FailureRate(rate) => write!(f, "failure rate threshold {rate}: must be above 0 and at most 100 %"),
            Self::SlowCallRate(rate) => write!(f, "slow call rate threshold {rate}: must be above 0 and at most 100 %"),
            Self::NoSlowCall => write!(f, "the slow call duration must be above 0"),
            Self::HalfOpenCalls(calls) => write!(f, "{calls} calls in half-open: 1 to {MOST_CALLS} are possible"),
            Self::NoHalfOpenLimit => write!(f, "the longest half-open must be above 0 (leave it out for no limit)"),
            Self::NoOpenWait => write!(f, "the wait in open must be above 0"),
            Self::Jitter(jitter) => write!(f, "jitter {jitter} of the wait in open: must be from 0 to 1"),
            Self::GrowthFactor(factor) => write!(f, "the wait in open grows by {factor}: must be a number from 1 up"),
            Self::GrowthMaximum { first, max } => {
                write!(f, "the wait in open grows from {first:?} to at most {max:?}: must be at least as long")
            }
        }
    }
}

/// Settings no breaker can work with.
#[derive(Debug, Clone, PartialEq)]
pub struct InvalidBreakerConfig {
    /// Everything that is wrong with them.
    pub faults: Vec<BreakerFault>,
}

impl fmt::Display for InvalidBreakerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these breaker settings cannot work")?;
        for (index, fault) in self.faults.iter().enumerate() {
            write!(f, "{} {fault}", if index == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidBreakerConfig {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_guides_and_hold() {
        let config = BreakerConfig::default();
        assert_eq!(config.faults(), []);
        assert_eq!(config.open_wait.base(7), Duration::from_secs(30));
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let config = BreakerConfig {
            window: SlidingWindow::Calls(0),
            minimum_calls: 0,
            failure_rate_threshold: f32::NAN,
            slow_call_rate_threshold: 100.5,
            slow_call: Duration::ZERO,
            open_wait: OpenWait::growing(Duration::from_secs(1), 0.5, Duration::ZERO).jittered(f64::NAN),
            half_open_calls: 0,
            half_open_limit: Some(HalfOpenLimit { after: Duration::ZERO, to: AfterHalfOpen::Open }),
            ..BreakerConfig::default()
        };
        assert_eq!(config.faults().len(), 11, "{:?}", config.faults());
        let text = InvalidBreakerConfig { faults: config.faults() }.to_string();
        assert!(text.contains("a window of 0 calls") && text.contains("jitter NaN"), "{text}");
    }

    #[test]
    fn a_growing_wait_grows_by_the_openings_and_is_capped() {
        let wait = OpenWait::growing(Duration::from_millis(500), 2.0, Duration::from_secs(3));
        let waits: Vec<_> = (0..=5).map(|openings| wait.base(openings).as_millis()).collect();
        assert_eq!(waits, [500, 500, 1000, 2000, 3000, 3000]);
    }
}
