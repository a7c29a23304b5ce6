//! The breaker that is shared: the state machine behind a lock, with a way past the lock for what changes nothing.

use std::fmt;
use std::time::Duration;

use super::clock::{Clock, Now, RuntimeClock};
use super::config::{BreakerConfig, DroppedCalls, InvalidBreakerConfig};
use super::machine::Machine;
use super::metrics::BreakerMetrics;
#[cfg(feature = "http")]
use super::permit::Admission;
use super::permit::{NotPermitted, Permit};
#[cfg(feature = "http")]
use super::shortcut::StaysOpen;
use super::shortcut::{QuickAnswer, Shortcut};
use super::state::{BreakerState, IllegalTransition, StateChange};
#[cfg(feature = "http")]
use crate::moment::Moment;
use crate::moment::nanos;
use crate::sync::{Mutex, PoisonError};

type Listener = Box<dyn Fn(&StateChange) + Send + Sync>;

/// A circuit breaker, to be shared by all calls to one system.
///
/// ```
/// use cofferdam_runtime::breaker::{BreakerConfig, CircuitBreaker};
///
/// let breaker = CircuitBreaker::new("sber", BreakerConfig::default())?;
/// match breaker.try_acquire() {
///     Ok(permit) => {
///         // … make the call …
///         let elapsed = permit.elapsed();
///         permit.success(elapsed);
///     }
///     Err(refused) => println!("{refused}"),
/// }
/// # Ok::<(), cofferdam_runtime::breaker::InvalidBreakerConfig>(())
/// ```
pub struct CircuitBreaker<C: Clock = RuntimeClock> {
    shortcut: Shortcut,
    machine: Mutex<Machine>,
    clock: C,
    name: Box<str>,
    listeners: Vec<Listener>,
}

impl CircuitBreaker {
    /// A closed breaker on the runtime's clock.
    pub fn new(name: impl Into<Box<str>>, config: BreakerConfig) -> Result<Self, InvalidBreakerConfig> {
        Self::with_clock(name, config, RuntimeClock::new())
    }
}

#[cfg(feature = "http")]
impl CircuitBreaker {
    /// The refusal of a call at `now`, counted, if the breaker is open and will be for a while.
    #[inline]
    pub(crate) fn refuses_at(&self, now: Moment) -> Option<StaysOpen> {
        self.shortcut.refuses_at(now.since(self.clock.zero()))
    }

    /// Asks for permission to make a call, for a caller that has just read the clock and tells how the call ended.
    #[inline]
    pub(crate) fn admit_at(&self, now: Moment) -> Result<Admission, NotPermitted> {
        let now = now.since(self.clock.zero());
        match self.shortcut.admission(|| now) {
            QuickAnswer::Permitted(generation) => Ok(Admission::to(generation)),
            QuickAnswer::Refused(refused) => Err(refused),
            QuickAnswer::Ask | QuickAnswer::AskAt(_) => {
                let now = Now::known(&self.clock, Duration::from_nanos(now));
                self.locked_at(now, Machine::acquire).map(Admission::to)
            }
        }
    }
}

impl<C: Clock> CircuitBreaker<C> {
    /// A closed breaker on a clock of the caller's.
    pub fn with_clock(
        name: impl Into<Box<str>>,
        config: BreakerConfig,
        clock: C,
    ) -> Result<Self, InvalidBreakerConfig> {
        let config = checked(config)?;
        let mut machine = Machine::new(config, &mut Now::of(&clock));
        let shortcut = Shortcut::new(&mut machine);
        Ok(Self { shortcut, machine: Mutex::new(machine), clock, name: name.into(), listeners: Vec::new() })
    }

    /// Calls `listener` after each change of state, on the thread that brought it about and outside the lock, so that
    /// it may look at the breaker. It must not panic.
    ///
    /// A change by time is told when somebody next uses the breaker or looks at it. Rounds of open and half-open that
    /// went by unseen may be told as one.
    #[must_use]
    pub fn on_state_change(mut self, listener: impl Fn(&StateChange) + Send + Sync + 'static) -> Self {
        self.listeners.push(Box::new(listener));
        self
    }

    /// The name of the system it protects.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn clock(&self) -> &C {
        &self.clock
    }

    /// Asks for permission to make a call.
    pub fn try_acquire(&self) -> Result<Permit<'_, C>, NotPermitted> {
        match self.shortcut.admission(|| nanos(self.clock.now())) {
            QuickAnswer::Permitted(generation) => Ok(Permit::new(self, generation, nanos(self.clock.now()))),
            QuickAnswer::Refused(refused) => Err(refused),
            QuickAnswer::Ask => self.acquire_locked(Now::of(&self.clock)),
            QuickAnswer::AskAt(now) => self.acquire_locked(Now::known(&self.clock, Duration::from_nanos(now))),
        }
    }

    fn acquire_locked(&self, now: Now<'_, C>) -> Result<Permit<'_, C>, NotPermitted> {
        let admission =
            self.locked_at(now, |machine, now| machine.acquire(now).map(|generation| (generation, now.get())));
        admission.map(|(generation, began)| Permit::new(self, generation, nanos(began)))
    }

    #[inline]
    pub(super) fn vote(&self, generation: u64, failed: bool, elapsed: u64) {
        if !self.shortcut.vote_changes_nothing(generation, failed, elapsed) {
            let elapsed = Duration::from_nanos(elapsed);
            self.locked(|machine, now| machine.vote(generation, failed, elapsed, now));
        }
    }

    #[inline]
    pub(super) fn release(&self, generation: u64) {
        if !self.shortcut.release_changes_nothing(generation) {
            self.locked(|machine, now| machine.release(generation, now));
        }
    }

    /// A call's permit was dropped so many nanoseconds after it began. Whether that is a failure of the call.
    pub(super) fn dropped(&self, generation: u64, elapsed: u64) -> bool {
        if !self.shortcut.is_slow(elapsed) && self.shortcut.release_changes_nothing(generation) {
            return false;
        }
        let elapsed = Duration::from_nanos(elapsed);
        self.locked(|machine, now| {
            let failed = machine.config.dropped_calls == DroppedCalls::FailWhenSlow && machine.is_slow(elapsed);
            match failed {
                true => machine.vote(generation, true, elapsed, now),
                false => machine.release(generation, now),
            }
            failed
        })
    }

    /// The state now.
    pub fn state(&self) -> BreakerState {
        self.locked(|machine, now| {
            machine.settle(now);
            machine.state()
        })
    }

    /// The counters now, with the state they belong to.
    pub fn metrics(&self) -> BreakerMetrics {
        self.locked(Machine::metrics)
    }

    /// A copy of the settings in force.
    pub fn config(&self) -> BreakerConfig {
        self.locked(|machine, _| machine.config.clone())
    }

    /// Takes new settings. The state stays, counters that still fit are kept, and calls in flight still count; a
    /// running wait is measured anew from its beginning.
    ///
    /// Settings that cannot work are refused, and the old ones stay.
    pub fn reconfigure(&self, config: BreakerConfig) -> Result<(), InvalidBreakerConfig> {
        let config = checked(config)?;
        self.locked(|machine, now| machine.reconfigure(config, now));
        Ok(())
    }

    /// Enters `state` because an operator, or the settings, say so. The ways that do not exist (closed or metrics only
    /// to half-open, metrics only to open) change nothing.
    pub fn transition_to(&self, state: BreakerState) -> Result<(), IllegalTransition> {
        self.locked(|machine, now| machine.order(state, now))
    }

    /// Opens the breaker for the configured wait. Metrics only cannot be opened.
    pub fn transition_to_open(&self) -> Result<(), IllegalTransition> {
        self.transition_to(BreakerState::Open)
    }

    /// Opens the breaker for `wait`. Metrics only cannot be opened.
    pub fn transition_to_open_for(&self, wait: Duration) -> Result<(), IllegalTransition> {
        self.locked(|machine, now| machine.order_open_for(wait, now))
    }

    /// Begins to probe the system. Closed and metrics only cannot be half-opened.
    pub fn transition_to_half_open(&self) -> Result<(), IllegalTransition> {
        self.transition_to(BreakerState::HalfOpen)
    }

    /// Closes the breaker, with empty counters.
    pub fn transition_to_closed(&self) {
        self.locked(|machine, now| machine.force(BreakerState::Closed, now));
    }

    /// Refuses every call until told otherwise.
    pub fn transition_to_forced_open(&self) {
        self.locked(|machine, now| machine.force(BreakerState::ForcedOpen, now));
    }

    /// Permits every call and counts none until told otherwise (forced closed).
    pub fn transition_to_disabled(&self) {
        self.locked(|machine, now| machine.force(BreakerState::Disabled, now));
    }

    /// Permits and counts every call, and never opens, until told otherwise.
    pub fn transition_to_metrics_only(&self) {
        self.locked(|machine, now| machine.force(BreakerState::MetricsOnly, now));
    }

    /// Makes the breaker as new: closed, with empty counters, no timer and no wait that has grown.
    pub fn reset(&self) {
        self.transition_to_closed();
    }

    /// Works on the state machine under the lock, and tells what changed when the lock is gone.
    fn locked<R>(&self, work: impl FnOnce(&mut Machine, &mut Now<'_, C>) -> R) -> R {
        self.locked_at(Now::of(&self.clock), work)
    }

    fn locked_at<R>(&self, mut now: Now<'_, C>, work: impl FnOnce(&mut Machine, &mut Now<'_, C>) -> R) -> R {
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        self.shortcut.count_refused(&mut machine);
        let outcome = work(&mut machine, &mut now);
        self.shortcut.update(&mut machine);
        // Taking an empty list costs nothing: it has no memory of its own.
        let changes = std::mem::take(&mut machine.changes);
        drop(machine);
        for change in &changes {
            self.listeners.iter().for_each(|listener| listener(change));
        }
        outcome
    }
}

fn checked(config: BreakerConfig) -> Result<BreakerConfig, InvalidBreakerConfig> {
    let faults = config.faults();
    if faults.is_empty() { Ok(config) } else { Err(InvalidBreakerConfig { faults }) }
}

impl<C: Clock> fmt::Debug for CircuitBreaker<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CircuitBreaker").field("name", &self.name).field("metrics", &self.metrics()).finish()
    }
}
