//! `cofferdam rules`.

use crate::sandbox::Sandbox;

#[test]
fn all_rules_are_printed_with_their_proofs() {
    let printed = Sandbox::project().run(&["rules"]).well().out;
    assert!(printed.starts_with("R-RES-WHERE-1 (by a check)\n"), "{printed}");
    assert!(printed.contains("\n  test: runtime/tests/guard/order.rs::an_empty_key_is_no_key\n"), "{printed}");
    assert!(printed.lines().all(|line| line.starts_with("  test: ") || line.chars().count() <= 100), "{printed}");
}

#[test]
fn one_rule_is_explained_and_an_unknown_one_is_told() {
    let sandbox = Sandbox::project();
    let printed = sandbox.run(&["rules", "re-x1"]).well().out;
    assert!(
        printed.starts_with("R-RES-RE-X1 (by construction)\n    No retry of a write without a key.\n"),
        "{printed}"
    );
    assert_eq!(printed.matches("R-RES-").count(), 1);
    let refused = sandbox.run(&["rules", "RE-X1", "RE-77"]).faults();
    assert!(refused.err.contains("there is no rule `RE-77`"), "{}", refused.err);
    assert_eq!(refused.out, "");
}

#[test]
fn programs_get_json() {
    let printed = Sandbox::project().run(&["rules", "--format", "json", "CB-4"]).well().out;
    let value: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(value["version"], 1);
    let rule = &value["rules"][0];
    assert_eq!((rule["code"].as_str(), rule["upheld"].as_str()), (Some("R-RES-CB-4"), Some("behaviour")));
    assert!(rule["tests"].as_array().is_some_and(|tests| tests.len() == 4));
}
