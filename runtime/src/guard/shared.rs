use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::meters::Meters;
use super::telemetry;
use crate::breaker::{BreakerState, CircuitBreaker};
use crate::bulkhead::Bulkhead;
use crate::error::ConnectError;
use crate::retry::RetryBudget;
use crate::settings::{SystemHandle, SystemSettings};

/// What all calls to a system share.
pub(super) struct Shared {
    pub(super) settings: SystemHandle,
    /// The settings that breaker and bulkhead were last set to. Kept, so that no other can have their address.
    applied: Mutex<Arc<SystemSettings>>,
    applied_at: AtomicPtr<SystemSettings>,
    pub(super) breaker: CircuitBreaker,
    pub(super) bulkhead: Bulkhead,
    pub(super) budget: RetryBudget,
    pub(super) meters: Meters,
}

impl Shared {
    pub(super) fn new(handle: &SystemHandle) -> Result<Self, ConnectError> {
        let settings = Arc::clone(&handle.load());
        let name = handle.name().to_owned();
        let meters = Meters::new(&name);
        let states = meters.states();
        let breaker = CircuitBreaker::new(name.as_str(), settings.breaker.config.clone())
            .map_err(|error| ConnectError::new(handle.name(), error.to_string()))?
            .on_state_change(move |change| {
                states.changed(change);
                telemetry::state_changed(&name, change);
            });
        if !settings.breaker.enabled {
            breaker.transition_to_disabled();
        }
        let shared = Self {
            settings: handle.clone(),
            applied_at: AtomicPtr::new(Arc::as_ptr(&settings).cast_mut()),
            breaker,
            bulkhead: Bulkhead::new(settings.bulkhead.max_concurrent),
            budget: RetryBudget::new(&settings.retry.budget),
            applied: Mutex::new(settings),
            meters,
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

    /// Reads the settings as they are now. After a reload the first reader takes them over.
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
        self.bulkhead.resize(new.bulkhead.max_concurrent);
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
