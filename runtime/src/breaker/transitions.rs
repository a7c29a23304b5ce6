//! From state to state: by verdict, by order, and by time.
//!
//! No timer runs anywhere. What was due is done, in order and dated to when it was due, before anything else happens
//! to the breaker and before anybody looks at it, so nobody can tell the difference.

use std::time::Duration;

use super::clock::{Clock, Now};
use super::config::{AfterHalfOpen, BreakerConfig};
use super::machine::{Machine, Opened, Phase, Probing};
use super::state::{BreakerState, IllegalTransition, StateChange};
use super::window::Window;
use crate::backoff::fraction;

/// How many changes by time are walked one by one while the wait in open grows.
const MOST_ROUNDS_WALKED: u32 = 2_000;

impl Machine {
    /// Does what has become due.
    pub(super) fn settle<C: Clock>(&mut self, now: &mut Now<'_, C>) {
        let mut walked = 0;
        while let Some(due) = self.timer().filter(|due| *due <= now.get()) {
            walked += 1;
            match (self.phase, self.config.half_open_limit.map(|limit| limit.to)) {
                (Phase::Open(_), _) => self.enter_half_open(due),
                (_, Some(AfterHalfOpen::Closed)) => self.enter_closed(due),
                (_, Some(AfterHalfOpen::Open) | None) => {
                    self.enter_open(due);
                    self.skip_idle_rounds(now.get(), walked);
                }
            }
        }
    }

    fn timer(&self) -> Option<Duration> {
        match self.phase {
            Phase::Open(opened) => opened.timer,
            Phase::HalfOpen(probing) => probing.timer,
            Phase::Closed | Phase::ForcedOpen | Phase::Disabled | Phase::MetricsOnly => None,
        }
    }

    /// Without a call, open and half-open may have followed each other a great many times. Once the wait no longer
    /// grows these rounds are all alike: jump over those that are over, instead of walking (and telling) each.
    fn skip_idle_rounds(&mut self, now: Duration, walked: u32) {
        let (Phase::Open(opened), Some(limit)) = (self.phase, self.config.half_open_limit) else { return };
        let wait = self.config.open_wait;
        let base = wait.base(self.openings);
        let grows = base != wait.base(self.openings.saturating_add(1));
        // A wait that is still growing after so many rounds grows so slowly that they may be taken as alike, too.
        if opened.timer.is_none() || (grows && walked < MOST_ROUNDS_WALKED) {
            return;
        }
        let longest = base.saturating_add(fraction(base, wait.jitter())).saturating_add(limit.after);
        let rounds = now.saturating_sub(opened.since).as_nanos() / longest.as_nanos().max(1);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        if rounds == 0 {
            return;
        }
        let skipped = longest.saturating_mul(rounds);
        self.openings = self.openings.saturating_add(rounds);
        self.phase = Phase::Open(Opened {
            since: opened.since.saturating_add(skipped),
            until: opened.until.saturating_add(skipped),
            timer: opened.timer.map(|timer| timer.saturating_add(skipped)),
            ..opened
        });
        // Open shows the counters of the half-open before it, and nobody asked anything of that one.
        self.window = Window::of_probes(&self.config);
    }

    pub(super) fn enter_closed(&mut self, at: Duration) {
        self.enter_with(Phase::Closed, at);
    }

    /// Open keeps the counters of the state that led to it: they say why.
    pub(super) fn enter_open(&mut self, at: Duration) {
        self.openings = self.openings.saturating_add(1);
        let wait = self.next_open_wait();
        self.open_until(at, wait, false);
    }

    fn open_until(&mut self, at: Duration, wait: Duration, by_order: bool) {
        let until = at.saturating_add(wait);
        let timer = self.config.half_open_unasked.then_some(until);
        self.change(Phase::Open(Opened { since: at, until, timer, by_order }), at);
    }

    fn next_open_wait(&mut self) -> Duration {
        let base = self.config.open_wait.base(self.openings);
        let part = self.config.open_wait.jitter() * self.random.f64();
        base.saturating_add(fraction(base, part))
    }

    pub(super) fn enter_half_open(&mut self, at: Duration) {
        let timer = self.config.half_open_limit.map(|limit| at.saturating_add(limit.after));
        self.change(Phase::HalfOpen(Probing { since: at, used: 0, timer }), at);
        self.window = Window::of_probes(&self.config);
    }

    /// Enters a state that ends the row of openings, or needs no further ado.
    fn enter_with(&mut self, phase: Phase, at: Duration) {
        self.openings = if phase == Phase::ForcedOpen { self.openings.saturating_add(1) } else { 0 };
        self.change(phase, at);
        self.window = match phase {
            Phase::Closed | Phase::MetricsOnly => Window::as_configured(&self.config, &mut Now::of(&At(at))),
            Phase::Open(_) | Phase::HalfOpen(_) | Phase::ForcedOpen | Phase::Disabled => Window::without_votes(),
        };
    }

    /// Begins a new state period. Entering a state anew is one too, but no change worth telling.
    fn change(&mut self, phase: Phase, at: Duration) {
        let previous = self.state();
        let rates = self.window.rates(&mut Now::of(&At(at)));
        self.phase = phase;
        self.generation = self.generation.wrapping_add(1);
        if self.state() != previous {
            self.changes.push(StateChange {
                previous,
                new: self.state(),
                failure_rate: rates.map(|rates| rates.failure),
                slow_call_rate: rates.map(|rates| rates.slow),
                at,
                sequence: self.generation,
            });
        }
    }

    /// Enters `to` because an operator says so, if the current state can be left for it.
    pub(super) fn order<C: Clock>(&mut self, to: BreakerState, now: &mut Now<'_, C>) -> Result<(), IllegalTransition> {
        self.settle(now);
        self.allows(to)?;
        self.enter(to, now.get());
        Ok(())
    }

    /// Enters `to` because an operator says so, from whatever state.
    pub(super) fn force<C: Clock>(&mut self, to: BreakerState, now: &mut Now<'_, C>) {
        self.settle(now);
        self.enter(to, now.get());
    }

    fn enter(&mut self, to: BreakerState, at: Duration) {
        match to {
            BreakerState::Closed => self.enter_closed(at),
            BreakerState::Open => self.enter_open(at),
            BreakerState::HalfOpen => self.enter_half_open(at),
            BreakerState::ForcedOpen => self.enter_with(Phase::ForcedOpen, at),
            BreakerState::Disabled => self.enter_with(Phase::Disabled, at),
            BreakerState::MetricsOnly => self.enter_with(Phase::MetricsOnly, at),
        }
    }

    /// Opens for a time an operator gives. It counts as no opening: a growing wait does not grow by it.
    pub(super) fn order_open_for<C: Clock>(
        &mut self,
        wait: Duration,
        now: &mut Now<'_, C>,
    ) -> Result<(), IllegalTransition> {
        self.settle(now);
        self.allows(BreakerState::Open)?;
        self.open_until(now.get(), wait, true);
        Ok(())
    }

    fn allows(&self, to: BreakerState) -> Result<(), IllegalTransition> {
        let illegal = matches!(
            (self.phase, to),
            (Phase::Closed, BreakerState::HalfOpen) | (Phase::MetricsOnly, BreakerState::Open | BreakerState::HalfOpen)
        );
        if illegal { Err(IllegalTransition { from: self.state(), to }) } else { Ok(()) }
    }

    /// Takes new settings without leaving the state. Counters that still fit are kept; calls in flight still count.
    pub(super) fn reconfigure<C: Clock>(&mut self, config: BreakerConfig, now: &mut Now<'_, C>) {
        self.settle(now);
        let old = std::mem::replace(&mut self.config, config);
        match self.phase {
            Phase::Closed | Phase::MetricsOnly => self.window.reconfigure(&self.config, now),
            Phase::Open(opened) => self.reconfigure_open(opened, &old, now.get()),
            Phase::HalfOpen(probing) => {
                self.reconfigure_half_open(probing, &old, now.get());
                // Fewer probes may be asked for than are in: then nobody else would come to bring the verdict.
                self.judge_probes(now);
            }
            Phase::ForcedOpen | Phase::Disabled => {}
        }
    }

    fn reconfigure_open(&mut self, opened: Opened, old: &BreakerConfig, now: Duration) {
        let mut until = opened.until;
        if !opened.by_order && old.open_wait != self.config.open_wait {
            until = opened.since.saturating_add(self.next_open_wait()).max(now);
        }
        // A timer never lies in the past: nothing may happen before what has already been seen.
        let timer = self.config.half_open_unasked.then_some(until.max(now));
        self.phase = Phase::Open(Opened { until, timer, ..opened });
    }

    fn reconfigure_half_open(&mut self, probing: Probing, old: &BreakerConfig, now: Duration) {
        let mut timer = probing.timer;
        if old.half_open_limit != self.config.half_open_limit {
            let limit = self.config.half_open_limit;
            timer = limit.map(|limit| probing.since.saturating_add(limit.after).max(now));
        }
        self.phase = Phase::HalfOpen(Probing { timer, ..probing });
        self.window.reconfigure_probes(&self.config);
    }
}

/// A clock that stands, for what happens at a given time.
struct At(Duration);

impl Clock for At {
    fn now(&self) -> Duration {
        self.0
    }
}
