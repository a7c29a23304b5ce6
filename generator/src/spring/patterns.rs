//! Each pattern of Resilience4j in the words of our settings.

use std::time::Duration;

use super::duration::written;
use super::exceptions::{Means, means};
use super::reading::{Reading, Value};
use super::sections::{Keys, Pattern};
use crate::diagnose::Report;

/// What a set of keys of one pattern becomes.
pub(super) fn translate(pattern: Pattern, keys: &Keys, report: &mut Report) -> Vec<Value> {
    let mut reading = Reading::new(keys, report);
    match pattern {
        Pattern::CircuitBreaker => breaker(&mut reading),
        Pattern::Retry => super::repeats::retry(&mut reading),
        Pattern::Bulkhead => bulkhead(&mut reading),
        Pattern::ThreadPoolBulkhead => thread_pool(&mut reading),
        Pattern::RateLimiter => rate_limiter(&mut reading),
        Pattern::TimeLimiter => time_limiter(&mut reading),
    }
    reading
        .instead(&["event-consumer-buffer-size", "writable-stack-trace-enabled"], "events and errors need no settings");
    reading.finish(&format!("Resilience4j's `{}`", pattern.section()))
}

fn breaker(reading: &mut Reading<'_>) {
    if let Some((text, from)) = reading.parsed(
        "sliding-window-type",
        |text| match super::relaxed::plain(text).as_str() {
            "countbased" => Some("count-based"),
            "timebased" => Some("time-based"),
            _ => None,
        },
        "COUNT_BASED or TIME_BASED",
    ) {
        reading.put("breaker.sliding-window-type", text, from);
    }
    // Versions before 1.2 called the window a ring buffer.
    reading.keep_count("ring-buffer-size-in-closed-state", "breaker.sliding-window-size");
    reading.keep_count("ring-buffer-size-in-half-open-state", "breaker.permitted-number-of-calls-in-half-open-state");
    reading.keep_count("sliding-window-size", "breaker.sliding-window-size");
    minimum(reading);
    reading.keep_number("failure-rate-threshold", "breaker.failure-rate-threshold");
    reading.keep_number("slow-call-rate-threshold", "breaker.slow-call-rate-threshold");
    reading.keep_duration("slow-call-duration-threshold", "breaker.slow-call-duration-threshold");
    open_wait(reading);
    reading.keep_count(
        "permitted-number-of-calls-in-half-open-state",
        "breaker.permitted-number-of-calls-in-half-open-state",
    );
    half_open_wait(reading);
    if let Some((value, from)) = reading.switch("automatic-transition-from-open-to-half-open-enabled") {
        reading.put("breaker.automatic-transition-from-open-to-half-open", value.to_string(), from);
    }
    recorded(reading);
    ignored(reading);
    reading.instead(
        &["record-failure-predicate", "record-result-predicate", "ignore-exception-predicate"],
        "the mapper's `verdict` judges replies; `breaker.record` and `breaker.ignore` name kinds of failures",
    );
    reading.instead(
        &["register-health-indicator", "allow-health-indicator-to-fail"],
        "every system has a health indicator",
    );
    reading.instead(
        &["initial-state", "ignore-class-binding-exceptions", "sliding-window-synchronization-strategy"],
        "a breaker begins closed; an operator can force a state at run time",
    );
}

/// In a window of calls Resilience4j lowers the minimum to the window's size; here that must be said.
fn minimum(reading: &mut Reading<'_>) {
    let Some((least, from)) = reading.count("minimum-number-of-calls") else { return };
    let said = |key: &str| reading.values.iter().find(|value| value.key == key).map(|value| value.text.as_str());
    let by_time = said("breaker.sliding-window-type") == Some("time-based");
    let size = said("breaker.sliding-window-size").and_then(|size| size.parse::<u32>().ok());
    let most = size.filter(|size| !by_time && *size < least);
    if let Some(most) = most {
        let message = format!("{least} calls are never in a window of {most}: {most} holds, as in Resilience4j");
        reading.note("R-RES-CB-2", from, message, "");
    }
    reading.put("breaker.minimum-number-of-calls", most.unwrap_or(least).to_string(), from);
}

fn open_wait(reading: &mut Reading<'_>) {
    reading.keep_duration("wait-duration-in-open-state", "breaker.wait-duration-in-open-state");
    let grows = reading.switch("enable-exponential-backoff").is_some_and(|(value, _)| value);
    let random = reading.switch("enable-randomized-wait");
    let factor = reading.number("exponential-backoff-multiplier");
    let longest = reading.millis("exponential-max-wait-duration-in-open-state");
    match (grows, factor) {
        (true, Some((factor, from))) => reading.put("breaker.wait-multiplier-in-open-state", factor.to_string(), from),
        (false, Some((_, from))) => {
            let message = "without `enable-exponential-backoff: true` Resilience4j does not use it: left out";
            reading.note("CD-IMPORT-NONE", from, message, "");
        }
        (_, None) => {}
    }
    if let Some((longest, from)) = longest.filter(|_| grows) {
        reading.put("breaker.max-wait-duration-in-open-state", written(longest), from);
    }
    let part = reading.number("randomized-wait-factor");
    if let Some((true, from)) = random {
        let (part, from) = part.unwrap_or((0.5, from));
        reading.put("breaker.wait-jitter-in-open-state", part.to_string(), from);
        let message = "the random part only lengthens the wait here; in Resilience4j it shortens it too";
        reading.note("CD-IMPORT-NONE", from, message, "");
    }
}

fn half_open_wait(reading: &mut Reading<'_>) {
    let longest = reading.millis("max-wait-duration-in-half-open-state").filter(|(longest, _)| !longest.is_zero());
    let to = reading.parsed(
        "transition-to-state-after-wait-duration",
        |text| match text.to_ascii_uppercase().as_str() {
            "OPEN" => Some("open"),
            "CLOSED" => Some("closed"),
            _ => None,
        },
        "OPEN or CLOSED",
    );
    let Some((longest, from)) = longest else { return };
    reading.put("breaker.max-wait-duration-in-half-open-state", written(longest), from);
    if let Some((to, from)) = to {
        reading.put("breaker.transition-after-half-open-wait", to, from);
    }
}

/// Failures that are counted by the rules need no word; a no has to be named.
fn recorded(reading: &mut Reading<'_>) {
    let Some(property) = reading.take("record-exceptions") else { return };
    let mut classes: Vec<&str> = Vec::new();
    for (class, at) in property.words() {
        let from = super::property::Property { at, ..property.clone() };
        match means(class) {
            Means::Trouble(_) => {}
            Means::No(class) => classes.push(class),
            Means::Refused => {
                let message = format!("`{class}` is never a failure of the system: left out");
                reading.note("CD-IMPORT-NONE", &from, message, "");
            }
            Means::Anything => {
                let message = format!("`{class}` counts a no (4xx) as a failure; here it is not: left out");
                reading.note("CD-IMPORT-NONE", &from, message, "`breaker.record: 4xx` would count it");
            }
            Means::Unknown => {
                let message =
                    format!("`{class}` is not known: if it stands for a 5xx or a broken exchange, it is counted");
                reading.note("CD-IMPORT-NONE", &from, message, "what a reply means is for the mapper's `verdict`");
            }
        }
    }
    if !classes.is_empty() {
        reading.put("breaker.record", classes.join(", "), property);
    }
}

/// A no is not counted anyway; trouble that is not to be counted needs a word, and a reason.
fn ignored(reading: &mut Reading<'_>) {
    let Some(property) = reading.take("ignore-exceptions") else { return };
    let mut classes: Vec<&str> = Vec::new();
    for (class, at) in property.words() {
        let from = super::property::Property { at, ..property.clone() };
        match means(class) {
            Means::Trouble(words) => {
                classes.extend(words.split(", ").filter(|word| !classes.contains(word)).collect::<Vec<_>>())
            }
            Means::No(_) | Means::Refused => {}
            Means::Anything => {
                let message = format!("`{class}` would leave the breaker nothing to count: left out");
                reading.warn("R-RES-WHERE-1", &from, message, "name what is not to be counted");
            }
            Means::Unknown => {
                let message = format!("`{class}` is not known: left out");
                reading.note("CD-IMPORT-NONE", &from, message, "what a reply means is for the mapper's `verdict`");
            }
        }
    }
    if !classes.is_empty() {
        reading.put("breaker.ignore", classes.join(", "), property);
    }
}

fn bulkhead(reading: &mut Reading<'_>) {
    reading.keep_count("max-concurrent-calls", "bulkhead.max-concurrent-calls");
    // Versions before 1.0 gave it in milliseconds under another name.
    reading.keep_duration("max-wait-time", "bulkhead.max-wait-duration");
    reading.keep_duration("max-wait-duration", "bulkhead.max-wait-duration");
    reading.instead(
        &["fair-call-handling-enabled", "fair-call-handling-strategy-enabled"],
        "places are given in the order of asking",
    );
}

/// A pool of threads has no place in an asynchronous service; as many calls at once may run all the same.
fn thread_pool(reading: &mut Reading<'_>) {
    if let Some((threads, from)) = reading.count("max-thread-pool-size") {
        let message = "a thread-pool bulkhead is not used: a semaphore takes its place";
        reading.warn("R-RES-BH-X1", from, message, "a caller that finds no place is refused, there is no queue");
        reading.put("bulkhead.max-concurrent-calls", threads.to_string(), from);
    }
    let instead = "a semaphore has neither threads nor a queue";
    reading.instead(&["core-thread-pool-size", "queue-capacity", "keep-alive-duration"], instead);
    reading.instead(
        &["context-propagators", "context-propagator"],
        "spans and task locals go with the call by themselves",
    );
}

fn rate_limiter(reading: &mut Reading<'_>) {
    reading.keep_count("limit-for-period", "rate-limit.limit");
    if let Some((period, from)) = reading.millis("limit-refresh-period") {
        reading.put("rate-limit.period", written(period.max(Duration::from_millis(1))), from);
        if period < Duration::from_millis(1) {
            reading.warn("CD-IMPORT-VALUE", from, "a period under 1ms is taken for 1ms", "");
        }
    }
    reading.keep_duration("timeout-duration", "rate-limit.max-wait");
    reading.instead(
        &["subscribe-for-events", "register-health-indicator", "allow-health-indicator-to-fail"],
        "every system has a health indicator, and metrics of its quota",
    );
}

/// It bounds one attempt; the client's own limit, if there is one, is weighed against it later.
fn time_limiter(reading: &mut Reading<'_>) {
    reading.keep_duration("timeout-duration", "timeouts.call");
    if let Some((false, from)) = reading.switch("cancel-running-future") {
        let message = "a call that is given up is always dropped, and frees what it held";
        reading.note("CD-IMPORT-NONE", from, message, "");
    }
}
