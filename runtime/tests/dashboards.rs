//! Dashboard and alert rules: they ask for series that exist, and Prometheus' own `promtool` has nothing to say against
//! them. Without `promtool` (Debian: package `prometheus`) its part of the tests is skipped, with a remark;
//! `COFFERDAM_TOOLS=required` makes that a failure.

#![cfg(feature = "metrics")]
#![allow(clippy::unwrap_used, reason = "a panic is a failure here")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use cofferdam_runtime::observability::{FallbackKind, Fallbacks, QueueEnds, alert_rules, dashboard};
use cofferdam_runtime::settings::{Settings, SystemHandle, SystemSettings};
use cofferdam_runtime::{Guard, observability};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::Value;
use tempfile::TempDir;

/// The name of a system may hold anything.
const SYSTEMS: [&str; 3] = ["sber", "f6-orders", "it's \"o2o\" \\ {{ $x }}, \n."];

/// Names of the series that a process shows.
fn shown() -> BTreeSet<String> {
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        let settings = SystemSettings::external("http://127.0.0.1:9/".parse().unwrap());
        Guard::new(&SystemHandle::new("sber", settings)).unwrap().publish();
        Fallbacks::new("sber").used("look", FallbackKind::Stale);
        QueueEnds::new("sber").failed();
        let text = "systems: {sber: {base-url: 'https://sber.test'}}";
        Settings::parse(text, "x.yaml").unwrap().reload_from(text).unwrap();
    });
    let text = recorder.handle().render();
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split(['{', ' ']).next().unwrap().to_owned())
        .collect()
}

/// Names of the metrics that a text asks for.
fn asked(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words
        .filter(|word| word.starts_with("resilience4j_") || word.starts_with("cofferdam_"))
        .map(str::to_owned)
        .collect()
}

fn expressions(dashboard: &Value) -> Vec<String> {
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn dashboard_and_alerts_ask_for_series_that_exist() {
    let shown = shown();
    let dashboard = asked(&expressions(&dashboard(&SYSTEMS)).join(" "));
    let alerts = asked(&alert_rules(&SYSTEMS));
    assert!(dashboard.len() >= 14 && alerts.len() >= 8, "{dashboard:?} {alerts:?}");
    let unknown: Vec<_> = dashboard.union(&alerts).filter(|name| !shown.contains(*name)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not in {shown:?}");
    // And nothing is shown that nobody looks at.
    let unseen: Vec<_> = shown.iter().filter(|name| !dashboard.contains(*name) && !alerts.contains(*name)).collect();
    assert_eq!(unseen, ["resilience4j_circuitbreaker_calls_seconds"], "the quantiles alone: averages can be added up");
}

#[test]
fn the_dashboard_can_be_imported() {
    let dashboard = dashboard(&SYSTEMS);
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    let mut taken = BTreeSet::new();
    for panel in panels {
        let position = |name: &str| panel["gridPos"][name].as_u64().unwrap();
        for x in position("x")..position("x") + position("w") {
            for y in position("y")..position("y") + position("h") {
                assert!(x < 24 && taken.insert((x, y)), "{} lies over another", panel["title"]);
            }
        }
    }
    let variable = &dashboard["templating"]["list"][1];
    assert_eq!(variable["query"], "sber,f6-orders,it's \"o2o\" \\\\ {{ $x }}\\, \n.");
    assert_eq!(variable["options"].as_array().unwrap().len(), 3);
    assert_eq!(observability::dashboard(&[])["templating"]["list"][1]["query"], "");
}

#[test]
fn the_rules_are_good_yaml_with_a_group_for_each_system() {
    let rules: Value = serde_yaml::from_str(&alert_rules(&SYSTEMS)).unwrap();
    let groups = rules["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 4);
    for group in &groups[..3] {
        let names: BTreeSet<_> =
            group["rules"].as_array().unwrap().iter().map(|rule| rule["alert"].as_str().unwrap()).collect();
        assert!(names.len() == 12 && names.contains("CofferdamCircuitBreakerOpen"), "{names:?}");
    }
    assert_eq!(
        groups[0]["rules"][0]["labels"],
        serde_json::json!({ "severity": "critical", "system": "{{ $labels.name }}" })
    );
}

/// Runs promtool on files; nothing when it is not installed.
fn promtool(arguments: &[&str], folder: &Path) {
    match Command::new("promtool").args(arguments).current_dir(folder).output() {
        Ok(output) => {
            let told =
                format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "promtool {arguments:?}: {told}");
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            assert!(std::env::var_os("COFFERDAM_TOOLS").is_none_or(|needed| needed != "required"), "no promtool");
            eprintln!("skipped: promtool is not installed (Debian: package `prometheus`)");
        }
        Err(error) => panic!("promtool: {error}"),
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn promtool_takes_the_rules() {
    let folder = folder(&[("rules.yaml", &alert_rules(&SYSTEMS))]);
    promtool(&["check", "rules", "rules.yaml"], folder.path());
}

/// As recording rules, since promtool knows no dashboards.
#[test]
fn promtool_takes_the_expressions_of_the_dashboard() {
    let mut rules = "groups:\n  - name: dashboard\n    rules:\n".to_owned();
    for (number, expression) in expressions(&dashboard(&SYSTEMS)).iter().enumerate() {
        let expression = expression.replace("$__rate_interval", "1m").replace("${system:regex}", "sber|f6");
        rules += &format!("      - record: panel:{number}\n        expr: '{expression}'\n");
    }
    let folder = folder(&[("rules.yaml", &rules)]);
    promtool(&["check", "rules", "rules.yaml"], folder.path());
}

/// Each alert fires when it should, and none while all is well.
#[test]
fn promtool_sees_the_alerts_fire() {
    let folder = folder(&[("rules.yaml", &alert_rules(&["sber", "f6"])), ("test.yaml", ALERTS)]);
    promtool(&["test", "rules", "test.yaml"], folder.path());
}

const ALERTS: &str = r#"
rule_files: [rules.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'resilience4j_circuitbreaker_state{name="sber",state="open",instance="a"}', values: '0x10 1x30'}
      - {series: 'resilience4j_circuitbreaker_state{name="sber",state="open",instance="b"}', values: '0x40'}
      - {series: 'resilience4j_circuitbreaker_state{name="sber",state="disabled",instance="a"}', values: '0x40'}
      - {series: 'resilience4j_circuitbreaker_state{name="f6",state="open",instance="a"}', values: '0x40'}
      - {series: 'resilience4j_circuitbreaker_failure_rate{name="sber",instance="a"}', values: '-1x10 30x30'}
      - {series: 'resilience4j_circuitbreaker_slow_call_rate{name="sber",instance="a"}', values: '-1x40'}
      - {series: 'resilience4j_retry_calls_total{name="sber",kind="failed_with_retry",instance="a"}', values: '0x10 0+10x30'}
      - {series: 'resilience4j_retry_calls_total{name="sber",kind="successful_with_retry",instance="a"}', values: '0x10 0+1x30'}
      - {series: 'cofferdam_retry_budget_spent_total{name="sber",instance="a"}', values: '0x40'}
      - {series: 'cofferdam_bulkhead_refused_calls_total{name="sber",instance="a"}', values: '0x10 0+3x30'}
      - {series: 'resilience4j_bulkhead_available_concurrent_calls{name="sber",instance="a"}', values: '16x10 1x30'}
      - {series: 'resilience4j_bulkhead_max_allowed_concurrent_calls{name="sber",instance="a"}', values: '16x40'}
      - {series: 'cofferdam_settings_refused{instance="a"}', values: '0x10 1x30'}
      - {series: 'cofferdam_queue_tasks_total{name="sber",kind="failed",instance="a"}', values: '2x24 3x16'}
      - {series: 'cofferdam_queue_tasks_total{name="f6",kind="unconfirmed",instance="a"}', values: '0x24 1x16'}
    alert_rule_test:
      - {eval_time: 20m, alertname: CofferdamTaskFailed, exp_alerts: []}
      - {eval_time: 20m, alertname: CofferdamTaskUnconfirmed, exp_alerts: []}
      - eval_time: 30m
        alertname: CofferdamTaskFailed
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: queued tasks have failed for good'
              description: They are not tried again unless somebody puts them back. The ERROR of each names the task and why.
      - eval_time: 30m
        alertname: CofferdamTaskUnconfirmed
        exp_alerts:
          - exp_labels: {severity: critical, system: f6, name: f6}
            exp_annotations:
              summary: 'f6: queued writes may have arrived or not'
              description: 'They are never sent again by themselves: somebody has to ask the system, and tell the queue what became of each.'
      - {eval_time: 10m, alertname: CofferdamCircuitBreakerOpen, exp_alerts: []}
      - {eval_time: 10m, alertname: CofferdamFailureRate, exp_alerts: []}
      - {eval_time: 10m, alertname: CofferdamRetriesInVain, exp_alerts: []}
      - {eval_time: 10m, alertname: CofferdamBulkheadFull, exp_alerts: []}
      - {eval_time: 10m, alertname: CofferdamBulkheadNearlyFull, exp_alerts: []}
      - {eval_time: 10m, alertname: CofferdamSettingsRefused, exp_alerts: []}
      - {eval_time: 10m, alertname: CofferdamMetricsMissing, exp_alerts: []}
      - eval_time: 30m
        alertname: CofferdamCircuitBreakerOpen
        exp_alerts:
          - exp_labels: {severity: critical, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: the circuit breaker is open'
              description: Calls are refused without being sent. The WARN of the change of state names the failure rate; the spans of the last attempts name the error.
      - eval_time: 30m
        alertname: CofferdamFailureRate
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: a quarter of the calls fails'
              description: The breaker opens at 50 % unless the settings say otherwise.
      - eval_time: 30m
        alertname: CofferdamRetriesInVain
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: most repeated calls fail all the same'
              description: 'Repeating only adds to the load: fewer attempts would do.'
      - eval_time: 30m
        alertname: CofferdamBulkheadFull
        exp_alerts:
          - exp_labels: {severity: critical, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: calls get no place in the bulkhead'
              description: More calls at once than the settings plan for, or calls that take longer than they should.
      - eval_time: 30m
        alertname: CofferdamBulkheadNearlyFull
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: nine places of ten in the bulkhead are taken'
              description: Soon calls will be refused.
      - eval_time: 30m
        alertname: CofferdamSettingsRefused
        exp_alerts:
          - exp_labels: {severity: critical, system: settings, instance: a}
            exp_annotations:
              summary: 'settings: the latest settings were refused'
              description: Older ones hold. Each fault is a WARN in the log, with file, line and rule.
      - {eval_time: 30m, alertname: CofferdamSlowCallRate, exp_alerts: []}
      - {eval_time: 30m, alertname: CofferdamRetryBudgetSpent, exp_alerts: []}
      - {eval_time: 30m, alertname: CofferdamCircuitBreakerFlapping, exp_alerts: []}
      - {eval_time: 30m, alertname: CofferdamCircuitBreakerOff, exp_alerts: []}
      - {eval_time: 30m, alertname: CofferdamMetricsMissing, exp_alerts: []}
  - interval: 1m
    input_series:
      - {series: 'resilience4j_circuitbreaker_state{name="sber",state="open",instance="a"}', values: '0 1 0 1 0 1 0 1 0 1 0x100'}
      - {series: 'resilience4j_circuitbreaker_state{name="sber",state="metrics_only",instance="a"}', values: '1x110'}
      - {series: 'resilience4j_circuitbreaker_slow_call_rate{name="sber",instance="a"}', values: '50x110'}
      - {series: 'cofferdam_retry_budget_spent_total{name="sber",instance="a"}', values: '0+1x110'}
    alert_rule_test:
      - eval_time: 10m
        alertname: CofferdamCircuitBreakerFlapping
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: the circuit breaker opens again and again'
              description: The system answers probes and fails under load. A longer or growing wait in open spares it.
      - eval_time: 90m
        alertname: CofferdamCircuitBreakerOff
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: the circuit breaker is off'
              description: 'An operator or the settings turned it off: calls go through whatever happens.'
      - eval_time: 10m
        alertname: CofferdamSlowCallRate
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: four calls of ten are slow'
              description: The breaker opens at 80 % unless the settings say otherwise. Slow is what takes longer than half of the read timeout.
      - eval_time: 10m
        alertname: CofferdamRetryBudgetSpent
        exp_alerts:
          - exp_labels: {severity: warning, system: sber, name: sber}
            exp_annotations:
              summary: 'sber: the retry budget is spent'
              description: So many calls fail that they are no longer repeated.
      - eval_time: 30m
        alertname: CofferdamMetricsMissing
        exp_alerts:
          - exp_labels: {severity: warning, system: f6, name: f6}
            exp_annotations:
              summary: 'f6: there are no metrics'
              description: 'No instance tells of the system: none runs, none is scraped, or the recorder was installed after the adapter was made.'
"#;
