use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// The project, with an example and a default in one of its documents.
fn with_examples() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace(
        "specs/payments.yaml",
        "properties: {order: {type: string}, amount: {type: integer}, note: {type: string}}",
        "properties: {order: {type: string, example: o-1}, amount: {type: integer}, note: {type: string}}\n      \
         example: {order: o-2, amount: much}",
    );
    sandbox
}

#[test]
fn tests_stand_among_the_generated_modules_of_systems_that_give_examples() {
    let sandbox = with_examples();
    let ended = sandbox.run(&["generate", "--with-tests"]).well();
    assert!(ended.out.contains("  created src/integrations/payments/generated/contract.rs\n"), "{}", ended.out);
    assert!(!sandbox.path("src/integrations/stock/generated/contract.rs").exists());
    let told = "specs/payments.yaml:34:16: note[CD-EXAMPLE] /components/schemas/Payment/example: this example contradicts \
                its schema, and is not tested: at /amount, expected a 64-bit integer, found \"much\"";
    assert!(ended.err.contains(told), "{}", ended.err);
    assert!(ended.err.contains("2 examples and defaults: 1 tested"), "{}", ended.err);
    assert!(sandbox.run(&["generate", "--with-tests"]).well().out.ends_with("nothing changed\n"));
    assert!(sandbox.run(&["check", "--with-tests"]).well().out.ends_with("up to date\n"));
    let ended = sandbox.run(&["check"]).faults();
    assert!(
        ended.err.contains("payments/generated/contract.rs: error[CD-DRIFT]: this file is no longer generated"),
        "{}",
        ended.err
    );
}

#[test]
fn a_crate_has_its_tests_where_cargo_looks_for_them() {
    let sandbox = with_examples();
    let out = ["--spec", "specs/payments.yaml", "--system", "pay", "--out", "pay", "--crate", "--with-tests"];
    sandbox.run(&[&["generate"], out.as_slice()].concat()).well();
    let text = sandbox.read("pay/tests/contract.rs");
    assert!(text.contains("use pay::types;"), "{text}");
    assert!(text.contains("\"/components/schemas/Payment/properties/order/example\""), "{text}");
}

#[test]
fn samples_stand_in_the_plan_where_they_are_asked_for() {
    let sandbox = with_examples();
    let plan = |arguments: &[&str]| -> Value {
        let ended = sandbox.run(&[&["plan", "--format", "json"], arguments].concat()).well();
        serde_json::from_str(&ended.out).unwrap()
    };
    let with = plan(&["--samples"]);
    let [pay, show] = [0, 1].map(|index| &with["systems"][0]["operations"][index]);
    assert_eq!(pay["request_samples"], json!({"application/json": {"order": "o-1", "amount": 1, "note": "text"}}));
    assert_eq!(show["parameters"][0]["sample"], "text");
    let without = plan(&[]);
    assert_eq!(without["systems"][0]["operations"][0]["request_samples"], Value::Null);
    let ended = sandbox.run(&["plan", "--samples"]).usage();
    assert_eq!(ended.err, "error[CD-COMMAND]: `--samples` goes with `--format json`\n");
}
