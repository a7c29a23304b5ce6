//! The guards of this process, so that whoever reads numbers need not know them.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::shared::Shared;

/// Guards are few and live long; one that is gone leaves nothing but a place in this list until the next is made.
static GUARDS: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

pub(super) fn register(shared: &Arc<Shared>) {
    let mut guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
    guards.retain(|guard| guard.strong_count() > 0);
    guards.push(Arc::downgrade(shared));
}

/// Refreshes the gauges of all systems of this process. Call it where metrics are read:
///
/// ```
/// # fn render() -> String { String::new() }
/// async fn metrics() -> String {
///     cofferdam_runtime::observability::publish();
///     render()
/// }
/// ```
pub fn publish() {
    let guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    guards.iter().filter_map(Weak::upgrade).for_each(|guard| guard.publish());
}

/// Refreshes the gauges of all systems so often, for ever: for exporters that offer no place to call [`publish`].
///
/// ```no_run
/// # async fn start() {
/// use std::time::Duration;
///
/// tokio::spawn(cofferdam_runtime::observability::publish_every(Duration::from_secs(5)));
/// # }
/// ```
pub async fn publish_every(period: Duration) {
    let mut ticks = interval(period.max(Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        publish();
    }
}
