//! What a service does not say: Resilience4j's defaults, and the presets that hold here instead.

use cofferdam_runtime::breaker::SlidingWindow;
use cofferdam_runtime::settings::SystemSettings;

use super::draft::Draft;
use super::duration::written;
use super::reading::Value;
use super::sections::{Pattern, Sections};
use super::systems::Named;
use crate::diagnose::{Report, Severity};

/// A key, what Resilience4j takes when it is not said, and what the presets have.
type Default = (Pattern, &'static str, &'static str, fn(&SystemSettings) -> String);

const DEFAULTS: [Default; 13] = [
    (Pattern::CircuitBreaker, "breaker.sliding-window-size", "100", |s| {
        let (SlidingWindow::Calls(size) | SlidingWindow::Seconds(size)) = s.breaker.config.window;
        size.to_string()
    }),
    (Pattern::CircuitBreaker, "breaker.minimum-number-of-calls", "100", |s| s.breaker.config.minimum_calls.to_string()),
    (Pattern::CircuitBreaker, "breaker.slow-call-rate-threshold", "100", |s| {
        s.breaker.config.slow_call_rate_threshold.to_string()
    }),
    (Pattern::CircuitBreaker, "breaker.slow-call-duration-threshold", "1m", |_| "half of `timeouts.read`".to_owned()),
    (Pattern::CircuitBreaker, "breaker.wait-duration-in-open-state", "1m", |s| {
        written(s.breaker.config.open_wait.base(1))
    }),
    (Pattern::CircuitBreaker, "breaker.permitted-number-of-calls-in-half-open-state", "10", |s| {
        s.breaker.config.half_open_calls.to_string()
    }),
    (Pattern::CircuitBreaker, "breaker.half-open-verdict", "rate", |_| "all".to_owned()),
    (Pattern::Retry, "retry.max-attempts", "3", |s| s.retry.max_attempts.to_string()),
    (Pattern::Retry, "retry.wait-duration", "500ms", |s| written(s.retry.initial_wait)),
    (Pattern::Bulkhead, "bulkhead.max-concurrent-calls", "25", |s| s.bulkhead.max_concurrent.to_string()),
    (Pattern::Bulkhead, "bulkhead.max-wait-duration", "0", |s| written(s.bulkhead.max_wait)),
    (Pattern::RateLimiter, "rate-limit.period", "500ns", |_| "1s".to_owned()),
    (Pattern::RateLimiter, "rate-limit.max-wait", "5s", |_| "0".to_owned()),
];

/// Patterns that every system gets, whether the service had them or not.
const ALWAYS: [(Pattern, &str); 3] = [
    (Pattern::CircuitBreaker, "circuit breaker"),
    (Pattern::Retry, "retry of reads and keyed writes"),
    (Pattern::Bulkhead, "bulkhead"),
];

/// Tells of each system where what is not said differs from Resilience4j.
pub(super) fn differing(draft: &Draft, sections: &Sections, systems: &[Named], report: &mut Report) {
    let presets = crate::plan::presets(draft.profile);
    let defaults = draft.sections.iter().find(|section| section.system.is_none());
    for system in systems {
        let own = draft.sections.iter().find(|section| section.system.as_ref() == Some(&system.name));
        let said = |key: &str| [own, defaults].into_iter().flatten().any(|section| section.value(key).is_some());
        let has = |pattern: Pattern| {
            let section = sections.patterns.get(&pattern);
            let name = system.instance.as_ref();
            name.zip(section).is_some_and(|(name, section)| section.instances.contains_key(name))
        };
        let differing: Vec<String> = DEFAULTS
            .iter()
            .filter(|(pattern, key, ..)| {
                has(*pattern) && !said(key) && !(*key == "bulkhead.max-concurrent-calls" && said("max-concurrent"))
            })
            .filter_map(|(_, key, theirs, ours)| {
                let ours = ours(&presets);
                (ours != *theirs).then(|| format!("{key} {ours} (Resilience4j: {theirs})"))
            })
            .collect();
        let new: Vec<&str> = ALWAYS.iter().filter(|(pattern, _)| !has(*pattern)).map(|(_, name)| *name).collect();
        let new = new
            .iter()
            .filter(|name| **name != "bulkhead" || !has(Pattern::ThreadPoolBulkhead))
            .copied()
            .collect::<Vec<_>>();
        if !new.is_empty() {
            let message = format!("`{}` gets what it did not have: {}", system.name, new.join(", "));
            let help = "a layer is turned off with a reason only; `retry.max-attempts: 1` repeats nothing";
            report.at(Severity::Note, "R-RES-WHERE-1", system.from.clone(), message, help);
        }
        if !differing.is_empty() {
            let message = format!("what is not said of `{}` is by the presets: {}", system.name, differing.join(", "));
            report.at(
                Severity::Note,
                "CD-IMPORT-PRESET",
                system.from.clone(),
                message,
                "say it where the service's value is meant",
            );
        }
    }
}

/// R-RES-BH-3: a bulkhead for more calls than the presets' pool holds needs a larger pool, which `max-concurrent` gives.
pub(super) fn room(values: &[Value]) -> Option<Value> {
    let said = |key: &str| values.iter().find(|value| value.key == key);
    if said("max-concurrent").is_some() || said("pool.max-idle").is_some() {
        return None;
    }
    let calls = said("bulkhead.max-concurrent-calls")?;
    let most: u64 = calls.text.parse().ok()?;
    // The smallest pool of all presets.
    (most > 24).then(|| Value {
        key: "max-concurrent",
        text: (most.saturating_mul(5).div_ceil(4)).to_string(),
        from: calls.from.clone(),
        remark: None,
    })
}
