use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use http::HeaderName;
use url::Url;

use super::classes::Counting;
use super::{HealthSettings, OperationSettings, Profile};
use crate::breaker::BreakerConfig;
use crate::secret::Secret;

/// Everything one external system is governed by. Whoever fills it in has checked the rules named at the fields.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemSettings {
    /// Which presets the other values started from.
    pub profile: Profile,
    /// Where the system is; a path in it is put before each operation's path.
    pub base_url: Url,
    /// How long things may take (R-RES-TO-1).
    pub timeouts: Timeouts,
    /// When to stop calling (R-RES-CB-2 and on).
    pub breaker: BreakerSettings,
    /// How many calls at once (R-RES-BH-1).
    pub bulkhead: BulkheadSettings,
    /// How many calls a period, so that the system's quota is not exceeded; `None`: as many as come.
    pub rate_limit: Option<RateLimitSettings>,
    /// How reads and keyed writes are repeated (R-RES-RE-2). Nothing here can make an unkeyed write repeat.
    pub retry: RetrySettings,
    /// Which of retry and breaker is the outer one.
    pub order: LayerOrder,
    /// Connections kept (R-RES-ISO-2).
    pub pool: PoolSettings,
    /// Whom else than the platform's certificate authorities we trust.
    pub tls: TlsSettings,
    /// The proxy that connections are made through; `None`: none, whatever the environment says.
    pub proxy: Option<ProxySettings>,
    /// Headers written on each request besides the document's own.
    pub headers: HeaderSettings,
    /// How the system is asked whether it is there (R-RES-HC-1).
    pub health: HealthSettings,
    /// What may stand in for its answers (R-RES-FB-1).
    pub fallback: FallbackSettings,
    /// A reply longer than this many bytes is given up, so that a broken system cannot fill our memory.
    pub max_reply_bytes: usize,
    /// First number of this system's error codes: `CallError::code()` is this plus a small number.
    pub code_base: u32,
    /// What differs for single operations, by operation id.
    pub operations: BTreeMap<String, OperationSettings>,
}

/// Time limits of a system: `connect < read < call`, `call >= connect + read + 1 s`, `connect <= 10 s`,
/// `read <= 60 s` (R-RES-TO-1, TO-X2, TO-X3). None can be left out (R-RES-TO-X1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// TCP and TLS handshake.
    pub connect: Duration,
    /// Silence: to the first byte of the reply, then between two pieces of it.
    pub read: Duration,
    /// The whole of one attempt.
    pub call: Duration,
}

/// The circuit breaker of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakerSettings {
    /// `false` lets every call through (only allowed with a written reason, R-RES-WHERE-1).
    pub enabled: bool,
    /// Window, thresholds, waits, probes (R-RES-CB-2 to CB-5). A call is slow from half of `read` on unless said
    /// otherwise, and never only after `read` has passed.
    pub config: BreakerConfig,
    /// Which ends of an attempt count otherwise than by the rules.
    pub counting: Counting,
}

/// The bulkhead of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BulkheadSettings {
    /// `false` lets every call through (only allowed with a written reason, R-RES-WHERE-1).
    pub enabled: bool,
    /// Calls at once, over all operations; never more than the pool holds (R-RES-BH-3).
    pub max_concurrent: u32,
    /// How long a call waits for a place; zero: it does not (R-RES-BH-3).
    pub max_wait: Duration,
    /// How the number of calls at once follows what the system can take, up to `max_concurrent`; `None`: it stays.
    pub adaptive: Option<AdaptiveSettings>,
}

/// Bounds of a number of calls at once that follows what the system can take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveSettings {
    /// Never fewer calls at once than this; at least 1.
    pub min: u32,
    /// Never more: the bulkhead's `max_concurrent`.
    pub max: u32,
    /// So many times as long as when there are few of them may calls take before there are to be fewer; above 1.
    pub tolerance: f64,
}

/// The system's quota, as far as it is ours. Every attempt counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitSettings {
    /// Attempts a period; at least 1.
    pub limit: u32,
    /// How long a period is; above zero.
    pub period: Duration,
    /// How long an attempt waits for the period that has room for it; zero: it does not.
    pub max_wait: Duration,
}

/// How reads and keyed writes are repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetrySettings {
    /// Attempts with the first one: 1 to 5 (R-RES-RE-3).
    pub max_attempts: u32,
    /// The longest first wait; a wait is drawn from zero to its bound (full jitter) (R-RES-RE-2).
    pub initial_wait: Duration,
    /// The bound grows by this each time: above 1 (R-RES-RE-X3).
    pub multiplier: f64,
    /// The bound never grows over this.
    pub max_wait: Duration,
    /// All waits of one call together, a wait the server asks for (Retry-After) included (R-RES-RE-4).
    pub max_total_wait: Duration,
    /// Retries the whole system may have.
    pub budget: BudgetSettings,
    /// Repeat on 429 too, not before its Retry-After (R-RES-RE-X2).
    pub on_429: bool,
    /// Repeat on 408 too, not before its Retry-After (R-RES-RE-X2).
    pub on_408: bool,
}

/// Retries a system may have, so that a broken system is not drowned in repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BudgetSettings {
    /// Retries per call made, 0.2 being one retry for five calls.
    pub ratio: f64,
    /// Retries a second that are always there.
    pub floor_per_second: f64,
}

/// Which of retry and breaker is the outer layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayerOrder {
    /// Retry(Breaker(call)): every attempt is recorded by the breaker.
    #[default]
    RetryOutside,
    /// Breaker(Retry(call)): one record a logical call.
    BreakerOutside,
}

/// Connections of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolSettings {
    /// Idle connections kept: ceil(max concurrent x 1.2), never below the bulkhead's limit (R-RES-ISO-2).
    pub max_idle: usize,
    /// An idle connection is closed after this.
    pub idle_timeout: Duration,
}

/// Trust in the system's certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsSettings {
    /// A PEM file with certificates of authorities that are trusted besides the platform's own.
    pub ca_file: Option<PathBuf>,
}

/// A proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxySettings {
    /// Where it is; without credentials.
    pub url: Url,
    /// Who we say we are, if it asks.
    pub user: Option<String>,
    /// It never stands in a file: only a variable of the environment gives it.
    pub password: Option<Secret>,
}

/// Earlier answers that may stand in for a read's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FallbackSettings {
    /// An older answer stands in for none.
    pub stale_max_age: Duration,
    /// So many answers are kept for each operation that uses them; at least 1.
    pub stale_max_entries: u32,
}

impl Default for FallbackSettings {
    fn default() -> Self {
        Self { stale_max_age: Duration::from_secs(600), stale_max_entries: 1000 }
    }
}

/// Headers written on each request besides the document's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderSettings {
    /// Whether `traceparent` (W3C Trace Context) is written; `true` unless the system cannot bear it.
    pub traceparent: bool,
    /// Header that carries the trace id alone, for a system that knows no `traceparent` (X-Trace-Id); `None`: none.
    pub trace_id: Option<HeaderName>,
    /// Header that tells the system how many milliseconds this attempt has left (R-RES-TO-3); `None`: not told.
    pub deadline: Option<HeaderName>,
}

impl Default for HeaderSettings {
    fn default() -> Self {
        Self { traceparent: true, trace_id: None, deadline: None }
    }
}
