//! The rules that settings must keep, as pure functions: values in, what they break out. The place of a broken rule is
//! given by the key it is about, relative to its system or operation.

use std::time::Duration;

use super::file::written;
use super::{
    AdaptiveSettings, BulkheadSettings, FallbackSettings, HealthSettings, PoolSettings, RateLimitSettings,
    RetrySettings, SystemSettings, Timeouts,
};
use crate::breaker::{BreakerFault, SlidingWindow};

/// A rule that values break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Broken {
    /// `timeouts.read`
    pub(super) key: &'static str,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: String,
    /// It may stay if a reason is written beside it.
    pub(super) excusable: bool,
}

fn broken(key: &'static str, code: &'static str, message: impl Into<String>, help: impl Into<String>) -> Broken {
    Broken { key, code, message: message.into(), help: help.into(), excusable: false }
}

fn unless_reasoned(key: &'static str, code: &'static str, message: impl Into<String>) -> Broken {
    let section = key.split('.').next().unwrap_or(key);
    let help = format!("write why, as `reason` in `{section}`, or go back");
    Broken { excusable: true, ..broken(key, code, message, help) }
}

const LONGEST_CONNECT: Duration = Duration::from_secs(10);
const LONGEST_READ: Duration = Duration::from_secs(60);
const CALL_MARGIN: Duration = Duration::from_secs(1);

/// The shortest whole time that leaves room for connecting and reading (R-RES-TO-1); it holds where none is said.
pub(super) fn shortest_call(connect: Duration, read: Duration) -> Duration {
    connect + read + CALL_MARGIN
}

/// R-RES-TO-1, TO-X1, TO-X2, TO-X3: `connect < read < call`, `call >= connect + read + 1 s`, `connect <= 10 s`,
/// `read <= 60 s`.
pub(super) fn timeouts(timeouts: &Timeouts) -> Vec<Broken> {
    let Timeouts { connect, read, call } = *timeouts;
    let mut found = Vec::new();
    for (key, value) in [("timeouts.connect", connect), ("timeouts.read", read), ("timeouts.call", call)] {
        if value.is_zero() {
            found.push(broken(key, "R-RES-TO-X1", "a timeout of 0 allows nothing", "give a duration"));
        }
    }
    if connect > LONGEST_CONNECT {
        let message = format!("{} to connect: never more than 10s", written(connect));
        found.push(broken("timeouts.connect", "R-RES-TO-1", message, "2s within a data centre, 5s over the internet"));
    }
    if read > LONGEST_READ {
        let message = format!("{} without a byte: never more than 1m in a synchronous call", written(read));
        found.push(broken("timeouts.read", "R-RES-TO-X3", message, "what takes longer belongs to a durable queue"));
    }
    if connect >= read {
        let message = format!("connect ({}) must be shorter than read ({})", written(connect), written(read));
        found.push(broken("timeouts.read", "R-RES-TO-1", message, "connect < read < call"));
    }
    let least = shortest_call(connect, read);
    if call < read || call < connect {
        let (name, other) = if call < read { ("read", read) } else { ("connect", connect) };
        let message = format!(
            "call ({}) is shorter than {name} ({}), whose limit would never be reached",
            written(call),
            written(other)
        );
        found.push(broken("timeouts.call", "R-RES-TO-X2", message, format!("at least {}", written(least))));
    } else if call < least {
        let message = format!(
            "call ({}) leaves no room for connect ({}), read ({}) and 1s",
            written(call),
            written(connect),
            written(read)
        );
        found.push(broken("timeouts.call", "R-RES-TO-1", message, format!("at least {}", written(least))));
    }
    found
}

/// R-RES-TO-2: a value that departs from the typical ones, and from those of the profile, carries a reason.
pub(super) fn timeout_departures(timeouts: &Timeouts, preset: &Timeouts) -> Vec<Broken> {
    let connects = [2, 5].map(Duration::from_secs);
    let reads = [10, 30, 60].map(Duration::from_secs);
    let mut found = Vec::new();
    if timeouts.connect != preset.connect && !connects.contains(&timeouts.connect) {
        let message = format!("{} to connect departs from the typical 2s and 5s", written(timeouts.connect));
        found.push(unless_reasoned("timeouts.connect", "R-RES-TO-2", message));
    }
    if timeouts.read != preset.read && !reads.contains(&timeouts.read) {
        let message = format!("{} to read departs from the typical 10s, 30s and 1m", written(timeouts.read));
        found.push(unless_reasoned("timeouts.read", "R-RES-TO-2", message));
    }
    found
}

/// R-RES-CB-2 to CB-5, and WHERE-1 or WHERE-2 (`where_code`) for a breaker that is turned off.
pub(super) fn breaker(settings: &SystemSettings, where_code: &'static str) -> Vec<Broken> {
    let config = &settings.breaker.config;
    let mut found: Vec<Broken> = config.faults().into_iter().map(breaker_fault).collect();
    if !settings.breaker.enabled {
        let message = "the breaker is turned off: a slow failure of the system spreads to all its callers";
        found.push(unless_reasoned("breaker.enabled", where_code, message));
    }
    if let SlidingWindow::Calls(size) = config.window
        && config.minimum_calls > size
    {
        let message = format!("{} calls are never in a window of {size}", config.minimum_calls);
        found.push(broken("breaker.minimum-number-of-calls", "R-RES-CB-2", message, format!("at most {size}")));
    }
    if config.failure_rate_threshold != 50.0 {
        let message = format!("a failure rate threshold of {} % departs from 50 %", config.failure_rate_threshold);
        found.push(unless_reasoned("breaker.failure-rate-threshold", "R-RES-CB-3", message));
    }
    if !settings.breaker.counting.ignore.is_empty() {
        let message = format!("the breaker does not see: {}", settings.breaker.counting.ignore);
        found.push(unless_reasoned("breaker.ignore", where_code, message));
    }
    if config.slow_call > settings.timeouts.read {
        let message = format!(
            "a call is slow only after {}, when read ({}) has long ended it",
            written(config.slow_call),
            written(settings.timeouts.read)
        );
        let help = format!("half of read is usual: {}", written(settings.timeouts.read / 2));
        found.push(broken("breaker.slow-call-duration-threshold", "R-RES-CB-5", message, help));
    }
    found
}

/// Which key and rule a fault of the breaker's own check is about.
fn breaker_fault(fault: BreakerFault) -> Broken {
    let (key, code) = match fault {
        BreakerFault::WindowCalls(_) | BreakerFault::WindowSeconds(_) => ("breaker.sliding-window-size", "R-RES-CB-2"),
        BreakerFault::NoMinimumCalls => ("breaker.minimum-number-of-calls", "R-RES-CB-2"),
        BreakerFault::FailureRate(_) => ("breaker.failure-rate-threshold", "R-RES-CB-3"),
        BreakerFault::SlowCallRate(_) => ("breaker.slow-call-rate-threshold", "R-RES-CB-5"),
        BreakerFault::NoSlowCall => ("breaker.slow-call-duration-threshold", "R-RES-CB-5"),
        BreakerFault::HalfOpenCalls(_) => ("breaker.permitted-number-of-calls-in-half-open-state", "R-RES-CB-4"),
        BreakerFault::NoHalfOpenLimit => ("breaker.max-wait-duration-in-half-open-state", "R-RES-CB-4"),
        BreakerFault::NoOpenWait => ("breaker.wait-duration-in-open-state", "R-RES-CB-4"),
        BreakerFault::Jitter(_) => ("breaker.wait-jitter-in-open-state", "R-RES-CB-4"),
        BreakerFault::GrowthFactor(_) => ("breaker.wait-multiplier-in-open-state", "R-RES-CB-4"),
        BreakerFault::GrowthMaximum { .. } => ("breaker.max-wait-duration-in-open-state", "R-RES-CB-4"),
    };
    broken(key, code, fault.to_string(), "")
}

/// A wait for a place that is no longer short.
const SHORT_WAIT: Duration = Duration::from_millis(100);

/// R-RES-BH-1, BH-3, and WHERE-1 or WHERE-2 (`where_code`) for a bulkhead that is turned off.
pub(super) fn bulkhead(
    bulkhead: &BulkheadSettings,
    pool: &PoolSettings,
    call: Duration,
    where_code: &'static str,
) -> Vec<Broken> {
    let mut found = Vec::new();
    if !bulkhead.enabled {
        let message = "the bulkhead is turned off: a hanging system takes every place its callers have";
        found.push(unless_reasoned("bulkhead.enabled", where_code, message));
    }
    let most = bulkhead.max_concurrent;
    if most == 0 {
        let message = "a bulkhead for 0 calls refuses all of them";
        found.push(broken("bulkhead.max-concurrent-calls", "R-RES-BH-3", message, "at least 1"));
    }
    if most as usize > pool.max_idle {
        let message = format!("{most} calls at once are more than the {} connections of the pool", pool.max_idle);
        let help = "it must refuse before the pool is exhausted: raise `max-concurrent`, or lower this";
        found.push(broken("bulkhead.max-concurrent-calls", "R-RES-BH-3", message, help));
    }
    if bulkhead.max_wait >= call && !call.is_zero() {
        let message =
            format!("a call may wait {} for a place, its whole time ({})", written(bulkhead.max_wait), written(call));
        found.push(broken("bulkhead.max-wait-duration", "R-RES-BH-3", message, "100ms, or 0"));
    } else if bulkhead.max_wait > SHORT_WAIT {
        let message = format!("waiting {} for a place is not failing fast: 100ms is usual", written(bulkhead.max_wait));
        found.push(unless_reasoned("bulkhead.max-wait-duration", "R-RES-BH-3", message));
    }
    found.extend(bulkhead.adaptive.iter().flat_map(adaptive));
    found
}

/// Bounds between which a number of calls can move, and a tolerance that tells slow from usual.
fn adaptive(adaptive: &AdaptiveSettings) -> Vec<Broken> {
    let mut found = Vec::new();
    let AdaptiveSettings { min, max, tolerance } = *adaptive;
    if min == 0 || min > max {
        let message = format!("from {min} to {max} calls at once");
        let help = "at least 1, at most `max-concurrent-calls`";
        found.push(broken("bulkhead.adaptive-min-calls", "R-RES-BH-3", message, help));
    }
    if !(1.1..=10.0).contains(&tolerance) {
        let message = format!("calls that take {tolerance} times as long as usual");
        found.push(broken("bulkhead.adaptive-tolerance", "R-RES-BH-3", message, "2 is usual, 1.1 to 10 are possible"));
    }
    found
}

/// Waiting within a call that is no longer short (R-RES-ASYNC-2).
const SHORT_WAITING: Duration = Duration::from_secs(2);

/// A quota that lets something pass, and R-RES-ASYNC-2, ASYNC-X2 for the wait.
pub(super) fn rate_limit(rate: &RateLimitSettings) -> Vec<Broken> {
    let mut found = Vec::new();
    if rate.limit == 0 {
        let help = "say how many calls a period the system allows: `limit: 50`, `period: 1s`";
        found.push(broken(
            "rate-limit.limit",
            "CD-SETTINGS-VALUE",
            "the limit is missing or 0: nothing would pass",
            help,
        ));
    }
    if rate.period < Duration::from_millis(1) {
        found.push(broken("rate-limit.period", "CD-SETTINGS-VALUE", "a period of 0 limits nothing", "1s is usual"));
    }
    if rate.max_wait > LONGEST_WAIT {
        let message = format!("a wait of {} within a call: never more than 5s", written(rate.max_wait));
        found.push(broken("rate-limit.max-wait", "R-RES-ASYNC-X2", message, "use a durable queue"));
    } else if rate.max_wait >= SHORT_WAITING {
        let message = format!("waiting {} for the quota: under 2s is usual", written(rate.max_wait));
        found.push(unless_reasoned("rate-limit.max-wait", "R-RES-ASYNC-2", message));
    }
    found
}

/// R-RES-ISO-2: a pool that keeps connections.
pub(super) fn pool(pool: &PoolSettings) -> Vec<Broken> {
    let mut found = Vec::new();
    if pool.max_idle == 0 {
        let message = "a pool of 0 connections makes a new one for each call";
        found.push(broken("pool.max-idle", "R-RES-ISO-2", message, "1.2 times `max-concurrent` is usual"));
    }
    if pool.idle_timeout.is_zero() {
        found.push(broken("pool.idle-timeout", "R-RES-ISO-2", "no connection is kept", "90s is usual"));
    }
    found
}

const MOST_ATTEMPTS: u32 = 5;
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const IN_MEMORY: Duration = Duration::from_secs(5);
const DURABLE: Duration = Duration::from_secs(30);

/// R-RES-RE-3, RE-4, RE-X3, ASYNC-X2.
pub(super) fn retry(retry: &RetrySettings) -> Vec<Broken> {
    let mut found = Vec::new();
    if !(1..=MOST_ATTEMPTS).contains(&retry.max_attempts) {
        let message = format!("{} attempts: 1 to 5 are possible, the first one counted", retry.max_attempts);
        found.push(broken("retry.max-attempts", "R-RES-RE-3", message, "what needs more belongs to a durable queue"));
    }
    if !(retry.multiplier > 1.0 && retry.multiplier <= 100.0) {
        let message = format!("waits that grow by {} do not grow as they must", retry.multiplier);
        found.push(broken("retry.exponential-backoff-multiplier", "R-RES-RE-X3", message, "above 1; 2 is usual"));
    }
    if retry.initial_wait < Duration::from_millis(1) {
        let message = "repeating at once doubles the load of a system in trouble";
        found.push(broken("retry.wait-duration", "R-RES-RE-X3", message, "500ms is usual"));
    }
    if retry.max_wait < retry.initial_wait {
        let message = format!(
            "the longest wait ({}) is shorter than the first ({})",
            written(retry.max_wait),
            written(retry.initial_wait)
        );
        found.push(broken("retry.exponential-max-wait-duration", "R-RES-RE-X3", message, "at least the first wait"));
    }
    if retry.max_wait > LONGEST_WAIT {
        let message = format!("a wait of {} within a call: never more than 5s", written(retry.max_wait));
        found.push(broken("retry.exponential-max-wait-duration", "R-RES-ASYNC-X2", message, "use a durable queue"));
    }
    found.extend(total_wait(retry));
    found
}

/// R-RES-RE-4: in-memory retry covers less than 5 s, up to 30 s is a decision, more belongs to a durable queue.
fn total_wait(retry: &RetrySettings) -> Option<Broken> {
    let key = "retry.max-total-wait";
    let total = retry.max_total_wait;
    if total > DURABLE {
        let message = format!("{} of waiting within one call: never more than 30s", written(total));
        return Some(broken(key, "R-RES-RE-4", message, "use a durable queue"));
    }
    let needed = retry.worst_case_waits();
    if total < needed && (1..=MOST_ATTEMPTS).contains(&retry.max_attempts) {
        let message = format!(
            "{} attempts wait up to {} together, more than {}: the last ones are never made",
            retry.max_attempts,
            written(needed),
            written(total)
        );
        return Some(broken(key, "R-RES-RE-4", message, "fewer attempts, shorter waits, or a longer total"));
    }
    (total > IN_MEMORY).then(|| {
        unless_reasoned(key, "R-RES-RE-4", format!("{} of waiting within one call is more than 5s", written(total)))
    })
}

/// A budget that lets nothing be repeated contradicts the attempts.
pub(super) fn budget(retry: &RetrySettings) -> Vec<Broken> {
    let budget = retry.budget;
    if retry.max_attempts > 1 && budget.ratio == 0.0 && budget.floor_per_second == 0.0 {
        let message = format!("the budget allows no retry, the calls are to have {} attempts", retry.max_attempts);
        return vec![broken(
            "retry.budget.ratio",
            "CD-SETTINGS-VALUE",
            message,
            "give a ratio, or set `max-attempts: 1`",
        )];
    }
    if budget.floor_per_second > 1000.0 {
        let message = format!("a floor of {} retries a second limits nothing", budget.floor_per_second);
        return vec![broken("retry.budget.floor-per-second", "CD-SETTINGS-VALUE", message, "10 is usual")];
    }
    Vec::new()
}

/// R-RES-RE-4 over all layers: the waits between attempts, and each attempt's wait for its turn in the quota.
pub(super) fn waiting(settings: &SystemSettings) -> Option<Broken> {
    all_waits(&settings.retry, settings, "rate-limit.max-wait")
}

/// The same for an operation with its own retry, told at the value that makes it wait longer than its system does.
pub(super) fn waiting_of_operation(
    retry: &RetrySettings,
    system: &SystemSettings,
    key: &'static str,
) -> Option<Broken> {
    (longest_waits(retry, system) > longest_waits(&system.retry, system)).then(|| all_waits(retry, system, key))?
}

fn longest_waits(retry: &RetrySettings, system: &SystemSettings) -> Duration {
    let quota = system.rate_limit.map_or(Duration::ZERO, |rate| rate.max_wait);
    retry.worst_case_waits().saturating_add(quota.saturating_mul(retry.max_attempts))
}

fn all_waits(retry: &RetrySettings, system: &SystemSettings, key: &'static str) -> Option<Broken> {
    // Without it, the retry's own rule tells.
    system.rate_limit.filter(|rate| !rate.max_wait.is_zero())?;
    let (attempts, total) = (retry.max_attempts, longest_waits(retry, system));
    let message = format!("{attempts} attempts and the waits between them wait up to {} in one call", written(total));
    if total > DURABLE {
        let help = "never more than 30s: fewer attempts, shorter waits, or a durable queue";
        return Some(broken(key, "R-RES-RE-4", message, help));
    }
    (total > IN_MEMORY).then(|| unless_reasoned(key, "R-RES-RE-4", format!("{message}, more than 5s")))
}

/// R-RES-FB-1: earlier answers that are not kept for ever, and of which there are some.
pub(super) fn fallback(fallback: &FallbackSettings) -> Vec<Broken> {
    let mut found = Vec::new();
    if fallback.stale_max_age.is_zero() {
        found.push(broken("fallback.stale-max-age", "R-RES-FB-1", "no answer is ever young enough", "10m is usual"));
    }
    if fallback.stale_max_entries == 0 {
        found.push(broken("fallback.stale-max-entries", "R-RES-FB-1", "no answer is kept", "1000 is usual"));
    }
    found
}

const SHORTEST_CACHE: Duration = Duration::from_secs(5);
const LONGEST_CACHE: Duration = Duration::from_secs(600);
const LONGEST_PROBE: Duration = Duration::from_secs(10);

/// R-RES-HC-2, HC-3, HC-X1, HC-X2: a light probe, now and then.
pub(super) fn health(health: &HealthSettings) -> Vec<Broken> {
    let mut found = Vec::new();
    if let Some(probe) = health.probe.as_ref().filter(|probe| !probe.is_light()) {
        let message = format!("a probe by {} is a business operation", probe.method);
        found.push(broken("health.probe", "R-RES-HC-X2", message, "GET, HEAD or OPTIONS"));
    }
    if health.cache < SHORTEST_CACHE {
        let message = format!("a probe every {} is a load of its own", written(health.cache));
        found.push(broken("health.cache-duration", "R-RES-HC-X1", message, "30s is usual, 5s the least"));
    }
    if health.cache > LONGEST_CACHE {
        let message = format!("an answer {} old says nothing", written(health.cache));
        found.push(broken("health.cache-duration", "R-RES-HC-2", message, "30s is usual, 10m the most"));
    }
    if health.timeout.is_zero() || health.timeout > LONGEST_PROBE {
        let message = format!("a probe of {}", written(health.timeout));
        found.push(broken("health.timeout", "R-RES-HC-3", message, "2s is usual, 10s the most"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{BudgetSettings, Profile};
    use url::Url;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn codes(found: &[Broken]) -> Vec<(&str, &str)> {
        found.iter().map(|broken| (broken.key, broken.code)).collect()
    }

    fn times(connect: u64, read: u64, call: u64) -> Vec<Broken> {
        timeouts(&Timeouts { connect: millis(connect), read: millis(read), call: millis(call) })
    }

    fn retrying(max_attempts: u32, wait: u64, multiplier: f64, max_wait: u64, total: u64) -> RetrySettings {
        RetrySettings {
            max_attempts,
            initial_wait: millis(wait),
            multiplier,
            max_wait: millis(max_wait),
            max_total_wait: millis(total),
            budget: BudgetSettings { ratio: 0.2, floor_per_second: 10.0 },
            on_429: false,
            on_408: false,
        }
    }

    #[test]
    fn to_1_holds_at_its_limits_and_not_beyond() {
        assert_eq!(times(5_000, 30_000, 36_000), []);
        assert_eq!(times(10_000, 60_000, 71_000), []);
        assert_eq!(codes(&times(10_001, 60_000, 72_000)), [("timeouts.connect", "R-RES-TO-1")]);
        assert_eq!(codes(&times(2_000, 60_001, 64_000)), [("timeouts.read", "R-RES-TO-X3")]);
        assert_eq!(codes(&times(5_000, 30_000, 35_999)), [("timeouts.call", "R-RES-TO-1")]);
        assert_eq!(codes(&times(5_000, 5_000, 20_000)), [("timeouts.read", "R-RES-TO-1")]);
    }

    #[test]
    fn to_x1_and_to_x2_are_told_apart() {
        assert_eq!(codes(&times(5_000, 30_000, 20_000)), [("timeouts.call", "R-RES-TO-X2")]);
        assert!(codes(&times(0, 10, 1_010)).contains(&("timeouts.connect", "R-RES-TO-X1")));
    }

    #[test]
    fn re_3_re_x3_and_async_x2() {
        assert_eq!(retry(&retrying(5, 500, 1.5, 5_000, 5_000)), []);
        assert_eq!(codes(&retry(&retrying(6, 10, 2.0, 100, 5_000))), [("retry.max-attempts", "R-RES-RE-3")]);
        assert_eq!(codes(&retry(&retrying(0, 10, 2.0, 100, 5_000))), [("retry.max-attempts", "R-RES-RE-3")]);
        let multiplier = ("retry.exponential-backoff-multiplier", "R-RES-RE-X3");
        assert_eq!(codes(&retry(&retrying(3, 10, 1.0, 100, 5_000))), [multiplier]);
        assert_eq!(codes(&retry(&retrying(3, 10, f64::NAN, 100, 5_000))), [multiplier]);
        assert_eq!(codes(&retry(&retrying(3, 0, 2.0, 100, 5_000))), [("retry.wait-duration", "R-RES-RE-X3")]);
        let longest = "retry.exponential-max-wait-duration";
        assert_eq!(codes(&retry(&retrying(2, 200, 2.0, 100, 5_000))), [(longest, "R-RES-RE-X3")]);
        assert_eq!(codes(&retry(&retrying(2, 200, 2.0, 5_001, 5_000))), [(longest, "R-RES-ASYNC-X2")]);
    }

    #[test]
    fn re_4_judges_the_waits_of_a_whole_call() {
        let total = ("retry.max-total-wait", "R-RES-RE-4");
        let short = retry(&retrying(5, 500, 2.0, 2_000, 5_000));
        assert_eq!(codes(&short), [total]);
        assert!(!short[0].excusable);
        let decision = retry(&retrying(5, 500, 2.0, 2_000, 30_000));
        assert_eq!(codes(&decision), [total]);
        assert!(decision[0].excusable);
        assert!(!retry(&retrying(3, 500, 2.0, 2_000, 30_001))[0].excusable);
    }

    #[test]
    fn every_preset_keeps_every_rule() {
        for profile in [Profile::External, Profile::Supplier, Profile::Internal] {
            let settings = profile.preset(Url::parse("https://x.example/").unwrap());
            let mut found = timeouts(&settings.timeouts);
            found.extend(timeout_departures(&settings.timeouts, &settings.timeouts));
            found.extend(breaker(&settings, "R-RES-WHERE-1"));
            found.extend(bulkhead(&settings.bulkhead, &settings.pool, settings.timeouts.call, "R-RES-WHERE-1"));
            found.extend(pool(&settings.pool));
            found.extend(retry(&settings.retry));
            found.extend(budget(&settings.retry));
            found.extend(health(&settings.health));
            assert_eq!(found, [], "{profile:?}");
        }
    }
}
