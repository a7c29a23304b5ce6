use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast;

use super::attempt::{Refused, Stop};
use super::call::Call;
use super::classify::Ended;
use super::engine::Engine;
use super::meters::Meters;
use super::telemetry;
use super::terms::{Flag, SharedTerms, Terms};
use crate::OperationMeta;
use crate::breaker::{BreakerState, CircuitBreaker, StateChange, StaysOpen};
use crate::bulkhead::{AdaptiveLimit, Bulkhead, Sample};
use crate::deadline::Deadline;
use crate::error::ConnectError;
use crate::moment::{Moment, nanos};
use crate::observability::Fallbacks;
use crate::rate_limit::RateLimiter;
use crate::retry::RetryBudget;
use crate::settings::{
    BulkheadSettings, FallbackSettings, LayerOrder, RateLimitSettings, SystemHandle, SystemSettings,
};

/// What all calls to a system share.
pub(crate) struct Shared {
    pub(super) settings: SystemHandle,
    /// The settings that breaker and bulkhead were last set to.
    applied: Mutex<Arc<SystemSettings>>,
    /// What every call reads of them.
    terms: SharedTerms,
    pub(super) breaker: CircuitBreaker,
    pub(super) bulkhead: Bulkhead,
    /// Asked only where the settings name a quota.
    pub(super) rate_limiter: RateLimiter,
    pub(super) budget: RetryBudget,
    pub(super) meters: Meters,
    /// Where the number of calls at once follows the system.
    adaptive: Mutex<Option<AdaptiveLimit>>,
    /// What decides in place of breaker, quota, bulkhead and retry.
    pub(super) engine: Option<Arc<dyn Engine>>,
    pub(super) changes: broadcast::Sender<StateChange>,
    fallbacks: Fallbacks,
}

/// Changes of state that are kept for a subscriber who is behind.
const CHANGES: usize = 32;

/// What the limiter of a system without a quota holds; it is never asked.
const NO_QUOTA: RateLimitSettings =
    RateLimitSettings { limit: u32::MAX, period: Duration::from_secs(1), max_wait: Duration::ZERO };

impl Shared {
    pub(crate) fn new(handle: &SystemHandle) -> Result<Self, ConnectError> {
        let edition = handle.edition();
        let settings = Arc::clone(&handle.load());
        let name = handle.name().to_owned();
        let meters = Meters::new(&name);
        let states = meters.states();
        let (changes, _) = broadcast::channel(CHANGES);
        let told = changes.clone();
        let breaker = CircuitBreaker::new(name.as_str(), settings.breaker.config.clone())
            .map_err(|error| ConnectError::new(handle.name(), error.to_string()))?
            .on_state_change(move |change| {
                states.changed(change);
                telemetry::state_changed(&name, change);
                // Nobody has to listen.
                let _ = told.send(*change);
            });
        if !settings.breaker.enabled {
            breaker.transition_to_disabled();
        }
        let adaptive = settings.bulkhead.adaptive.map(|bounds| AdaptiveLimit::new(bounds, Moment::now()));
        let places = adaptive.as_ref().map_or(settings.bulkhead.max_concurrent, AdaptiveLimit::limit);
        let shared = Self {
            settings: handle.clone(),
            terms: SharedTerms::new(edition, terms_of(&settings)),
            breaker,
            bulkhead: Bulkhead::new(places),
            rate_limiter: RateLimiter::new(&settings.rate_limit.unwrap_or(NO_QUOTA)),
            budget: RetryBudget::new(&settings.retry.budget),
            applied: Mutex::new(settings),
            meters,
            adaptive: Mutex::new(adaptive),
            engine: handle.engine(),
            changes,
            fallbacks: Fallbacks::new(handle.name()),
        };
        if shared.engine.is_some() {
            shared.meters.not_ours();
        }
        shared.publish();
        Ok(shared)
    }

    /// Shows breaker and bulkhead as they are now.
    pub(super) fn publish(&self) {
        if self.engine.is_some() {
            return self.meters.refresh_longest();
        }
        // A reload that no call has met yet counts, too.
        self.with_settings(|_| ());
        self.meters.refresh(&self.breaker.metrics(), self.bulkhead.available(), self.bulkhead.limit());
    }

    /// A call ended, where the number of calls at once follows the system.
    #[cold]
    pub(super) fn learn(&self, sample: Sample) {
        let mut adaptive = self.adaptive.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(limit) = adaptive.as_mut().and_then(|adaptive| adaptive.ended(sample)) {
            self.bulkhead.resize(limit);
            telemetry::limit_changed(self.settings.name(), limit);
        }
    }

    /// Takes over new settings of the bulkhead. What was learnt of the system stays.
    fn resize(&self, bulkhead: &BulkheadSettings) {
        let mut adaptive = self.adaptive.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Moment::now();
        match (&mut *adaptive, bulkhead.adaptive) {
            (Some(adaptive), Some(bounds)) => adaptive.reconfigure(bounds, now),
            (adaptive, bounds) => *adaptive = bounds.map(|bounds| AdaptiveLimit::new(bounds, now)),
        }
        self.bulkhead.resize(adaptive.as_ref().map_or(bulkhead.max_concurrent, AdaptiveLimit::limit));
    }

    pub(crate) fn fallbacks(&self) -> &Fallbacks {
        &self.fallbacks
    }

    pub(crate) fn fallback_settings(&self) -> FallbackSettings {
        self.with_settings(|settings| settings.fallback)
    }

    /// A call is to be made now: it gets the time its first attempt has. It is stopped already if the breaker is open or
    /// too little time is left; otherwise it earns its share of the retry budget.
    pub(crate) fn begin(&self, call: &mut Call<'_>, deadline: Option<Deadline>) {
        if let Err(refused) = self.try_begin(call, deadline) {
            call.ends_by(deadline);
            call.stop(Stop::Refused(Refused::NotPermitted(refused.into())));
        }
    }

    /// The same, but for an open breaker: a refusal is quicker told without a call.
    #[inline]
    pub(super) fn try_begin(&self, call: &mut Call<'_>, deadline: Option<Deadline>) -> Result<(), StaysOpen> {
        let now = Moment::now();
        // Before the breaker is asked: it may have new settings.
        self.read_terms(call);
        if let Some(refused) = self.breaker.refuses_at(now) {
            self.meters.not_permitted();
            return Err(refused);
        }
        call.ends_by(deadline);
        match call.begins_attempt(now) {
            Ok(()) => self.budget.called(),
            Err(refused) => call.stop(Stop::Refused(refused)),
        }
        Ok(())
    }

    /// A call that may be repeated has ended before its first attempt.
    pub(super) fn repeatable_stopped(&self) {
        self.meters.repeatable_ended(Ended::Unretried);
    }

    /// A call under the settings as they are now.
    pub(super) fn call<'m>(&self, meta: &'m OperationMeta, deadline: Option<Deadline>) -> Call<'m> {
        let mut call = Call::idle(meta);
        self.read_terms(&mut call);
        call.ends_by(deadline);
        call
    }

    /// Tells a call what holds for it by the settings as they are now. After a reload the first reader takes them over.
    #[inline]
    fn read_terms(&self, call: &mut Call<'_>) {
        if !self.terms.read(self.settings.edition(), &mut call.terms) {
            call.terms = self.take_over();
        }
        if call.terms.has(Flag::Own) {
            self.read_own_terms(call);
        }
    }

    #[cold]
    fn read_own_terms(&self, call: &mut Call<'_>) {
        let limit = self.with_settings(|settings| settings.policy(call.meta.id).timeouts.call);
        call.terms.limit = nanos(limit);
    }

    /// Reads the settings as they are now. After a reload the first reader takes them over.
    #[inline]
    pub(super) fn with_settings<T>(&self, read: impl FnOnce(&SystemSettings) -> T) -> T {
        if !self.terms.is(self.settings.edition()) {
            self.take_over();
        }
        read(&self.settings.load())
    }

    #[cold]
    fn take_over(&self) -> Terms {
        let mut applied = self.applied.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock: another reader may have been here with still newer ones. In this order: should there be
        // a later edition between the two, its settings are looked at once more, and not left out.
        let edition = self.settings.edition();
        let new = Arc::clone(&self.settings.load());
        let terms = terms_of(&new);
        if !Arc::ptr_eq(&applied, &new) {
            self.apply(&applied, &new);
            *applied = new;
        }
        self.terms.write(edition, terms);
        terms
    }

    /// Sets the layers to new settings.
    fn apply(&self, applied: &SystemSettings, new: &SystemSettings) {
        self.resize(&new.bulkhead);
        if let Some(quota) = &new.rate_limit {
            match applied.rate_limit {
                Some(_) => self.rate_limiter.reconfigure(quota),
                None => self.rate_limiter.restart(quota),
            }
        }
        if applied.breaker.config != new.breaker.config
            && let Err(error) = self.breaker.reconfigure(new.breaker.config.clone())
        {
            telemetry::breaker_settings_refused(self.breaker.name(), &error);
        }
        match (applied.breaker.enabled, new.breaker.enabled) {
            (true, false) => self.breaker.transition_to_disabled(),
            // An operator may have forced another state since: that stays.
            (false, true) if self.breaker.state() == BreakerState::Disabled => self.breaker.transition_to_closed(),
            _ => {}
        }
    }
}

/// What every call reads of the settings.
fn terms_of(settings: &SystemSettings) -> Terms {
    let flags = [
        (Flag::BreakerOutside, settings.order == LayerOrder::BreakerOutside),
        (Flag::Bulkhead, settings.bulkhead.enabled),
        (Flag::Adaptive, settings.bulkhead.adaptive.is_some() && settings.bulkhead.enabled),
        (Flag::Own, !settings.operations.is_empty()),
    ];
    let quota_wait = settings.rate_limit.map(|rate| nanos(rate.max_wait));
    let slow = nanos(settings.breaker.config.slow_call);
    Terms::new(nanos(settings.timeouts.call), slow, quota_wait, settings.code_base, &flags)
}
