//! Names of metrics and of their labels.
//!
//! Those that begin with `resilience4j_` are what a Prometheus scrape of Resilience4j's Micrometer binding shows, so
//! that its dashboards and alerts work unchanged. Those that begin with `cofferdam_` have no counterpart there.

/// Label with the system's name, on every series.
pub const NAME: &str = "name";
/// Label that tells series of one metric apart.
pub const KIND: &str = "kind";
/// Label with a breaker's state.
pub const STATE: &str = "state";

/// Breaker: 1 for the state it is in, 0 for the others, by [`STATE`].
pub const BREAKER_STATE: &str = "resilience4j_circuitbreaker_state";
/// Breaker: duration of calls, by [`KIND`]: `successful`, `failed`, `ignored`.
pub const BREAKER_CALLS: &str = "resilience4j_circuitbreaker_calls_seconds";
/// Breaker: the longest call of the last two minutes, by [`KIND`] as [`BREAKER_CALLS`].
pub const BREAKER_CALLS_MAX: &str = "resilience4j_circuitbreaker_calls_seconds_max";
/// Breaker: calls it refused, [`KIND`] being `not_permitted`.
pub const BREAKER_NOT_PERMITTED: &str = "resilience4j_circuitbreaker_not_permitted_calls_total";
/// Breaker: failed calls in percent, -1 while too few are in the window.
pub const BREAKER_FAILURE_RATE: &str = "resilience4j_circuitbreaker_failure_rate";
/// Breaker: slow calls in percent, -1 while too few are in the window.
pub const BREAKER_SLOW_CALL_RATE: &str = "resilience4j_circuitbreaker_slow_call_rate";
/// Breaker: slow calls in the window, by [`KIND`]: `successful`, `failed`.
pub const BREAKER_SLOW_CALLS: &str = "resilience4j_circuitbreaker_slow_calls";
/// Breaker: calls in the window, by [`KIND`]: `successful`, `failed`.
pub const BREAKER_BUFFERED_CALLS: &str = "resilience4j_circuitbreaker_buffered_calls";

/// Retry: logical calls by [`KIND`]: `successful_without_retry`, `successful_with_retry`, `failed_without_retry`,
/// `failed_with_retry`.
pub const RETRY_CALLS: &str = "resilience4j_retry_calls_total";
/// Retry: repetitions that were not made because the system's budget was spent.
pub const RETRY_BUDGET_SPENT: &str = "cofferdam_retry_budget_spent_total";

/// Rate limit: attempts that found the quota used up.
pub const RATE_LIMIT_REFUSED: &str = "cofferdam_rate_limit_refused_calls_total";

/// Fallback: calls that it answered, by [`KIND`]: `stale`, `default`, `queued`, `unconfirmed`.
pub const FALLBACK_CALLS: &str = "cofferdam_fallback_calls_total";

/// Durable queue: tasks that ended, by [`KIND`]: `completed`, `failed`, `unconfirmed`.
pub const QUEUE_TASKS: &str = "cofferdam_queue_tasks_total";
/// Durable queue: attempts after which a task waits for the next, by [`KIND`]: `retried` after a failure, `postponed` where
/// the system was kept away from.
pub const QUEUE_WAITS: &str = "cofferdam_queue_waits_total";

/// Settings: 1 while the latest ones were refused, so that older ones hold. No labels.
pub const SETTINGS_REFUSED: &str = "cofferdam_settings_refused";

/// Bulkhead: free places.
pub const BULKHEAD_AVAILABLE: &str = "resilience4j_bulkhead_available_concurrent_calls";
/// Bulkhead: all places.
pub const BULKHEAD_MAX_ALLOWED: &str = "resilience4j_bulkhead_max_allowed_concurrent_calls";
/// Bulkhead: calls that got no place.
pub const BULKHEAD_REFUSED: &str = "cofferdam_bulkhead_refused_calls_total";
