use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast;

use super::attempt::{Refused, Stop};
use super::call::Call;
use super::classify::Ended;
use super::engine::Engine;
use super::meters::Meters;
use super::telemetry;
use crate::OperationMeta;
use crate::breaker::{BreakerState, CircuitBreaker, NotPermitted, StateChange};
use crate::bulkhead::{AdaptiveLimit, Bulkhead, Sample};
use crate::deadline::Deadline;
use crate::error::ConnectError;
use crate::moment::Moment;
use crate::observability::Fallbacks;
use crate::rate_limit::RateLimiter;
use crate::retry::RetryBudget;
use crate::settings::{BulkheadSettings, FallbackSettings, RateLimitSettings, SystemHandle, SystemSettings};

/// What all calls to a system share.
pub(crate) struct Shared {
    pub(super) settings: SystemHandle,
    /// The settings that breaker and bulkhead were last set to. Kept, so that no other can have their address.
    applied: Mutex<Arc<SystemSettings>>,
    applied_at: AtomicPtr<SystemSettings>,
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
            applied_at: AtomicPtr::new(Arc::as_ptr(&settings).cast_mut()),
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
        shared.publish();
        Ok(shared)
    }

    /// Shows breaker and bulkhead as they are now.
    pub(super) fn publish(&self) {
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

    /// A call that is to be made now, with the time its first attempt has. It is stopped already if the breaker is open
    /// or too little time is left; otherwise it earns its share of the retry budget.
    pub(crate) fn begin<'m>(&self, meta: &'m OperationMeta, deadline: Option<Deadline>) -> Call<'m> {
        self.try_begin(meta, deadline).unwrap_or_else(|refused| {
            let mut call = self.call(meta, deadline);
            call.stop(Stop::Refused(Refused::NotPermitted(refused)));
            call
        })
    }

    /// The same, but for an open breaker: a refusal is quicker told without a call.
    #[inline]
    pub(super) fn try_begin<'m>(
        &self,
        meta: &'m OperationMeta,
        deadline: Option<Deadline>,
    ) -> Result<Call<'m>, NotPermitted> {
        let now = Moment::now();
        self.with_settings(|settings| {
            if let Some(refused) = self.breaker.refuses_at(now) {
                self.meters.not_permitted();
                return Err(refused);
            }
            let mut call = Call::new(meta, settings, deadline);
            match call.begins_attempt(now) {
                Ok(()) => self.budget.called(),
                Err(refused) => call.stop(Stop::Refused(refused)),
            }
            Ok(call)
        })
    }

    /// A call that may be repeated has ended before its first attempt.
    pub(super) fn repeatable_stopped(&self) {
        self.meters.repeatable_ended(Ended::Unretried);
    }

    /// A call under the settings as they are now.
    #[inline]
    pub(super) fn call<'m>(&self, meta: &'m OperationMeta, deadline: Option<Deadline>) -> Call<'m> {
        self.with_settings(|settings| Call::new(meta, settings, deadline))
    }

    /// Reads the settings as they are now. After a reload the first reader takes them over.
    #[inline]
    pub(super) fn with_settings<T>(&self, read: impl FnOnce(&SystemSettings) -> T) -> T {
        let settings = self.settings.load();
        if Arc::as_ptr(&settings) != self.applied_at.load(Ordering::Acquire) {
            self.take_over();
        }
        read(&settings)
    }

    #[cold]
    fn take_over(&self) {
        let mut applied = self.applied.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock: another reader may have been here with still newer ones.
        let new = Arc::clone(&self.settings.load());
        if Arc::ptr_eq(&applied, &new) {
            return;
        }
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
        self.applied_at.store(Arc::as_ptr(&new).cast_mut(), Ordering::Release);
        *applied = new;
    }
}
