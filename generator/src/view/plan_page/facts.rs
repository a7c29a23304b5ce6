//! The numbers that govern a system.

use cofferdam_runtime::settings::{LayerOrder, SystemSettings};

use super::span;

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// What holds.
    pub value: String,
    /// The rules about it, without `R-RES-`.
    pub rules: &'static str,
}

impl Fact {
    pub(super) fn of(name: &str, value: impl Into<String>, rules: &'static str) -> Self {
        Self { name: name.to_owned(), value: value.into(), rules }
    }
}

/// What holds for the whole system.
#[must_use]
pub fn facts(settings: &SystemSettings) -> Vec<Fact> {
    let timeouts = settings.timeouts;
    let retry = settings.retry;
    let mut facts = vec![
        Fact::of("connect", format!("at most {}", span(timeouts.connect)), "TO-1"),
        Fact::of("read", format!("at most {} without a byte", span(timeouts.read)), "TO-1, TO-X3"),
        Fact::of("call", format!("at most {} for one attempt", span(timeouts.call)), "TO-1"),
    ];
    let again = match retry.max_attempts {
        1 => "nothing is repeated".to_owned(),
        attempts => format!(
            "up to {attempts} attempts of what may be repeated; the waits between them take up to {}, {} are allowed",
            span(retry.worst_case_waits()),
            span(retry.max_total_wait)
        ),
    };
    facts.push(Fact::of("retry", again, "RE-1 to RE-4"));
    if retry.max_attempts > 1 {
        let (ratio, floor) = (retry.budget.ratio * 100.0, retry.budget.floor_per_second);
        facts.push(Fact::of("retry budget", format!("{ratio} % of the calls, and {floor} a second"), "RE-2"));
    }
    let order = match settings.order {
        LayerOrder::RetryOutside => "retry around the breaker: it records every attempt",
        LayerOrder::BreakerOutside => "breaker around retry: it records each logical call once",
    };
    facts.push(Fact::of("order", order, "order"));
    if let Some(rate) = settings.rate_limit {
        let wait =
            if rate.max_wait.is_zero() { "no wait".to_owned() } else { format!("waits up to {}", span(rate.max_wait)) };
        facts.push(Fact::of(
            "rate limit",
            format!("{} attempts in {}; {wait}", rate.limit, span(rate.period)),
            "ASYNC-2",
        ));
    }
    let bulkhead = &settings.bulkhead;
    let places = match (bulkhead.enabled, bulkhead.max_wait.is_zero()) {
        (false, _) => "turned off".to_owned(),
        (true, true) => format!("{} calls at once; no wait for a place", bulkhead.max_concurrent),
        (true, false) => {
            format!("{} calls at once; waits up to {} for a place", bulkhead.max_concurrent, span(bulkhead.max_wait))
        }
    };
    facts.push(Fact::of("bulkhead", places, "BH-1, BH-3"));
    facts.push(Fact::of("pool", format!("{} connections kept", settings.pool.max_idle), "ISO-2"));
    facts
}
