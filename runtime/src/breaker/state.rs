//! The states of a breaker, what a change between them tells, and which changes are not allowed.

use std::fmt;
use std::time::Duration;

/// The state a breaker is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BreakerState {
    /// Every call is permitted and counted.
    Closed,
    /// No call is permitted until the wait is over.
    Open,
    /// A few calls are permitted to find out whether the system is well again.
    HalfOpen,
    /// No call is permitted until an operator says otherwise.
    ForcedOpen,
    /// Forced closed: every call is permitted and none counted until an operator says otherwise.
    Disabled,
    /// Every call is permitted and counted, and nothing opens the breaker until an operator says otherwise.
    MetricsOnly,
}

impl BreakerState {
    /// Every state.
    pub const ALL: [Self; 6] =
        [Self::Closed, Self::Open, Self::HalfOpen, Self::ForcedOpen, Self::Disabled, Self::MetricsOnly];

    /// The name Resilience4j's metrics use: `closed`, `half_open`, ….
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
            Self::ForcedOpen => "forced_open",
            Self::Disabled => "disabled",
            Self::MetricsOnly => "metrics_only",
        }
    }
}

impl fmt::Display for BreakerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A breaker went from one state to another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct StateChange {
    /// The state it left.
    pub previous: BreakerState,
    /// The state it entered.
    pub new: BreakerState,
    /// The failure rate in percent when it left, if enough calls were in the window.
    pub failure_rate: Option<f32>,
    /// The slow call rate in percent when it left, if enough calls were in the window.
    pub slow_call_rate: Option<f32>,
    /// When, by the breaker's clock. A change by itself is dated to when it was due, though it may be told later.
    pub at: Duration,
    /// Grows with each change. Changes may be told by several threads at once: the largest number is the latest.
    pub sequence: u64,
}

/// A change of state that does not exist, such as closed to half-open. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalTransition {
    /// The state the breaker is in.
    pub from: BreakerState,
    /// The state it was told to enter.
    pub to: BreakerState,
}

impl fmt::Display for IllegalTransition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a breaker cannot go from {} to {}", self.from, self.to)
    }
}

impl std::error::Error for IllegalTransition {}
