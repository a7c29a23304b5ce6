//! A look at a breaker's counters.

use super::state::BreakerState;

/// The counters of a breaker's current state, at one moment.
///
/// Each state has its own: closed, half-open and metrics only start empty, open keeps those of the state that led to
/// it, forced open and disabled count no calls.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BreakerMetrics {
    /// The state.
    pub state: BreakerState,
    /// Failed calls in percent; nothing while fewer calls than the minimum are in the window (Resilience4j says -1).
    pub failure_rate: Option<f32>,
    /// Slow calls in percent; nothing while fewer calls than the minimum are in the window (Resilience4j says -1).
    pub slow_call_rate: Option<f32>,
    /// Calls in the window.
    pub buffered: u64,
    /// Failed calls in the window, slow ones included.
    pub failed: u64,
    /// Slow calls in the window, failed ones included.
    pub slow: u64,
    /// Calls in the window that failed and were slow.
    pub slow_failed: u64,
    /// Calls refused since the state was entered (in open: and before, in half-open).
    pub not_permitted: u64,
}

impl BreakerMetrics {
    /// Calls in the window that succeeded, slow ones included.
    pub const fn successful(&self) -> u64 {
        self.buffered.saturating_sub(self.failed)
    }

    /// Calls in the window that succeeded and were slow.
    pub const fn slow_successful(&self) -> u64 {
        self.slow.saturating_sub(self.slow_failed)
    }
}
