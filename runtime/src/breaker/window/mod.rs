//! What a breaker remembers of the calls that ended: outcomes in a sliding window, and their sums.

mod count;
mod tally;
mod time;

use super::clock::{Clock, Now};
use super::config::{BreakerConfig, SlidingWindow};
use count::CountWindow;
pub(super) use tally::{Rates, Tally, Vote};
use time::TimeWindow;

/// How a window is judged against the thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    /// Fewer calls than the minimum: no judgement.
    TooFew,
    /// A rate is equal to its threshold, or above.
    Exceeded,
    /// Both rates are below their thresholds.
    Within,
}

#[derive(Debug)]
enum Outcomes {
    Count(CountWindow),
    Time(TimeWindow),
    /// Forced open and disabled remember nothing.
    None,
}

/// The counters of one state period.
#[derive(Debug)]
pub(super) struct Window {
    outcomes: Outcomes,
    /// Fewest calls for which there is a rate.
    minimum: u64,
    /// Calls refused.
    pub(super) not_permitted: u64,
}

impl Window {
    /// An empty window as closed and metrics only have it.
    pub(super) fn as_configured<C: Clock>(config: &BreakerConfig, now: &mut Now<'_, C>) -> Self {
        let outcomes = match config.window {
            SlidingWindow::Calls(size) => Outcomes::Count(CountWindow::new(size)),
            SlidingWindow::Seconds(size) => Outcomes::Time(TimeWindow::new(size, now.get().as_secs())),
        };
        Self { minimum: configured_minimum(config), outcomes, not_permitted: 0 }
    }

    /// An empty window for the probes of half-open: count-based, whatever the configured kind is.
    pub(super) fn of_probes(config: &BreakerConfig) -> Self {
        let outcomes = Outcomes::Count(CountWindow::new(config.half_open_calls));
        Self { outcomes, minimum: probe_minimum(config), not_permitted: 0 }
    }

    /// A window that takes no votes.
    pub(super) fn without_votes() -> Self {
        Self { outcomes: Outcomes::None, minimum: 1, not_permitted: 0 }
    }

    /// Brings a window of closed or metrics only to a new configuration. What still fits is kept; a window of the
    /// other kind starts empty, as calls have no time and seconds no order of calls.
    pub(super) fn reconfigure<C: Clock>(&mut self, config: &BreakerConfig, now: &mut Now<'_, C>) {
        match (&mut self.outcomes, config.window) {
            (Outcomes::Count(window), SlidingWindow::Calls(size)) => window.resize(size),
            (Outcomes::Time(window), SlidingWindow::Seconds(size)) => window.resize(size, now.get().as_secs()),
            (outcomes, _) => *outcomes = Self::as_configured(config, now).outcomes,
        }
        self.minimum = configured_minimum(config);
    }

    /// Brings a window of probes to a new configuration.
    pub(super) fn reconfigure_probes(&mut self, config: &BreakerConfig) {
        if let Outcomes::Count(window) = &mut self.outcomes {
            window.resize(config.half_open_calls);
        }
        self.minimum = probe_minimum(config);
    }

    pub(super) fn record<C: Clock>(&mut self, vote: Vote, now: &mut Now<'_, C>) {
        match &mut self.outcomes {
            Outcomes::Count(window) => window.record(vote),
            Outcomes::Time(window) => window.record(vote, now.get().as_secs()),
            Outcomes::None => {}
        }
    }

    /// The sums as of now. Looking at a time-based window moves it to the current second.
    pub(super) fn tally<C: Clock>(&mut self, now: &mut Now<'_, C>) -> Tally {
        match &mut self.outcomes {
            Outcomes::Count(window) => window.tally(),
            Outcomes::Time(window) => window.tally(now.get().as_secs()),
            Outcomes::None => Tally::default(),
        }
    }

    /// The rates, or nothing while fewer calls than the minimum are in the window.
    pub(super) fn rates<C: Clock>(&mut self, now: &mut Now<'_, C>) -> Option<Rates> {
        let minimum = self.minimum;
        self.tally(now).rates(minimum)
    }

    pub(super) fn judge<C: Clock>(&mut self, config: &BreakerConfig, now: &mut Now<'_, C>) -> Judgement {
        match self.rates(now) {
            None => Judgement::TooFew,
            Some(rates) if rates.failure >= config.failure_rate_threshold => Judgement::Exceeded,
            Some(rates) if rates.slow >= config.slow_call_rate_threshold => Judgement::Exceeded,
            Some(_) => Judgement::Within,
        }
    }

    /// Whether one more quick success would change nothing at all: the window is full of them already.
    pub(super) fn is_full_of_quick_successes(&self) -> bool {
        matches!(&self.outcomes, Outcomes::Count(window) if window.is_full_of_quick_successes())
    }
}

/// A count-based window can never hold more calls than its size, so the minimum is capped by it. A time-based one has
/// no such bound.
fn configured_minimum(config: &BreakerConfig) -> u64 {
    u64::from(match config.window {
        SlidingWindow::Calls(size) => config.minimum_calls.min(size),
        SlidingWindow::Seconds(_) => config.minimum_calls,
    })
}

fn probe_minimum(config: &BreakerConfig) -> u64 {
    u64::from(config.minimum_calls.min(config.half_open_calls))
}
