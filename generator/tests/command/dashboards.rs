use std::process::Command;

use serde_json::Value;

use crate::sandbox::Sandbox;

#[test]
fn they_are_written_for_every_system_and_then_left_alone() {
    let sandbox = Sandbox::project();
    let first = sandbox.run(&["dashboards", "--out", "monitoring"]).well();
    assert_eq!(first.out, "written monitoring/cofferdam.dashboard.json\nwritten monitoring/cofferdam.alerts.yaml\n");
    let dashboard: Value = serde_json::from_str(&sandbox.read("monitoring/cofferdam.dashboard.json")).unwrap();
    // A row of panels is repeated for each value of the variable.
    let row = dashboard["panels"].as_array().unwrap().iter().find(|panel| panel["type"] == "row").unwrap();
    assert_eq!(row["repeat"], "system");
    let variables = dashboard["templating"]["list"].as_array().unwrap();
    let systems = variables.iter().find(|variable| variable["name"] == "system").unwrap();
    assert_eq!(systems["query"], "payments,stock");
    let again = sandbox.run(&["dashboards", "--out", "monitoring"]).well();
    assert_eq!(
        again.out,
        "unchanged monitoring/cofferdam.dashboard.json\nunchanged monitoring/cofferdam.alerts.yaml\n"
    );
}

#[test]
fn of_one_system_they_say_nothing_of_the_others() {
    let sandbox = Sandbox::project();
    sandbox.run(&["dashboards", "--system", "stock", "--out", "monitoring"]).well();
    let alerts = sandbox.read("monitoring/cofferdam.alerts.yaml");
    assert!(alerts.contains("stock") && !alerts.contains("payments"), "{alerts}");
}

/// Prometheus' own opinion, where it is installed; `COFFERDAM_TOOLS=required` makes a missing `promtool` a failure.
#[test]
fn promtool_takes_the_written_rules() {
    let sandbox = Sandbox::project();
    sandbox.run(&["dashboards", "--out", "monitoring"]).well();
    let rules = sandbox.path("monitoring/cofferdam.alerts.yaml");
    match Command::new("promtool").args(["check", "rules"]).arg(rules).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            assert!(std::env::var_os("COFFERDAM_TOOLS").is_none_or(|needed| needed != "required"), "no promtool");
            eprintln!("skipped: promtool is not installed (Debian: package `prometheus`)");
        }
        Err(error) => panic!("promtool: {error}"),
    }
}
