//! One look at a system.

use cofferdam_runtime::Guard;
use cofferdam_runtime::breaker::BreakerState;
use serde::Serialize;

use super::scrape::Counts;

/// All systems at one moment.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// Milliseconds since 1970.
    pub at: u64,
    /// Orders in the book.
    pub orders: usize,
    /// Whether an operator can act at all.
    pub operable: bool,
    /// Each system.
    pub systems: Vec<Sample>,
}

/// A system at one moment. Counts are those since the service started.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// `external`, `supplier`, `internal`.
    pub profile: &'static str,
    /// State of its breaker.
    pub state: &'static str,
    /// Whether the settings have it off.
    pub off_by_settings: bool,
    /// Failed calls of the window in percent, if there are enough.
    pub failure_rate: Option<f32>,
    /// Slow calls likewise.
    pub slow_rate: Option<f32>,
    /// What opens it.
    pub failure_threshold: f32,
    /// And what of slow calls does.
    pub slow_threshold: f32,
    /// Calls in the window.
    pub buffered: u64,
    /// Places of the bulkhead.
    pub places: usize,
    /// Those that are taken.
    pub taken: usize,
    /// Attempts that succeeded.
    pub succeeded: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Attempts that say nothing about the system's health.
    pub ignored: u64,
    /// Attempts the breaker refused.
    pub refused: u64,
    /// Calls that found no place.
    pub no_place: u64,
    /// Attempts beyond the quota.
    pub over_quota: u64,
    /// Calls that were repeated and succeeded …
    pub retried_well: u64,
    /// … and that did not.
    pub retried_in_vain: u64,
    /// Calls that a fallback answered, by its kind.
    pub fallbacks: Fallbacks,
}

/// Calls that a fallback answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Fallbacks {
    /// By an earlier answer.
    pub stale: u64,
    /// By a neutral value.
    pub neutral: u64,
    /// By a queue.
    pub queued: u64,
    /// By saying that it is not known.
    pub unconfirmed: u64,
}

impl Sample {
    pub(super) fn of(guard: &Guard, counts: Counts) -> Self {
        let settings = guard.settings().load();
        let metrics = guard.breaker().metrics();
        Self {
            name: guard.system().to_owned(),
            profile: settings.profile.word(),
            state: metrics.state.as_str(),
            off_by_settings: !settings.breaker.enabled && metrics.state == BreakerState::Disabled,
            failure_rate: metrics.failure_rate,
            slow_rate: metrics.slow_call_rate,
            failure_threshold: settings.breaker.config.failure_rate_threshold,
            slow_threshold: settings.breaker.config.slow_call_rate_threshold,
            buffered: metrics.buffered,
            places: guard.places(),
            taken: guard.places().saturating_sub(guard.available_places()),
            succeeded: counts.succeeded,
            failed: counts.failed,
            ignored: counts.ignored,
            refused: counts.refused,
            no_place: counts.no_place,
            over_quota: counts.over_quota,
            retried_well: counts.retried_well,
            retried_in_vain: counts.retried_in_vain,
            fallbacks: Fallbacks {
                stale: counts.stale,
                neutral: counts.neutral,
                queued: counts.queued,
                unconfirmed: counts.unconfirmed,
            },
        }
    }
}
