//! The resilience tests of `--with-tests`: what they try, and what they run with.

use crate::sandbox::Sandbox;

const TESTS: &str = "src/integrations/payments/generated/resilience.rs";
const TRIAL: &str = "src/integrations/payments/trial.rs";

/// The text without its line breaks and indents.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_operation_is_tried_in_its_kind_and_twice_where_a_key_may_be_left_out() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate", "--with-tests"]).well();
    let text = flat(&sandbox.read(TESTS));
    for case in [
        "Case::new( \"pay\", Kind::Keyed, Reply { status: 201, media_type: \"application/json\",",
        "Case::new( \"pay\", Kind::Once,",
        "Case::new( \"showPayment\", Kind::Read,",
        "Case::new( \"cancelPayment\", Kind::Once, Reply { status: 204, media_type: \"\", body: \"\", },",
    ] {
        assert!(text.contains(case), "not there: {case}\n{text}");
    }
    assert!(text.contains("Some(::cofferdam_runtime::IdempotencyKey::random())"), "{text}");
    let root = sandbox.read("src/integrations/payments/generated/mod.rs");
    assert!(root.contains("#[cfg(test)]\nmod resilience;"), "{root}");
    assert!(root.contains("#[path = \"../trial.rs\"]\nmod trial;"), "{root}");
}

#[test]
fn what_they_run_with_is_created_once() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate", "--with-tests"]).well();
    sandbox.replace(TRIAL, "    PaymentsMapping\n", "    PaymentsMapping // ours\n");
    assert!(sandbox.run(&["generate", "--with-tests"]).well().out.ends_with("nothing changed\n"));
    assert!(sandbox.read(TRIAL).contains("// ours"));
    // Without tests the generated half goes, and the hand-written one stays.
    let ended = sandbox.run(&["generate"]).well();
    assert!(ended.out.contains("removed src/integrations/payments/generated/resilience.rs"), "{}", ended.out);
    assert!(sandbox.path(TRIAL).exists());
}

#[test]
fn only_what_the_mapper_maps_is_tried_and_the_rest_is_named() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate", "--with-tests"]).well();
    let mapper = "src/integrations/payments/mapper.rs";
    sandbox.replace(mapper, "Mapping<operations::CancelPayment>", "Unmapped<operations::CancelPayment>");
    sandbox.run(&["generate", "--with-tests"]).well();
    let text = sandbox.read(TESTS);
    assert!(!text.contains("\"cancelPayment\""), "{text}");
    assert!(text.contains("//! Not tried:\n//! - `cancelPayment`: nothing maps it yet\n"), "{text}");
}

#[test]
fn credentials_go_to_the_server_of_the_test_and_tokens_come_from_it() {
    let sandbox = Sandbox::project();
    sandbox.replace(
        "specs/stock.yaml",
        "paths:",
        "components:\n  securitySchemes:\n    key: {type: apiKey, in: header, name: X-Key}\n    user: {type: http, scheme: \
         basic}\n    pass: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example/token', scopes: {}}}}\npaths:",
    );
    sandbox.run(&["generate", "--with-tests"]).well();
    let text = sandbox.read("src/integrations/stock/trial.rs");
    assert!(text.contains("pub fn credentials(server: &str) -> StockCredentials {"), "{text}");
    assert!(text.contains(".key(\"trial\")") && text.contains(".user(\"trial\", \"trial\")"), "{text}");
    assert!(text.contains(".token_url(format!(\"{server}{TOKEN_PATH}\"))"), "{text}");
    assert!(text.contains("base-url: 'http://127.0.0.1:9'"), "{text}");
}

#[test]
fn without_a_mapper_there_are_none_and_that_is_said() {
    let sandbox = Sandbox::project();
    let out =
        ["generate", "--spec", "specs/payments.yaml", "--system", "pay", "--out", "pay", "--crate", "--with-tests"];
    let ended = sandbox.run(&out).well();
    assert!(ended.err.contains("note[CD-RESILIENCE]") && ended.err.contains("`--with-stubs`"), "{}", ended.err);
    assert!(!sandbox.path("pay/tests/resilience.rs").exists());
    assert!(!sandbox.read("pay/Cargo.toml").contains("cofferdam-testing"));

    sandbox.run(&[out.as_slice(), &["--with-stubs"]].concat()).well();
    let text = sandbox.read("pay/tests/resilience.rs");
    assert!(text.contains("use pay::operations;") && text.contains("mod trial;"), "{text}");
    assert!(sandbox.read("pay/tests/trial/mod.rs").contains("use pay::{PayCredentials, PayMapping};"));
    assert!(sandbox.read("pay/Cargo.toml").contains("[dev-dependencies]\ncofferdam-testing = { version = "));
}
