//! The documentation says what is so.

use std::path::Path;

use cofferdam_runtime::settings::Settings;

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
