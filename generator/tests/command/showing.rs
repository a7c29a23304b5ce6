//! `settings show`: what holds, and why.

use serde_json::Value;

use crate::sandbox::Sandbox;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace("cofferdam.toml", "out =", "settings = \"resilience.yaml\"\nout =");
    sandbox.write(
        "resilience.yaml",
        "defaults:\n  retry: {max-attempts: 2}\nsystems:\n  payments:\n    timeouts: {read: 10s}\n    operations:\n      \
         showPayment: {timeouts: {read: 30s}}\n  stock:\n    profile: supplier\n    base-url: http://stock.example\n",
    );
    sandbox
}

fn line<'o>(out: &'o str, key: &str) -> Vec<&'o str> {
    let line = out.lines().find(|line| line.trim_start().starts_with(&format!("{key} ")));
    line.unwrap_or_default().split_whitespace().collect()
}

#[test]
fn each_value_stands_with_the_place_it_comes_from() {
    let shown = sandbox().run(&["settings", "show", "payments"]).well().out;
    assert!(shown.starts_with("payments (external), resilience.yaml\n"), "{shown}");
    assert_eq!(line(&shown, "base-url"), ["base-url", "unset", "nobody", "says", "it"]);
    assert_eq!(line(&shown, "timeouts.read"), ["timeouts.read", "10s", "system", "resilience.yaml:5:22"]);
    assert_eq!(
        line(&shown, "timeouts.call"),
        ["timeouts.call", "16s", "follows", "from", "systems.payments.timeouts.read"]
    );
    assert_eq!(line(&shown, "retry.max-attempts"), ["retry.max-attempts", "2", "defaults", "resilience.yaml:2:25"]);
    assert_eq!(line(&shown, "order"), ["order", "retry-outside", "preset", "external"]);
}

#[test]
fn an_operation_says_of_which_kind_it_is() {
    let sandbox = sandbox();
    let read = sandbox.run(&["settings", "show", "payments", "--operation", "showPayment"]).well().out;
    assert!(read.contains("\noperation showPayment: read, since GET only reads\n"), "{read}");
    assert_eq!(line(&read, "timeouts.read"), ["timeouts.read", "30s", "operation", "resilience.yaml:7:38"]);
    assert!(line(&read, "breaker.enabled").is_empty());
    let once = sandbox.run(&["settings", "show", "payments", "--operation", "cancelPayment"]).well().out;
    assert!(once.contains("it is never repeated, whatever `retry` says"), "{once}");
    let wrong = sandbox.run(&["settings", "show", "payments", "--operation", "showPayments"]).usage();
    assert!(wrong.err.contains("did you mean `showPayment`?"), "{}", wrong.err);
}

#[test]
fn programs_get_json() {
    let shown =
        sandbox().run(&["settings", "show", "stock", "--settings", "resilience.yaml", "--format", "json"]).well();
    let document: Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(document["profile"], "supplier");
    let url = document["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == "base-url").unwrap();
    assert_eq!(
        url["source"],
        serde_json::json!({"kind": "system", "key": "systems.stock.base-url", "line": 10, "col": 15})
    );
}

#[test]
fn the_environment_goes_before_the_file() {
    let sandbox = sandbox();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_cofferdam"))
        .args(["settings", "show", "stock"])
        .env("COFFERDAM__STOCK__TIMEOUTS__READ", "10s")
        .current_dir(sandbox.path(""))
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        line(&out, "timeouts.read"),
        ["timeouts.read", "10s", "environment", "COFFERDAM__STOCK__TIMEOUTS__READ"],
        "{out}"
    );
}

#[test]
fn what_is_wrong_is_told() {
    let sandbox = sandbox();
    let unknown = sandbox.run(&["settings", "show", "paymets"]).usage();
    assert!(unknown.err.contains("did you mean `payments`?"), "{}", unknown.err);
    sandbox.replace("resilience.yaml", "10s", "90s");
    let refused = sandbox.run(&["settings", "show", "payments", "--settings", "resilience.yaml"]).faults();
    assert!(refused.err.contains("R-RES-TO-X3"), "{}", refused.err);
    Sandbox::project().run(&["settings", "show", "payments"]).faults();
}
