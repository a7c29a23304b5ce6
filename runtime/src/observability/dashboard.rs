use serde_json::{Value, json};

use super::names;

/// Width of a Grafana dashboard.
const WIDTH: u32 = 24;
const HEIGHT: u32 = 8;

/// What a panel shows.
struct Panel {
    title: &'static str,
    says: &'static str,
    unit: &'static str,
    /// Expressions with their legends.
    targets: Vec<(String, &'static str)>,
}

/// A Grafana dashboard (to be imported, or provisioned) for these systems: a row of panels a system, and a variable to
/// choose among them. Metrics come from Prometheus.
#[must_use]
pub fn dashboard(systems: &[&str]) -> Value {
    let mut panels = vec![overview()];
    panels.push(json!({
        "id": 2,
        "type": "row",
        "title": "$system",
        "repeat": "system",
        "collapsed": false,
        "gridPos": { "x": 0, "y": HEIGHT, "w": WIDTH, "h": 1 },
        "panels": [],
    }));
    for (index, panel) in (0..).zip(per_system()) {
        let (column, row) = (index % 3, index / 3);
        let position = json!({ "x": column * 8, "y": HEIGHT + 1 + row * HEIGHT, "w": 8, "h": HEIGHT });
        panels.push(time_series(index + 3, &panel, position));
    }
    json!({
        "uid": "cofferdam",
        "title": "External systems",
        "description": "Circuit breaker, bulkhead and retry of each external system (Cofferdam).",
        "tags": ["cofferdam", "resilience4j"],
        "schemaVersion": 39,
        "version": 1,
        "editable": true,
        "refresh": "30s",
        "time": { "from": "now-1h", "to": "now" },
        "templating": { "list": [datasource(), system(systems)] },
        "panels": panels,
    })
}

fn datasource() -> Value {
    json!({ "name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus" })
}

/// A variable with the names of the systems, all chosen at first.
fn system(systems: &[&str]) -> Value {
    // In a custom variable a comma ends a value, and a backslash takes that from it.
    let names: Vec<String> = systems.iter().map(|name| name.replace('\\', "\\\\").replace(',', "\\,")).collect();
    let options: Vec<Value> =
        systems.iter().map(|name| json!({ "text": name, "value": name, "selected": false })).collect();
    json!({
        "name": "system",
        "label": "System",
        "type": "custom",
        "query": names.join(","),
        "options": options,
        "includeAll": true,
        "multi": true,
        "current": { "text": ["All"], "value": ["$__all"], "selected": true },
    })
}

/// The selector of the chosen systems' series.
fn of(metric: &str, more: &str) -> String {
    let separator = if more.is_empty() { "" } else { "," };
    format!("{metric}{{name=~\"${{system:regex}}\"{separator}{more}}}")
}

fn rate_by(label: &str, metric: &str) -> String {
    format!("sum by ({label}) (rate({}[$__rate_interval]))", of(metric, ""))
}

fn overview() -> Value {
    let open = of(names::BREAKER_STATE, "state=~\"open|forced_open\"");
    let half_open = of(names::BREAKER_STATE, "state=\"half_open\"");
    let expression = format!("max by (name) (2 * {open}) or max by (name) ({half_open})");
    json!({
        "id": 1,
        "type": "stat",
        "title": "Circuit breakers",
        "description": "The worst state over all instances.",
        "datasource": { "type": "prometheus", "uid": "${datasource}" },
        "gridPos": { "x": 0, "y": 0, "w": WIDTH, "h": HEIGHT },
        "targets": [
            {
                "refId": "A",
                "instant": true,
                "legendFormat": "{{name}}",
                "expr": format!("max by (name) ({expression})"),
            },
        ],
        "options": { "colorMode": "background", "graphMode": "none", "textMode": "value_and_name" },
        "fieldConfig": {
            "defaults": {
                "mappings": [{
                    "type": "value",
                    "options": {
                        "0": { "text": "closed", "color": "green" },
                        "1": { "text": "half-open", "color": "orange" },
                        "2": { "text": "open", "color": "red" },
                    },
                }],
            },
            "overrides": [],
        },
    })
}

fn per_system() -> Vec<Panel> {
    [calls(), breaker(), limits()].into_iter().flatten().collect()
}

fn calls() -> Vec<Panel> {
    let count = format!("{}_count", names::BREAKER_CALLS);
    let sum = format!("{}_sum", names::BREAKER_CALLS);
    vec![
        Panel {
            title: "Calls",
            says: "Attempts by how they ended; not permitted are those that an open breaker refused.",
            unit: "reqps",
            targets: vec![
                (rate_by("kind", &count), "{{kind}}"),
                (rate_by("kind", names::BREAKER_NOT_PERMITTED), "{{kind}}"),
            ],
        },
        Panel {
            title: "Duration",
            says: "Average of attempts by how they ended, and the longest of the last two minutes.",
            unit: "s",
            targets: vec![
                (format!("{} / {}", rate_by("kind", &sum), rate_by("kind", &count)), "average {{kind}}"),
                (format!("max by (kind) ({})", of(names::BREAKER_CALLS_MAX, "")), "longest {{kind}}"),
            ],
        },
        Panel {
            title: "Failure and slow call rate",
            says: "The worst over all instances; nothing while too few calls are in the window.",
            unit: "percent",
            targets: vec![
                (format!("max({} >= 0)", of(names::BREAKER_FAILURE_RATE, "")), "failed"),
                (format!("max({} >= 0)", of(names::BREAKER_SLOW_CALL_RATE, "")), "slow"),
            ],
        },
    ]
}

fn breaker() -> Vec<Panel> {
    vec![
        Panel {
            title: "Circuit breaker state",
            says: "Instances in each state.",
            unit: "short",
            targets: vec![(format!("sum by (state) ({})", of(names::BREAKER_STATE, "")), "{{state}}")],
        },
        Panel {
            title: "Window of the circuit breaker",
            says: "Calls that it judges by, over all instances.",
            unit: "short",
            targets: vec![
                (format!("sum by (kind) ({})", of(names::BREAKER_BUFFERED_CALLS, "")), "{{kind}}"),
                (format!("sum by (kind) ({})", of(names::BREAKER_SLOW_CALLS, "")), "slow {{kind}}"),
            ],
        },
    ]
}

fn limits() -> Vec<Panel> {
    vec![
        Panel {
            title: "Bulkhead and quota",
            says: "Places over all instances, calls that got none, and attempts that found our quota used up.",
            unit: "short",
            targets: vec![
                (format!("sum({})", of(names::BULKHEAD_MAX_ALLOWED, "")), "places"),
                (format!("sum({})", of(names::BULKHEAD_AVAILABLE, "")), "free"),
                (format!("sum(rate({}[$__rate_interval]))", of(names::BULKHEAD_REFUSED, "")), "refused a second"),
                (format!("sum(rate({}[$__rate_interval]))", of(names::RATE_LIMIT_REFUSED, "")), "over quota a second"),
            ],
        },
        Panel {
            title: "Retry",
            says: "Calls that may be repeated, by how they ended, and repetitions not made for want of budget.",
            unit: "reqps",
            targets: vec![
                (rate_by("kind", names::RETRY_CALLS), "{{kind}}"),
                (format!("sum(rate({}[$__rate_interval]))", of(names::RETRY_BUDGET_SPENT, "")), "budget spent"),
            ],
        },
        Panel {
            title: "Fallback",
            says: "Calls that were not answered by the system: an earlier answer, a neutral value, a queue.",
            unit: "reqps",
            targets: vec![(rate_by("kind", names::FALLBACK_CALLS), "{{kind}}")],
        },
        Panel {
            title: "Durable queue",
            says: "Tasks by how they ended, and attempts after which a task waits for the next.",
            unit: "reqps",
            targets: vec![
                (rate_by("kind", names::QUEUE_TASKS), "{{kind}}"),
                (rate_by("kind", names::QUEUE_WAITS), "{{kind}}"),
            ],
        },
    ]
}

fn time_series(id: u32, panel: &Panel, position: Value) -> Value {
    let targets: Vec<Value> = ('A'..='Z')
        .zip(&panel.targets)
        .map(|(id, (expression, legend))| json!({ "refId": id, "expr": expression, "legendFormat": legend }))
        .collect();
    json!({
        "id": id,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.says,
        "datasource": { "type": "prometheus", "uid": "${datasource}" },
        "gridPos": position,
        "targets": targets,
        "fieldConfig": { "defaults": { "unit": panel.unit, "min": 0 }, "overrides": [] },
        "options": { "legend": { "displayMode": "list", "placement": "bottom" }, "tooltip": { "mode": "multi" } },
    })
}
