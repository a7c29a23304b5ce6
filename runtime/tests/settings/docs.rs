//! The documentation says what is so.

use std::path::Path;

use cofferdam_runtime::breaker::SlidingWindow;
use cofferdam_runtime::settings::{Profile, Settings, SystemSettings};

fn docs() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/settings.md")).unwrap()
}

#[test]
fn the_example_holds() {
    let docs = docs();
    let example = docs.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let settings = Settings::parse(example, "example.yaml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(settings.names().collect::<Vec<_>>(), ["f6", "sber"]);
}

/// What is known in each section is told by the fault of a key that is not: so no list here can go stale.
#[test]
fn every_key_is_explained() {
    let docs = docs();
    let text = "\
qqqqqqqqqq: 1
systems:
  a:
    base-url: http://a
    qqqqqqqqqq: 1
    timeouts: {qqqqqqqqqq: 1}
    breaker: {qqqqqqqqqqqqqqqqqqq: 1}
    bulkhead: {qqqqqqqqqq: 1}
    retry: {qqqqqqqqqq: 1, budget: {qqqqqqqqqq: 1}}
    pool: {qqqqqqqqqq: 1}
    rate-limit: {qqqqqqqqqq: 1}
    fallback: {qqqqqqqqqq: 1}
    headers: {qqqqqqqqqq: 1}
    operations: {b: {qqqqqqqqqq: 1}}
";
    let error = Settings::parse(text, "x.yaml").unwrap_err();
    let known: Vec<&str> = error
        .faults()
        .iter()
        .filter_map(|fault| fault.help.strip_prefix("known here: "))
        .flat_map(|keys| keys.split(", "))
        .collect();
    assert!(known.len() > 50, "{known:?}");
    for key in known {
        let explained = docs.contains(&format!("`{key}`")) || docs.contains(&format!("`budget.{key}`"));
        assert!(explained, "{key} is not explained");
    }
}

/// The cells of a key's row in a section: what holds by default in each profile.
fn presets(section: &str, key: &str) -> [String; 3] {
    let docs = docs();
    let section = docs.split(&format!("### `{section}`\n")).nth(1).unwrap();
    let row = section.lines().find(|line| line.starts_with(&format!("| `{key}` |"))).unwrap();
    let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
    // What stands in brackets explains the number.
    let plain = |cell: &str| cell.split(" (").next().unwrap_or_default().to_owned();
    let first = plain(cells[4]);
    [first.clone(), plain(cells[5]), plain(cells[6])].map(|cell| if cell == "same" { first.clone() } else { cell })
}

fn seconds(text: &str) -> f64 {
    text.split(' ')
        .map(|part| match part.strip_suffix("ms") {
            Some(millis) => millis.parse::<f64>().unwrap() / 1000.0,
            None => part.trim_end_matches('s').parse().unwrap(),
        })
        .sum()
}

#[test]
fn the_tables_tell_the_presets() {
    let url = "http://a".parse().unwrap();
    let profiles = [Profile::External, Profile::Supplier, Profile::Internal];
    let presets_are = |section: &str, key: &str, value: fn(&SystemSettings) -> f64| {
        for (profile, told) in profiles.iter().zip(presets(section, key)) {
            let preset = profile.preset(url::Url::clone(&url));
            assert_eq!(seconds(&told), value(&preset), "{section}.{key} of {profile:?}");
        }
    };
    presets_are("timeouts", "connect", |preset| preset.timeouts.connect.as_secs_f64());
    presets_are("timeouts", "read", |preset| preset.timeouts.read.as_secs_f64());
    presets_are("timeouts", "call", |preset| preset.timeouts.call.as_secs_f64());
    presets_are("breaker", "sliding-window-size", |preset| match preset.breaker.config.window {
        SlidingWindow::Calls(size) => size.into(),
        SlidingWindow::Seconds(_) => f64::NAN,
    });
    presets_are("breaker", "minimum-number-of-calls", |preset| preset.breaker.config.minimum_calls.into());
    presets_are("breaker", "failure-rate-threshold", |preset| preset.breaker.config.failure_rate_threshold.into());
    presets_are("breaker", "slow-call-rate-threshold", |preset| preset.breaker.config.slow_call_rate_threshold.into());
    presets_are("breaker", "wait-duration-in-open-state", |preset| {
        preset.breaker.config.open_wait.base(1).as_secs_f64()
    });
    presets_are("breaker", "permitted-number-of-calls-in-half-open-state", |preset| {
        preset.breaker.config.half_open_calls.into()
    });
    presets_are("bulkhead", "max-concurrent-calls", |preset| preset.bulkhead.max_concurrent.into());
    presets_are("bulkhead", "max-wait-duration", |preset| preset.bulkhead.max_wait.as_secs_f64());
    presets_are("retry", "max-attempts", |preset| preset.retry.max_attempts.into());
    presets_are("retry", "wait-duration", |preset| preset.retry.initial_wait.as_secs_f64());
    presets_are("retry", "exponential-backoff-multiplier", |preset| preset.retry.multiplier);
    presets_are("retry", "exponential-max-wait-duration", |preset| preset.retry.max_wait.as_secs_f64());
    presets_are("retry", "max-total-wait", |preset| preset.retry.max_total_wait.as_secs_f64());
    presets_are("retry", "budget.ratio", |preset| preset.retry.budget.ratio);
    presets_are("retry", "budget.floor-per-second", |preset| preset.retry.budget.floor_per_second);
    presets_are("pool", "max-idle", |preset| preset.pool.max_idle as f64);
    presets_are("pool", "idle-timeout", |preset| preset.pool.idle_timeout.as_secs_f64());
}
