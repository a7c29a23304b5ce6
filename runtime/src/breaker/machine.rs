//! The state machine: permission, votes, and what they lead to. It knows no lock and no thread.

use std::time::Duration;

use super::clock::{Clock, Now};
use super::config::{BreakerConfig, HalfOpenVerdict};
use super::metrics::BreakerMetrics;
use super::permit::NotPermitted;
use super::shortcut::Published;
use super::state::{BreakerState, StateChange};
use super::window::{Judgement, Vote, Window};

/// A breaker's whole state.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) config: BreakerConfig,
    pub(super) phase: Phase,
    pub(super) window: Window,
    /// Openings in a row: with no closed, disabled or metrics only state between them.
    pub(super) openings: u32,
    /// Number of the current state period. A vote from another one does not count.
    pub(super) generation: u64,
    pub(super) random: fastrand::Rng,
    /// Changes that are not told yet.
    pub(super) changes: Vec<StateChange>,
    /// What is said of it to those without its lock.
    pub(super) published: Published,
}

/// The state with what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Closed,
    Open(Opened),
    HalfOpen(Probing),
    ForcedOpen,
    Disabled,
    MetricsOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) since: Duration,
    /// Up to and including this time everything is refused.
    pub(super) until: Duration,
    /// When it turns to half-open by itself.
    pub(super) timer: Option<Duration>,
    /// The wait was given by an operator, not taken from the settings.
    pub(super) by_order: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Probing {
    pub(super) since: Duration,
    /// Permits in use: calls in flight, and calls that ended with a verdict.
    pub(super) used: u32,
    /// When it ends without a verdict.
    pub(super) timer: Option<Duration>,
}

impl Machine {
    pub(super) fn new<C: Clock>(config: BreakerConfig, now: &mut Now<'_, C>) -> Self {
        let window = Window::as_configured(&config, now);
        let random = fastrand::Rng::new();
        Self {
            config,
            phase: Phase::Closed,
            window,
            openings: 0,
            generation: 0,
            random,
            changes: Vec::new(),
            published: Published::default(),
        }
    }

    pub(super) fn state(&self) -> BreakerState {
        match self.phase {
            Phase::Closed => BreakerState::Closed,
            Phase::Open(_) => BreakerState::Open,
            Phase::HalfOpen(_) => BreakerState::HalfOpen,
            Phase::ForcedOpen => BreakerState::ForcedOpen,
            Phase::Disabled => BreakerState::Disabled,
            Phase::MetricsOnly => BreakerState::MetricsOnly,
        }
    }

    /// Permits a call, and says in which state period, or refuses it.
    pub(super) fn acquire<C: Clock>(&mut self, now: &mut Now<'_, C>) -> Result<u64, NotPermitted> {
        self.settle(now);
        if let Phase::Open(opened) = self.phase
            && now.get() > opened.until
        {
            self.enter_half_open(now.get());
        }
        match &mut self.phase {
            Phase::Closed | Phase::Disabled | Phase::MetricsOnly => Ok(self.generation),
            Phase::HalfOpen(probing) if probing.used < self.config.half_open_calls => {
                probing.used += 1;
                Ok(self.generation)
            }
            Phase::Open(opened) => Err(Some(opened.until.saturating_sub(now.get()))),
            Phase::HalfOpen(_) | Phase::ForcedOpen => Err(None),
        }
        .map_err(|retry_after| {
            self.window.not_permitted += 1;
            NotPermitted { state: self.state(), retry_after }
        })
    }

    /// A call of the state period `generation` ended with a verdict.
    pub(super) fn vote<C: Clock>(&mut self, generation: u64, failed: bool, elapsed: Duration, now: &mut Now<'_, C>) {
        self.settle(now);
        if generation != self.generation {
            return;
        }
        self.window.record(Vote { failed, slow: self.is_slow(elapsed) }, now);
        match self.phase {
            Phase::Closed if self.window.judge(&self.config, now) == Judgement::Exceeded => self.enter_open(now.get()),
            Phase::HalfOpen(_) => self.judge_probes(now),
            _ => {}
        }
    }

    /// A call of the state period `generation` ended without a verdict.
    pub(super) fn release<C: Clock>(&mut self, generation: u64, now: &mut Now<'_, C>) {
        self.settle(now);
        if generation == self.generation
            && let Phase::HalfOpen(probing) = &mut self.phase
        {
            probing.used = probing.used.saturating_sub(1);
        }
    }

    pub(super) fn is_slow(&self, elapsed: Duration) -> bool {
        elapsed > self.config.slow_call
    }

    /// Ends half-open if the probes that are in say so.
    pub(super) fn judge_probes<C: Clock>(&mut self, now: &mut Now<'_, C>) {
        let judgement = match self.config.half_open_verdict {
            HalfOpenVerdict::Rate => self.window.judge(&self.config, now),
            HalfOpenVerdict::All => self.judge_all_probes(now),
        };
        match judgement {
            Judgement::TooFew => {}
            Judgement::Exceeded => self.enter_open(now.get()),
            Judgement::Within => self.enter_closed(now.get()),
        }
    }

    fn judge_all_probes<C: Clock>(&mut self, now: &mut Now<'_, C>) -> Judgement {
        let tally = self.window.tally(now);
        if tally.failed > 0 {
            return Judgement::Exceeded;
        }
        match tally.rates(u64::from(self.config.half_open_calls)) {
            None => Judgement::TooFew,
            Some(rates) if rates.slow >= self.config.slow_call_rate_threshold => Judgement::Exceeded,
            Some(_) => Judgement::Within,
        }
    }

    pub(super) fn metrics<C: Clock>(&mut self, now: &mut Now<'_, C>) -> BreakerMetrics {
        self.settle(now);
        let rates = self.window.rates(now);
        let tally = self.window.tally(now);
        BreakerMetrics {
            state: self.state(),
            failure_rate: rates.map(|rates| rates.failure),
            slow_call_rate: rates.map(|rates| rates.slow),
            buffered: tally.calls,
            failed: tally.failed,
            slow: tally.slow,
            slow_failed: tally.slow_failed,
            not_permitted: self.window.not_permitted,
        }
    }

    /// Whether calls are permitted without any account of them being kept.
    pub(super) fn admits_freely(&self) -> bool {
        matches!(self.phase, Phase::Closed | Phase::Disabled | Phase::MetricsOnly)
    }

    /// Whether a quick success of the current period changes nothing.
    pub(super) fn quick_success_changes_nothing(&self) -> bool {
        match self.phase {
            Phase::Closed | Phase::MetricsOnly => self.window.is_full_of_quick_successes(),
            Phase::Disabled => true,
            Phase::Open(_) | Phase::HalfOpen(_) | Phase::ForcedOpen => false,
        }
    }
}
