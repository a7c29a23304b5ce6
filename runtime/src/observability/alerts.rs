use std::fmt::Write as _;

use super::names;
use super::promql::{of, quoted, yaml};

/// One alert of a system.
struct Alert {
    name: &'static str,
    severity: &'static str,
    /// How long it must be so.
    lasting: &'static str,
    expression: String,
    summary: &'static str,
    /// What to do, or to look at.
    advice: &'static str,
}

/// Prometheus alert rules, as a file of rule groups: one group a system, and one for the settings.
///
/// Rates of calls are judged per instance where one instance may be alone in its trouble, and the state of breakers over
/// all instances.
#[must_use]
pub fn alert_rules(systems: &[&str]) -> String {
    let mut text = String::from("groups:\n");
    for system in systems {
        push_group(&mut text, &format!("cofferdam {}", quoted(system)), "{{ $labels.name }}", alerts(system));
    }
    push_group(&mut text, "cofferdam", "settings", vec![settings()]);
    text
}

/// The system's name stands in expressions only; elsewhere it comes from the alert's own labels, since there Prometheus
/// would take braces in it for a template.
fn push_group(text: &mut String, name: &str, about: &str, alerts: Vec<Alert>) {
    // Writing to a string cannot fail.
    let _ = write!(text, "  - name: {}\n    rules:\n", yaml(name));
    for Alert { name, severity, lasting, expression, summary, advice } in alerts {
        let _ = write!(
            text,
            "      - alert: {name}\n        expr: {}\n        for: {lasting}\n        labels: {{severity: {severity}, \
             system: {}}}\n        annotations:\n          summary: {}\n          description: {}\n",
            yaml(&expression),
            yaml(about),
            yaml(&format!("{about}: {summary}")),
            yaml(advice),
        );
    }
}

fn alerts(system: &str) -> Vec<Alert> {
    [breaker(system), calls(system), load(system), queue(system)].into_iter().flatten().collect()
}

fn breaker(system: &str) -> Vec<Alert> {
    let state = |states: &str| format!("{}{}", names::BREAKER_STATE, of(system, &format!("state=~\"{states}\"")));
    vec![
        Alert {
            name: "CofferdamCircuitBreakerOpen",
            severity: "critical",
            lasting: "1m",
            expression: format!("max by (name) ({}) == 1", state("open|forced_open")),
            summary: "the circuit breaker is open",
            advice: "Calls are refused without being sent. The WARN of the change of state names the failure rate; the \
                     spans of the last attempts name the error.",
        },
        Alert {
            name: "CofferdamCircuitBreakerFlapping",
            severity: "warning",
            lasting: "0m",
            expression: format!("max by (name) (changes({}[30m])) >= 6", state("open")),
            summary: "the circuit breaker opens again and again",
            advice: "The system answers probes and fails under load. A longer or growing wait in open spares it.",
        },
        Alert {
            name: "CofferdamCircuitBreakerOff",
            severity: "warning",
            lasting: "1h",
            expression: format!("max by (name) ({}) == 1", state("disabled|metrics_only")),
            summary: "the circuit breaker is off",
            advice: "An operator or the settings turned it off: calls go through whatever happens.",
        },
        Alert {
            name: "CofferdamMetricsMissing",
            severity: "warning",
            lasting: "10m",
            expression: format!("absent({}{})", names::BREAKER_STATE, of(system, "")),
            summary: "there are no metrics",
            advice: "No instance tells of the system: none runs, none is scraped, or the recorder was installed after the \
                     adapter was made.",
        },
    ]
}

fn calls(system: &str) -> Vec<Alert> {
    let of = |metric: &str, more: &str| format!("{metric}{}", of(system, more));
    let kinds = |kinds: &str| of(names::RETRY_CALLS, &format!("kind=~\"{kinds}\""));
    vec![
        Alert {
            name: "CofferdamFailureRate",
            severity: "warning",
            lasting: "5m",
            expression: format!("max by (name) ({}) >= 25", of(names::BREAKER_FAILURE_RATE, "")),
            summary: "a quarter of the calls fails",
            advice: "The breaker opens at 50 % unless the settings say otherwise.",
        },
        Alert {
            name: "CofferdamSlowCallRate",
            severity: "warning",
            lasting: "5m",
            expression: format!("max by (name) ({}) >= 40", of(names::BREAKER_SLOW_CALL_RATE, "")),
            summary: "four calls of ten are slow",
            advice: "The breaker opens at 80 % unless the settings say otherwise. Slow is what takes longer than half of the \
                     read timeout.",
        },
        Alert {
            name: "CofferdamRetriesInVain",
            severity: "warning",
            lasting: "10m",
            expression: format!(
                "sum by (name) (rate({}[5m])) > sum by (name) (rate({}[5m])) and sum by (name) (increase({}[5m])) > 5",
                kinds("failed_with_retry"),
                kinds("successful_with_retry"),
                kinds("failed_with_retry"),
            ),
            summary: "most repeated calls fail all the same",
            advice: "Repeating only adds to the load: fewer attempts would do.",
        },
        Alert {
            name: "CofferdamRetryBudgetSpent",
            severity: "warning",
            lasting: "5m",
            expression: format!("sum by (name) (increase({}[5m])) > 0", of(names::RETRY_BUDGET_SPENT, "")),
            summary: "the retry budget is spent",
            advice: "So many calls fail that they are no longer repeated.",
        },
    ]
}

fn load(system: &str) -> Vec<Alert> {
    let of = |metric: &str| format!("{metric}{}", of(system, ""));
    vec![
        Alert {
            name: "CofferdamBulkheadFull",
            severity: "critical",
            lasting: "2m",
            expression: format!("sum by (name) (increase({}[2m])) > 0", of(names::BULKHEAD_REFUSED)),
            summary: "calls get no place in the bulkhead",
            advice: "More calls at once than the settings plan for, or calls that take longer than they should.",
        },
        Alert {
            name: "CofferdamBulkheadNearlyFull",
            severity: "warning",
            lasting: "5m",
            expression: format!(
                "min by (name) ({} / {}) <= 0.1",
                of(names::BULKHEAD_AVAILABLE),
                of(names::BULKHEAD_MAX_ALLOWED)
            ),
            summary: "nine places of ten in the bulkhead are taken",
            advice: "Soon calls will be refused.",
        },
    ]
}

/// The durable queue's tasks of a system.
fn queue(system: &str) -> Vec<Alert> {
    let ended = |kind: &str| {
        let series = of(system, &format!("kind=\"{kind}\""));
        format!("sum by (name) (increase({}{series}[10m])) > 0", names::QUEUE_TASKS)
    };
    vec![
        Alert {
            name: "CofferdamTaskFailed",
            severity: "warning",
            lasting: "0m",
            expression: ended("failed"),
            summary: "queued tasks have failed for good",
            advice: "They are not tried again unless somebody puts them back. The ERROR of each names the task and why.",
        },
        Alert {
            name: "CofferdamTaskUnconfirmed",
            severity: "critical",
            lasting: "0m",
            expression: ended("unconfirmed"),
            summary: "queued writes may have arrived or not",
            advice: "They are never sent again by themselves: somebody has to ask the system, and tell the queue what became of \
                     each.",
        },
    ]
}

fn settings() -> Alert {
    Alert {
        name: "CofferdamSettingsRefused",
        severity: "critical",
        lasting: "1m",
        expression: format!("max by (instance) ({}) == 1", names::SETTINGS_REFUSED),
        summary: "the latest settings were refused",
        advice: "Older ones hold. Each fault is a WARN in the log, with file, line and rule.",
    }
}
