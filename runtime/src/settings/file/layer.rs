//! One layer of settings as the file gives it: `defaults`, a system, an operation. What is not said stays unsaid.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use http::HeaderName;
use url::Url;

use super::quantity::{count, duration, number, percent, ratio, size, switch};
use super::section::{Origin, Reading, Section};
use super::text::{base_url, classes, header_name, password, path, probe, proxy_url, user};
use crate::breaker::{AfterHalfOpen, DroppedCalls, HalfOpenVerdict};
use crate::secret::Secret;
use crate::settings::{FailureClasses, LayerOrder, Probe, Profile};

/// A part of a layer: one mapping of the file.
pub(super) trait Part: Default {
    /// The keys of values that may stand in it.
    const KEYS: &[&str];

    /// Reads what the section says.
    fn read(section: &Section<'_>, reading: &mut Reading) -> Self;

    /// This part upon another: what it says holds, the rest is the other's.
    fn over(self, below: &Self) -> Self;

    /// Where the value of a key was given, if it was.
    fn origin(&self, key: &str) -> Option<&Origin>;
}

/// Declares a part: a struct of options, and from which key each is read and how.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty = $key:literal => $how:ident($argument:expr);)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default)]
        pub(super) struct $name {
            $(pub(super) $field: Option<$type>,)*
            origins: BTreeMap<&'static str, Origin>,
        }

        impl Part for $name {
            const KEYS: &[&str] = &[$($key,)*];

            fn read(section: &Section<'_>, reading: &mut Reading) -> Self {
                let mut part = Self::default();
                $(
                    part.$field = section.$how($key, reading, $argument);
                    if let Some(origin) = section.origin($key) {
                        part.origins.insert($key, origin);
                    }
                )*
                part
            }

            fn over(self, below: &Self) -> Self {
                let mut origins = below.origins.clone();
                origins.extend(self.origins);
                Self { $($field: self.$field.or_else(|| below.$field.clone()),)* origins }
            }

            fn origin(&self, key: &str) -> Option<&Origin> {
                self.origins.get(key)
            }
        }
    };
}

part! {
    /// `timeouts`
    TimeoutsLayer {
        connect: Duration = "connect" => value(duration);
        read: Duration = "read" => value(duration);
        call: Duration = "call" => value(duration);
    }
}

part! {
    /// `breaker`
    BreakerLayer {
        enabled: bool = "enabled" => value(switch);
        window_type: WindowType = "sliding-window-type" => word(&WINDOWS);
        window_size: u32 = "sliding-window-size" => value(count);
        minimum_calls: u32 = "minimum-number-of-calls" => value(count);
        failure_rate: f64 = "failure-rate-threshold" => value(percent);
        slow_rate: f64 = "slow-call-rate-threshold" => value(percent);
        slow_call: Duration = "slow-call-duration-threshold" => value(duration);
        open_wait: Duration = "wait-duration-in-open-state" => value(duration);
        open_growth: f64 = "wait-multiplier-in-open-state" => value(number);
        open_max: Duration = "max-wait-duration-in-open-state" => value(duration);
        open_jitter: f64 = "wait-jitter-in-open-state" => value(ratio);
        half_open_calls: u32 = "permitted-number-of-calls-in-half-open-state" => value(count);
        half_open_verdict: HalfOpenVerdict = "half-open-verdict" => word(&VERDICTS);
        half_open_max: Duration = "max-wait-duration-in-half-open-state" => value(duration);
        half_open_to: AfterHalfOpen = "transition-after-half-open-wait" => word(&AFTER);
        half_open_unasked: bool = "automatic-transition-from-open-to-half-open" => value(switch);
        dropped_calls: DroppedCalls = "dropped-calls" => word(&DROPPED);
        record: FailureClasses = "record" => value(classes);
        ignore: FailureClasses = "ignore" => value(classes);
    }
}

/// What the size of a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowType {
    Calls,
    Seconds,
}

const WINDOWS: [(&str, WindowType); 2] = [("count-based", WindowType::Calls), ("time-based", WindowType::Seconds)];
const VERDICTS: [(&str, HalfOpenVerdict); 2] = [("all", HalfOpenVerdict::All), ("rate", HalfOpenVerdict::Rate)];
const AFTER: [(&str, AfterHalfOpen); 2] = [("open", AfterHalfOpen::Open), ("closed", AfterHalfOpen::Closed)];
const DROPPED: [(&str, DroppedCalls); 2] =
    [("fail-when-slow", DroppedCalls::FailWhenSlow), ("release", DroppedCalls::Release)];

part! {
    /// `bulkhead`
    BulkheadLayer {
        enabled: bool = "enabled" => value(switch);
        max_concurrent: u32 = "max-concurrent-calls" => value(count);
        max_wait: Duration = "max-wait-duration" => value(duration);
        adaptive: bool = "adaptive" => value(switch);
        adaptive_min: u32 = "adaptive-min-calls" => value(count);
        adaptive_tolerance: f64 = "adaptive-tolerance" => value(number);
    }
}

part! {
    /// `rate-limit`
    RateLimitLayer {
        enabled: bool = "enabled" => value(switch);
        limit: u32 = "limit" => value(count);
        period: Duration = "period" => value(duration);
        max_wait: Duration = "max-wait" => value(duration);
    }
}

part! {
    /// `retry`
    RetryLayer {
        max_attempts: u32 = "max-attempts" => value(count);
        initial_wait: Duration = "wait-duration" => value(duration);
        multiplier: f64 = "exponential-backoff-multiplier" => value(number);
        max_wait: Duration = "exponential-max-wait-duration" => value(duration);
        max_total_wait: Duration = "max-total-wait" => value(duration);
        on_429: bool = "on-429" => value(switch);
        on_408: bool = "on-408" => value(switch);
    }
}

part! {
    /// `retry.budget`
    BudgetLayer {
        ratio: f64 = "ratio" => value(ratio);
        floor_per_second: f64 = "floor-per-second" => value(number);
    }
}

part! {
    /// `pool`
    PoolLayer {
        max_idle: u32 = "max-idle" => value(count);
        idle_timeout: Duration = "idle-timeout" => value(duration);
    }
}

part! {
    /// `headers`
    HeadersLayer {
        traceparent: bool = "traceparent" => value(switch);
        trace_id: HeaderName = "trace-id" => value(header_name);
        deadline: HeaderName = "deadline" => value(header_name);
    }
}

part! {
    /// `tls`
    TlsLayer {
        ca_file: PathBuf = "ca-file" => value(path);
    }
}

part! {
    /// `proxy`
    ProxyLayer {
        enabled: bool = "enabled" => value(switch);
        url: Url = "url" => value(proxy_url);
        user: String = "user" => value(user);
        password: Secret = "password" => value(password);
    }
}

part! {
    /// `health`
    HealthLayer {
        probe: Probe = "probe" => value(probe);
        cache: Duration = "cache-duration" => value(duration);
        timeout: Duration = "timeout" => value(duration);
    }
}

part! {
    /// `fallback`
    FallbackLayer {
        stale_max_age: Duration = "stale-max-age" => value(duration);
        stale_max_entries: u32 = "stale-max-entries" => value(count);
    }
}

part! {
    /// What stands in a system's own mapping.
    PlainLayer {
        profile: Profile = "profile" => word(&PROFILES);
        base_url: Url = "base-url" => value(base_url);
        max_concurrent: u32 = "max-concurrent" => value(count);
        order: LayerOrder = "order" => word(&ORDERS);
        max_reply: usize = "max-reply" => value(size);
        code_base: u32 = "code-base" => value(count);
    }
}

const PROFILES: [(&str, Profile); 3] =
    [("external", Profile::External), ("supplier", Profile::Supplier), ("internal", Profile::Internal)];
const ORDERS: [(&str, LayerOrder); 2] =
    [("retry-outside", LayerOrder::RetryOutside), ("breaker-outside", LayerOrder::BreakerOutside)];

/// `defaults`, or a system.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    pub(super) plain: PlainLayer,
    pub(super) timeouts: TimeoutsLayer,
    pub(super) breaker: BreakerLayer,
    pub(super) bulkhead: BulkheadLayer,
    pub(super) rate_limit: RateLimitLayer,
    pub(super) retry: RetryLayer,
    pub(super) budget: BudgetLayer,
    pub(super) pool: PoolLayer,
    pub(super) tls: TlsLayer,
    pub(super) proxy: ProxyLayer,
    pub(super) headers: HeadersLayer,
    pub(super) health: HealthLayer,
    pub(super) fallback: FallbackLayer,
}

impl Layer {
    /// Reads a section; what the layer is for, `defaults` or one system, says which keys may stand in it.
    pub(super) fn read(section: &Section<'_>, scope: Scope, reading: &mut Reading) -> Self {
        let mut known = vec!["profile", "max-concurrent", "order", "max-reply"];
        known.extend([
            "timeouts",
            "breaker",
            "bulkhead",
            "rate-limit",
            "retry",
            "pool",
            "tls",
            "proxy",
            "headers",
            "health",
            "fallback",
        ]);
        if scope == Scope::System {
            known.splice(0..0, ["base-url"]);
            known.extend(["code-base", "operations"]);
        }
        section.known_keys(&known, reading);
        let retry = section.section("retry", reading);
        Self {
            plain: PlainLayer::read(section, reading),
            timeouts: part(section, "timeouts", &["reason"], reading),
            breaker: part(section, "breaker", &["reason"], reading),
            bulkhead: part(section, "bulkhead", &["reason"], reading),
            rate_limit: part(section, "rate-limit", &["reason"], reading),
            retry: part(section, "retry", &["reason", "budget"], reading),
            budget: retry.map(|retry| part(&retry, "budget", &[], reading)).unwrap_or_default(),
            pool: part(section, "pool", &[], reading),
            tls: part(section, "tls", &[], reading),
            proxy: part(section, "proxy", &[], reading),
            headers: part(section, "headers", &[], reading),
            health: part(section, "health", &[], reading),
            fallback: part(section, "fallback", &[], reading),
        }
    }

    /// This layer upon another.
    pub(super) fn over(self, below: &Self) -> Self {
        Self {
            plain: self.plain.over(&below.plain),
            timeouts: self.timeouts.over(&below.timeouts),
            breaker: self.breaker.over(&below.breaker),
            bulkhead: self.bulkhead.over(&below.bulkhead),
            rate_limit: self.rate_limit.over(&below.rate_limit),
            retry: self.retry.over(&below.retry),
            budget: self.budget.over(&below.budget),
            pool: self.pool.over(&below.pool),
            tls: self.tls.over(&below.tls),
            proxy: self.proxy.over(&below.proxy),
            headers: self.headers.over(&below.headers),
            health: self.health.over(&below.health),
            fallback: self.fallback.over(&below.fallback),
        }
    }
}

/// Whom a layer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Defaults,
    System,
}

/// `operations.<id>`
#[derive(Debug, Clone, Default)]
pub(super) struct OperationLayer {
    pub(super) plain: OperationPlainLayer,
    pub(super) timeouts: OperationTimeoutsLayer,
    pub(super) retry: RetryLayer,
}

part! {
    /// What stands in an operation's own mapping.
    OperationPlainLayer {
        base_url: Url = "base-url" => value(base_url);
        max_reply: usize = "max-reply" => value(size);
    }
}

part! {
    /// `timeouts` of an operation: connecting is the system's affair.
    OperationTimeoutsLayer {
        read: Duration = "read" => value(duration);
        call: Duration = "call" => value(duration);
    }
}

impl OperationLayer {
    pub(super) fn read(section: &Section<'_>, reading: &mut Reading) -> Self {
        section.known_keys(&["base-url", "timeouts", "retry", "max-reply"], reading);
        Self {
            plain: OperationPlainLayer::read(section, reading),
            timeouts: part(section, "timeouts", &["reason"], reading),
            retry: part(section, "retry", &["reason"], reading),
        }
    }
}

/// A part of a layer, its keys checked; `more` are those that may stand in it besides its values.
fn part<P: Part>(section: &Section<'_>, key: &str, more: &[&str], reading: &mut Reading) -> P {
    let Some(section) = section.section(key, reading) else { return P::default() };
    section.known_keys(&[P::KEYS, more].concat(), reading);
    let section = if more.contains(&"reason") { section.with_reason(reading) } else { section };
    P::read(&section, reading)
}
