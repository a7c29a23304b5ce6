//! The breaker's states with the numbers that lead from one to the other.

use cofferdam_runtime::breaker::{AfterHalfOpen, BreakerConfig, HalfOpenVerdict, SlidingWindow};
use cofferdam_runtime::settings::SystemSettings;

use super::facts::Fact;
use super::span;

/// The breaker of a system.
#[derive(Debug, Clone)]
pub struct BreakerPage {
    /// Whether there is one.
    pub enabled: bool,
    /// The picture's words.
    pub picture: BreakerPicture,
    /// Each change of state, in words.
    pub changes: Vec<Fact>,
}

/// Words of the picture, each short enough for its place.
#[derive(Debug, Clone)]
pub struct BreakerPicture {
    /// What closed counts.
    pub closed: String,
    /// What half-open lets through.
    pub half_open: String,
    /// Closed to open, by failures.
    pub failed: String,
    /// Closed to open, by slow calls.
    pub slow: String,
    /// Open to half-open.
    pub waited: String,
    /// Half-open to closed.
    pub closes: String,
    /// Half-open to open.
    pub opens: String,
}

pub(super) fn of(settings: &SystemSettings) -> BreakerPage {
    let config = &settings.breaker.config;
    BreakerPage { enabled: settings.breaker.enabled, picture: picture(config), changes: changes(config) }
}

fn window(config: &BreakerConfig) -> String {
    match config.window {
        SlidingWindow::Calls(calls) => format!("the last {calls} calls"),
        SlidingWindow::Seconds(seconds) => format!("the last {seconds} s"),
    }
}

fn picture(config: &BreakerConfig) -> BreakerPicture {
    let calls = config.half_open_calls;
    let (closes, opens) = match config.half_open_verdict {
        HalfOpenVerdict::All => (format!("all {calls} succeed"), "one fails".to_owned()),
        HalfOpenVerdict::Rate => ("rates below".to_owned(), "a rate reached".to_owned()),
    };
    BreakerPicture {
        closed: window(config),
        half_open: if calls == 1 { "1 call passes".to_owned() } else { format!("{calls} calls pass") },
        failed: format!("{} % failed", config.failure_rate_threshold),
        slow: format!("{} % slow", config.slow_call_rate_threshold),
        waited: format!("after {}", span(config.open_wait.base(1))),
        closes,
        opens,
    }
}

fn changes(config: &BreakerConfig) -> Vec<Fact> {
    let slow = span(config.slow_call);
    let (failed, slow_rate) = (config.failure_rate_threshold, config.slow_call_rate_threshold);
    let rates = format!("{failed} % of {} failed, or {slow_rate} % of them took longer than {slow}", window(config));
    let mut changes = vec![Fact::of(
        "closed → open",
        format!("{rates}; judged from {} calls on", config.minimum_calls),
        "CB-2, CB-3, CB-5",
    )];
    let grows = config.open_wait.growth().map(|(factor, longest)| {
        format!(", {factor} times as long with each opening in a row, at most {}", span(longest))
    });
    let jitter = config.open_wait.jitter();
    let jitter = if jitter > 0.0 { format!(", and up to {} % more by chance", jitter * 100.0) } else { String::new() };
    let waits = format!("{} without any call{}{jitter}", span(config.open_wait.base(1)), grows.unwrap_or_default());
    let how = if config.half_open_unasked { "by itself" } else { "with the first call after it" };
    changes.push(Fact::of("open → half-open", format!("{waits}; {how}"), "CB-4"));
    let calls = config.half_open_calls;
    let (closes, opens) = match config.half_open_verdict {
        HalfOpenVerdict::All => {
            (format!("all {calls} permitted calls succeed"), "one of them fails, or too many are slow".to_owned())
        }
        HalfOpenVerdict::Rate => {
            (format!("of {calls} permitted calls, both rates stay below"), "one of the rates is reached".to_owned())
        }
    };
    changes.push(Fact::of("half-open → closed", closes, "CB-4"));
    let limit = config.half_open_limit.map(|limit| {
        let to = match limit.to {
            AfterHalfOpen::Open => "opens",
            AfterHalfOpen::Closed => "closes",
        };
        format!("; without a verdict it {to} after {}", span(limit.after))
    });
    changes.push(Fact::of("half-open → open", format!("{opens}{}", limit.unwrap_or_default()), "CB-4"));
    changes
}
