//! From layers to values: presets, then `defaults`, then the system, then the operation, each checked by the rules.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use url::Url;

use super::fault::SettingsFault;
use super::layer::{BulkheadLayer, Layer, OperationLayer, Part as _, RateLimitLayer, RetryLayer, WindowType};
use super::section::{Origin, Reading};
use super::yaml::Place;
use crate::breaker::{AfterHalfOpen, HalfOpenLimit, OpenWait, SlidingWindow};
use crate::settings::rules::{self, Broken};
use crate::settings::{
    AdaptiveSettings, BulkheadSettings, OperationSettings, Profile, ProxySettings, RateLimitSettings, RetrySettings,
    SystemSettings, Timeouts,
};

const MISSING: &str = "CD-SETTINGS-MISSING";
const NO_BASE_URL: &str = "the base URL is missing";

/// Whether a fault is only about a base URL that nobody gave.
pub(super) fn is_missing_base_url(fault: &SettingsFault) -> bool {
    fault.code == MISSING && fault.message == NO_BASE_URL
}

/// A system as the file gives it: its layer upon the defaults, and its operations.
pub(super) struct SystemLayers<'a> {
    pub(super) name: &'a str,
    pub(super) key: String,
    pub(super) at: Place,
    pub(super) layer: Layer,
    pub(super) operations: BTreeMap<&'a str, OperationLayer>,
}

impl SystemLayers<'_> {
    pub(super) fn profile(&self) -> Profile {
        self.layer.plain.profile.unwrap_or_default()
    }

    /// The values that hold, every broken rule reported. `None`: the base URL is missing.
    /// Paths are relative to the folder `base`.
    pub(super) fn resolve(&self, base: &Path, reading: &mut Reading) -> Option<SystemSettings> {
        let base_url = self.layer.plain.base_url.clone();
        if base_url.is_none() && self.layer.plain.origin("base-url").is_none() {
            let help = format!("add `base-url: https://…`, or set {}", variable(self.name));
            reading.fault(MISSING, &self.at, &self.key, NO_BASE_URL.into(), help);
        }
        let settings = self.hold(base, reading)?;
        base_url.map(|_| settings)
    }

    /// The values that hold, every broken rule reported. Without a base URL there is one that leads nowhere: the other
    /// values are checked all the same, so that every fault is told at once.
    pub(super) fn hold(&self, base: &Path, reading: &mut Reading) -> Option<SystemSettings> {
        let base_url = self.layer.plain.base_url.clone().or_else(|| Url::parse("http://unset.invalid/").ok())?;
        let preset = self.profile().preset(base_url);
        let mut settings = values(&self.layer, preset.clone());
        settings.tls.ca_file = settings.tls.ca_file.map(|file| base.join(file));
        for broken in self.broken(&settings, &preset) {
            self.report(broken, reading);
        }
        for (id, operation) in &self.operations {
            let own = self.operation(operation, &settings, reading);
            settings.operations.insert((*id).to_owned(), own);
        }
        Some(settings)
    }

    fn broken(&self, settings: &SystemSettings, preset: &SystemSettings) -> Vec<Broken> {
        let where_code = match self.profile() {
            Profile::External | Profile::Supplier => "R-RES-WHERE-1",
            Profile::Internal => "R-RES-WHERE-2",
        };
        let mut found = rules::timeouts(&settings.timeouts);
        found.extend(rules::timeout_departures(&settings.timeouts, &preset.timeouts));
        found.extend(rules::breaker(settings, where_code));
        found.extend(rules::bulkhead(&settings.bulkhead, &settings.pool, settings.timeouts.call, where_code));
        found.extend(settings.rate_limit.iter().flat_map(rules::rate_limit));
        found.extend(rules::pool(&settings.pool));
        found.extend(rules::retry(&settings.retry));
        found.extend(rules::budget(&settings.retry));
        found.extend(rules::health(&settings.health));
        found.extend(rules::fallback(&settings.fallback));
        found.extend(rules::waiting(settings));
        found.extend(no_reply(settings.max_reply_bytes));
        found.extend(self.lonely());
        found.extend(self.proxy_faults());
        without_excuses(found)
    }

    /// Values that only mean something beside another one.
    fn lonely(&self) -> Vec<Broken> {
        let lonely = |key, code, message: &str, help: &str| Broken {
            key,
            code,
            message: message.into(),
            help: help.into(),
            excusable: false,
        };
        let mut found = Vec::new();
        let breaker = &self.layer.breaker;
        if breaker.half_open_to.is_some() && breaker.half_open_max.is_none() {
            found.push(lonely(
                "breaker.transition-after-half-open-wait",
                "R-RES-CB-4",
                "half-open has no longest wait after which it could go anywhere",
                "add `max-wait-duration-in-half-open-state`, or remove this",
            ));
        }
        for key in ["bulkhead.adaptive-min-calls", "bulkhead.adaptive-tolerance"] {
            if self.layer.bulkhead.adaptive.is_none() && self.exact_origin(key).is_some() {
                let message = "the number of calls at once does not follow the system";
                found.push(lonely(key, "R-RES-BH-3", message, "add `adaptive: true`, or remove this"));
            }
        }
        found
    }

    /// A proxy needs a place to be, and its password one to come from.
    fn proxy_faults(&self) -> Vec<Broken> {
        let proxy = &self.layer.proxy;
        let broken = |key, message: &str, help: &str| Broken {
            key,
            code: super::section::VALUE,
            message: message.into(),
            help: help.into(),
            excusable: false,
        };
        let mut found = Vec::new();
        if proxy.enabled != Some(false) && proxy.origin("url").is_none() {
            for key in ["proxy.enabled", "proxy.user", "proxy.password"] {
                if self.exact_origin(key).is_some() {
                    found.push(broken(key, "there is no proxy", "add `url: http://proxy.example:3128`"));
                }
            }
        }
        if proxy.password.is_some() && proxy.origin("user").is_none() {
            found.push(broken("proxy.password", "there is nobody whose password it is", "add `user`"));
        }
        if matches!(proxy.origin("password").map(|origin| &origin.at), Some(Place::At(..))) {
            let help = format!("set {} instead", setting_variable(self.name, "PROXY__PASSWORD"));
            found.push(broken("proxy.password", "a password does not belong in a file", &help));
        }
        found
    }

    /// Reports a broken rule where its value stands; one that follows from other values, at the system.
    fn report(&self, broken: Broken, reading: &mut Reading) {
        if broken.excusable && self.exact_origin(broken.key).is_none_or(|origin| origin.reasoned) {
            return;
        }
        let (at, key) = match self.origin(broken.key) {
            Some(origin) => (&origin.at, origin.key.clone()),
            None => (&self.at, format!("{}.{}", self.key, broken.key)),
        };
        reading.fault(broken.code, at, &key, broken.message, broken.help);
    }

    /// Where the value of a key was given. A preset has no such place, and needs no reason.
    pub(super) fn exact_origin(&self, key: &str) -> Option<&Origin> {
        let (section, name) = key.split_once('.').unwrap_or(("", key));
        match section {
            "timeouts" => self.layer.timeouts.origin(name),
            "breaker" => self.layer.breaker.origin(name),
            "bulkhead" => self.layer.bulkhead.origin(name),
            "rate-limit" => self.layer.rate_limit.origin(name),
            "retry" => match name.strip_prefix("budget.") {
                Some(name) => self.layer.budget.origin(name),
                None => self.layer.retry.origin(name),
            },
            "pool" => self.layer.pool.origin(name),
            "tls" => self.layer.tls.origin(name),
            "proxy" => self.layer.proxy.origin(name),
            "headers" => self.layer.headers.origin(name),
            "health" => self.layer.health.origin(name),
            "fallback" => self.layer.fallback.origin(name),
            _ => self.layer.plain.origin(key),
        }
    }

    /// Where the value of a key was given; where it was not, the value that it follows from or is compared with.
    fn origin(&self, key: &str) -> Option<&Origin> {
        let kin: &[&str] = match key.split('.').next() {
            Some("timeouts") => &["timeouts.read", "timeouts.connect", "timeouts.call"],
            Some("breaker") => &["breaker.sliding-window-size", "timeouts.read"],
            Some("rate-limit") => &["rate-limit.period", "rate-limit.max-wait", "rate-limit.enabled"],
            Some("bulkhead" | "pool") => &["bulkhead.max-concurrent-calls", "pool.max-idle", "max-concurrent"],
            Some("retry") => &["retry.max-attempts", "retry.wait-duration", "retry.exponential-max-wait-duration"],
            _ => &[],
        };
        self.exact_origin(key).or_else(|| kin.iter().find_map(|kin| self.exact_origin(kin)))
    }

    /// An operation's own values, checked together with those of its system that it does not change.
    fn operation(&self, layer: &OperationLayer, system: &SystemSettings, reading: &mut Reading) -> OperationSettings {
        // As for a system: where no whole time is said, it follows from the read time.
        let call = match (layer.timeouts.read, self.layer.timeouts.call) {
            (Some(read), None) => Some(rules::shortest_call(system.timeouts.connect, read)),
            _ => None,
        };
        let own = OperationSettings {
            base_url: layer.plain.base_url.clone(),
            read: layer.timeouts.read,
            call: layer.timeouts.call.or(call),
            retry: RetryLayer::KEYS
                .iter()
                .any(|key| layer.retry.origin(key).is_some())
                .then(|| retry(&layer.retry, system.retry)),
            max_reply_bytes: layer.plain.max_reply,
        };
        let mut found = Vec::new();
        if own.read.is_some() || own.call.is_some() {
            let timeouts = Timeouts {
                connect: system.timeouts.connect,
                read: own.read.unwrap_or(system.timeouts.read),
                call: own.call.unwrap_or(system.timeouts.call),
            };
            found.extend(rules::timeouts(&timeouts));
            found.extend(rules::timeout_departures(&timeouts, &system.timeouts));
        }
        if let Some(own) = &own.retry {
            found.extend(rules::retry(own));
            let said = |key: &&str| layer.retry.origin(key.trim_start_matches("retry.")).is_some();
            let key = WAITS_OF_RETRY.into_iter().find(said);
            found.extend(key.and_then(|key| rules::waiting_of_operation(own, system, key)));
        }
        found.extend(own.max_reply_bytes.and_then(no_reply));
        // What is wrong with the system itself is told there.
        let told: Vec<Broken> =
            rules::timeouts(&system.timeouts).into_iter().chain(rules::retry(&system.retry)).collect();
        found.retain(|broken| !told.contains(broken));
        for broken in without_excuses(found) {
            report_operation(layer, broken, reading);
        }
        own
    }
}

/// The values of a retry that say how long its calls wait, from the one that weighs most.
const WAITS_OF_RETRY: [&str; 4] = [
    "retry.max-attempts",
    "retry.wait-duration",
    "retry.exponential-backoff-multiplier",
    "retry.exponential-max-wait-duration",
];

/// What cannot be excused by a reason is not asked for one.
fn without_excuses(found: Vec<Broken>) -> Vec<Broken> {
    let final_keys: Vec<&str> = found.iter().filter(|broken| !broken.excusable).map(|broken| broken.key).collect();
    found.iter().filter(|broken| !broken.excusable || !final_keys.contains(&broken.key)).cloned().collect()
}

/// Reports a broken rule where the operation's value stands, or the value it is compared with.
fn report_operation(layer: &OperationLayer, broken: Broken, reading: &mut Reading) {
    let origin = |key: &str| match key.split_once('.') {
        Some(("timeouts", name)) => layer.timeouts.origin(name),
        Some(("retry", name)) => layer.retry.origin(name),
        _ => layer.plain.origin(key),
    };
    if broken.excusable && origin(broken.key).is_none_or(|origin| origin.reasoned) {
        return;
    }
    let kin: &[&str] = match broken.key.split('.').next() {
        Some("timeouts") => &["timeouts.read", "timeouts.call"],
        Some("retry") => &["retry.max-attempts", "retry.wait-duration", "retry.exponential-max-wait-duration"],
        _ => &[],
    };
    let Some(origin) = origin(broken.key).or_else(|| kin.iter().find_map(|kin| origin(kin))) else { return };
    reading.fault(broken.code, &origin.at, &origin.key, broken.message, broken.help);
}

/// A reply that may not be longer than nothing.
fn no_reply(max_reply_bytes: usize) -> Option<Broken> {
    (max_reply_bytes == 0).then(|| Broken {
        key: "max-reply",
        code: super::section::VALUE,
        message: "a reply of 0 bytes holds nothing".into(),
        help: "10 MiB is usual".into(),
        excusable: false,
    })
}

/// The preset with everything laid over it that is said, and what follows from that.
fn values(layer: &Layer, preset: SystemSettings) -> SystemSettings {
    let mut settings = preset;
    let plain = &layer.plain;
    settings.order = plain.order.unwrap_or(settings.order);
    settings.max_reply_bytes = plain.max_reply.unwrap_or(settings.max_reply_bytes);
    settings.code_base = plain.code_base.unwrap_or(settings.code_base);
    let headers = &layer.headers;
    settings.headers.traceparent = headers.traceparent.unwrap_or(settings.headers.traceparent);
    settings.headers.trace_id = headers.trace_id.clone().or(settings.headers.trace_id);
    settings.headers.deadline = headers.deadline.clone().or(settings.headers.deadline);

    settings.tls.ca_file = layer.tls.ca_file.clone().or(settings.tls.ca_file);
    settings.proxy = proxy(layer).or(settings.proxy);
    settings.health.probe = layer.health.probe.clone().or(settings.health.probe);
    settings.health.cache = layer.health.cache.unwrap_or(settings.health.cache);
    settings.health.timeout = layer.health.timeout.unwrap_or(settings.health.timeout);
    let fallback = &layer.fallback;
    settings.fallback.stale_max_age = fallback.stale_max_age.unwrap_or(settings.fallback.stale_max_age);
    settings.fallback.stale_max_entries = fallback.stale_max_entries.unwrap_or(settings.fallback.stale_max_entries);

    let timeouts = &layer.timeouts;
    settings.timeouts.connect = timeouts.connect.unwrap_or(settings.timeouts.connect);
    settings.timeouts.read = timeouts.read.unwrap_or(settings.timeouts.read);
    if timeouts.connect.is_some() || timeouts.read.is_some() {
        settings.timeouts.call = rules::shortest_call(settings.timeouts.connect, settings.timeouts.read);
    }
    settings.timeouts.call = timeouts.call.unwrap_or(settings.timeouts.call);

    // R-RES-BH-3 and R-RES-ISO-2: both follow from the calls at once.
    if let Some(most) = plain.max_concurrent {
        settings.bulkhead.max_concurrent = (u64::from(most) * 4 / 5).max(1).try_into().unwrap_or(u32::MAX);
        settings.pool.max_idle = (u64::from(most) * 6).div_ceil(5).try_into().unwrap_or(usize::MAX);
    }
    settings.bulkhead.enabled = layer.bulkhead.enabled.unwrap_or(settings.bulkhead.enabled);
    settings.bulkhead.max_concurrent = layer.bulkhead.max_concurrent.unwrap_or(settings.bulkhead.max_concurrent);
    settings.bulkhead.max_wait = layer.bulkhead.max_wait.unwrap_or(settings.bulkhead.max_wait);
    settings.bulkhead.adaptive = adaptive(&layer.bulkhead, settings.bulkhead);
    settings.pool.max_idle = layer.pool.max_idle.map_or(settings.pool.max_idle, |most| most as usize);
    settings.pool.idle_timeout = layer.pool.idle_timeout.unwrap_or(settings.pool.idle_timeout);

    settings.rate_limit = rate_limit(&layer.rate_limit, settings.rate_limit);
    settings.retry = retry(&layer.retry, settings.retry);
    settings.retry.budget.ratio = layer.budget.ratio.unwrap_or(settings.retry.budget.ratio);
    settings.retry.budget.floor_per_second =
        layer.budget.floor_per_second.unwrap_or(settings.retry.budget.floor_per_second);
    breaker(layer, &mut settings);
    settings
}

/// A proxy whose URL is said, unless it is turned off.
fn proxy(layer: &Layer) -> Option<ProxySettings> {
    let said = &layer.proxy;
    let url = said.url.clone().filter(|_| said.enabled != Some(false))?;
    Some(ProxySettings { url, user: said.user.clone(), password: said.password.clone() })
}

/// The number of calls at once follows the system where `adaptive` says so; the other values are for it.
fn adaptive(layer: &BulkheadLayer, bulkhead: BulkheadSettings) -> Option<AdaptiveSettings> {
    let usual = AdaptiveSettings { min: 1, max: bulkhead.max_concurrent, tolerance: 2.0 };
    layer.adaptive.unwrap_or(bulkhead.adaptive.is_some()).then(|| AdaptiveSettings {
        min: layer.adaptive_min.unwrap_or(usual.min),
        tolerance: layer.adaptive_tolerance.unwrap_or(usual.tolerance),
        ..usual
    })
}

/// There is a limit as soon as anything is said of one. A limit of 0 stands for one that is not said.
fn rate_limit(layer: &RateLimitLayer, below: Option<RateLimitSettings>) -> Option<RateLimitSettings> {
    let said = RateLimitLayer::KEYS.iter().any(|key| layer.origin(key).is_some());
    let start = RateLimitSettings { limit: 0, period: Duration::from_secs(1), max_wait: Duration::ZERO };
    let below = below.or(said.then_some(start))?;
    layer.enabled.unwrap_or(true).then(|| RateLimitSettings {
        limit: layer.limit.unwrap_or(below.limit),
        period: layer.period.unwrap_or(below.period),
        max_wait: layer.max_wait.unwrap_or(below.max_wait),
    })
}

fn retry(layer: &RetryLayer, below: RetrySettings) -> RetrySettings {
    RetrySettings {
        max_attempts: layer.max_attempts.unwrap_or(below.max_attempts),
        initial_wait: layer.initial_wait.unwrap_or(below.initial_wait),
        multiplier: layer.multiplier.unwrap_or(below.multiplier),
        max_wait: layer.max_wait.unwrap_or(below.max_wait),
        max_total_wait: layer.max_total_wait.unwrap_or(below.max_total_wait),
        budget: below.budget,
        on_429: layer.on_429.unwrap_or(below.on_429),
        on_408: layer.on_408.unwrap_or(below.on_408),
    }
}

fn breaker(layer: &Layer, settings: &mut SystemSettings) {
    let said = &layer.breaker;
    // R-RES-CB-5: slow is what takes longer than half of read, unless said otherwise.
    let half_of_read = layer.timeouts.read.map(|read| read / 2);
    settings.breaker.enabled = said.enabled.unwrap_or(settings.breaker.enabled);
    let config = &mut settings.breaker.config;
    config.slow_call = said.slow_call.or(half_of_read).unwrap_or(config.slow_call);
    config.window = window(said.window_type, said.window_size, config.window);
    // A smaller window needs no more calls than it holds; what is said explicitly is not bent.
    let holds = if let SlidingWindow::Calls(size) = config.window { size.max(1) } else { u32::MAX };
    config.minimum_calls = said.minimum_calls.unwrap_or(config.minimum_calls.min(holds));
    config.failure_rate_threshold = said.failure_rate.map_or(config.failure_rate_threshold, |rate| rate as f32);
    config.slow_call_rate_threshold = said.slow_rate.map_or(config.slow_call_rate_threshold, |rate| rate as f32);
    config.half_open_calls = said.half_open_calls.unwrap_or(config.half_open_calls);
    config.half_open_verdict = said.half_open_verdict.unwrap_or(config.half_open_verdict);
    config.half_open_unasked = said.half_open_unasked.unwrap_or(config.half_open_unasked);
    let counting = &mut settings.breaker.counting;
    counting.record = said.record.clone().unwrap_or_else(|| std::mem::take(&mut counting.record));
    counting.ignore = said.ignore.clone().unwrap_or_else(|| std::mem::take(&mut counting.ignore));
    config.dropped_calls = said.dropped_calls.unwrap_or(config.dropped_calls);
    if let Some(after) = said.half_open_max {
        config.half_open_limit = Some(HalfOpenLimit { after, to: said.half_open_to.unwrap_or(AfterHalfOpen::Open) });
    }
    let first = said.open_wait.unwrap_or(config.open_wait.base(1));
    let wait = match (said.open_growth, said.open_max) {
        (None, None) => OpenWait::fixed(first),
        (factor, max) => OpenWait::growing(first, factor.unwrap_or(2.0), max.unwrap_or(first * 10)),
    };
    config.open_wait = wait.jittered(said.open_jitter.unwrap_or(config.open_wait.jitter()));
}

fn window(kind: Option<WindowType>, size: Option<u32>, preset: SlidingWindow) -> SlidingWindow {
    let (preset_kind, preset_size) = match preset {
        SlidingWindow::Calls(size) => (WindowType::Calls, size),
        SlidingWindow::Seconds(size) => (WindowType::Seconds, size),
    };
    let size = size.unwrap_or(preset_size);
    match kind.unwrap_or(preset_kind) {
        WindowType::Calls => SlidingWindow::Calls(size),
        WindowType::Seconds => SlidingWindow::Seconds(size),
    }
}

/// The variable of the environment that gives a system's base URL.
fn variable(system: &str) -> String {
    setting_variable(system, "BASE_URL")
}

/// The variable of the environment that gives one of a system's settings.
fn setting_variable(system: &str, setting: &str) -> String {
    format!("{}{}__{setting}", super::environment::PREFIX, super::environment::segment(system))
}
