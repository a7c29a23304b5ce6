use serde::Serialize;

use crate::breaker::{BreakerMetrics, BreakerState};

/// How a system is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// Calls go through.
    Up,
    /// Some calls go through: the breaker tries, or every place of the bulkhead is taken.
    Degraded,
    /// Calls do not go through: the breaker is open, or the probe failed.
    Down,
}

/// All that is known of a system's health.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HealthReport {
    /// The system.
    pub system: String,
    /// The sum of it.
    pub status: HealthStatus,
    /// The breaker now.
    pub circuit_breaker: BreakerHealth,
    /// The bulkhead now.
    pub bulkhead: BulkheadHealth,
    /// The latest answer to the probe.
    pub probe: ProbeReport,
}

/// A breaker at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakerHealth {
    /// `closed`, `half_open`, ….
    pub state: &'static str,
    /// Failed calls in percent, if enough are in the window.
    pub failure_rate: Option<f32>,
    /// Slow calls in percent, if enough are in the window.
    pub slow_call_rate: Option<f32>,
    /// Calls in the window.
    pub buffered_calls: u64,
    /// Failed ones among them.
    pub failed_calls: u64,
    /// Calls refused since the state was entered.
    pub not_permitted_calls: u64,
}

/// A bulkhead at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkheadHealth {
    /// Whether there is one.
    pub enabled: bool,
    /// Free places.
    pub available: usize,
    /// All places.
    pub max: usize,
}

/// What the probe said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ProbeReport {
    /// There is none: only breaker and bulkhead say something.
    NotDeclared {
        /// That this is so.
        note: &'static str,
    },
    /// It is not sent.
    Refused {
        /// `GET /orders`
        request: String,
        /// Why.
        note: String,
    },
    /// The system answered.
    Answered {
        /// `GET /health`
        request: String,
        /// With this status: below 500, it is there.
        status: u16,
        /// After so many milliseconds.
        took_millis: u64,
        /// So many milliseconds ago.
        age_millis: u64,
    },
    /// It did not.
    Failed {
        /// `GET /health`
        request: String,
        /// A word: `connect`, `timed_out`, ….
        reason: &'static str,
        /// After so many milliseconds.
        took_millis: u64,
        /// So many milliseconds ago.
        age_millis: u64,
    },
}

impl ProbeReport {
    pub(super) const fn not_declared() -> Self {
        Self::NotDeclared {
            note: "no light request is declared (`health.probe`): only the state of breaker and bulkhead is told",
        }
    }

    /// Whether it says that the system is not there.
    fn is_failure(&self) -> bool {
        match self {
            Self::NotDeclared { .. } | Self::Refused { .. } => false,
            Self::Answered { status, .. } => *status >= 500,
            Self::Failed { .. } => true,
        }
    }
}

impl HealthReport {
    pub(super) fn new(system: &str, breaker: &BreakerMetrics, bulkhead: BulkheadHealth, probe: ProbeReport) -> Self {
        let status = status(breaker.state, &bulkhead, &probe);
        let circuit_breaker = BreakerHealth {
            state: breaker.state.as_str(),
            failure_rate: breaker.failure_rate,
            slow_call_rate: breaker.slow_call_rate,
            buffered_calls: breaker.buffered,
            failed_calls: breaker.failed,
            not_permitted_calls: breaker.not_permitted,
        };
        Self { system: system.to_owned(), status, circuit_breaker, bulkhead, probe }
    }
}

fn status(breaker: BreakerState, bulkhead: &BulkheadHealth, probe: &ProbeReport) -> HealthStatus {
    match breaker {
        BreakerState::Open | BreakerState::ForcedOpen => HealthStatus::Down,
        _ if probe.is_failure() => HealthStatus::Down,
        BreakerState::HalfOpen => HealthStatus::Degraded,
        _ if bulkhead.enabled && bulkhead.available == 0 => HealthStatus::Degraded,
        BreakerState::Closed | BreakerState::Disabled | BreakerState::MetricsOnly => HealthStatus::Up,
    }
}
