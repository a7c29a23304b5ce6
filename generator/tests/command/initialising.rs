use crate::sandbox::{PAYMENTS, STOCK, Sandbox};

fn empty() -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("specs/payments.yaml", PAYMENTS);
    sandbox.write("specs/stock.yaml", STOCK);
    sandbox
}

#[test]
fn a_document_becomes_a_project_that_checks() {
    let sandbox = empty();
    let ended = sandbox.run(&["init", "specs/payments.yaml"]).well();
    insta::assert_snapshot!(ended.out);
    insta::assert_snapshot!(sandbox.read("cofferdam.toml"));
    assert!(sandbox.path("generated/payments/mapper.rs").exists());
    assert!(sandbox.run(&["check"]).well().out.contains("up to date"));
}

#[test]
fn code_goes_to_src_where_there_is_one() {
    let sandbox = empty();
    sandbox.write("src/main.rs", "fn main() {}\n");
    sandbox.run(&["init", "specs/payments.yaml", "--system", "pay"]).well();
    assert!(sandbox.path("src/pay/generated/adapter.rs").exists());
    assert_eq!(sandbox.read("src/main.rs"), "fn main() {}\n");
}

#[test]
fn a_second_system_is_added_and_the_rest_stays_byte_for_byte() {
    let sandbox = empty();
    sandbox.run(&["init", "specs/payments.yaml"]).well();
    let (project, settings) = (sandbox.read("cofferdam.toml"), sandbox.read("resilience.yaml"));
    sandbox.write("generated/payments/mapper.rs", "// mine\n");
    let ended = sandbox.run(&["init", "specs/stock.yaml"]).well();
    assert!(ended.out.contains("added to cofferdam.toml"), "{}", ended.out);
    assert!(sandbox.read("cofferdam.toml").starts_with(&project));
    assert!(sandbox.read("resilience.yaml").starts_with(&settings));
    assert!(sandbox.read("resilience.yaml").contains("\n  stock:\n"));
    assert_eq!(sandbox.read("generated/payments/mapper.rs"), "// mine\n");
    sandbox.write("generated/payments/mapper.rs", "");
    sandbox.run(&["check"]).well();
}

#[test]
fn what_cannot_be_done_is_told_and_nothing_is_written() {
    let sandbox = empty();
    sandbox.run(&["init", "specs/payments.yaml"]).well();
    let before = sandbox.files("");
    let again = sandbox.run(&["init", "specs/payments.yaml", "--system", "other"]).faults();
    assert!(again.err.contains("has this document already, as `payments`"), "{}", again.err);
    let taken = sandbox.run(&["init", "specs/stock.yaml", "--system", "payments"]).faults();
    assert!(taken.err.contains("has a system `payments` already"), "{}", taken.err);
    sandbox.run(&["init", "specs/stock.yaml", "--system", "No Name"]).faults();
    sandbox.run(&["init", "specs/nowhere.yaml"]).faults();
    assert_eq!(sandbox.files(""), before);

    sandbox.write("cofferdam.toml", "systems = {payments = {spec = \"specs/payments.yaml\"}}\n");
    let closed = sandbox.run(&["init", "specs/stock.yaml"]).faults();
    assert!(closed.err.contains("Put this into it yourself:\n# Stock 1\n[systems.stock]"), "{}", closed.err);
    assert_eq!(sandbox.read("cofferdam.toml"), "systems = {payments = {spec = \"specs/payments.yaml\"}}\n");
}

#[test]
fn ids_that_are_given_twice_are_told_apart() {
    let sandbox = empty();
    sandbox.write("twice.yaml", &PAYMENTS.replace("cancelPayment", "pay"));
    let ended = sandbox.run(&["init", "twice.yaml", "--system", "twice"]).well();
    assert!(sandbox.read("cofferdam.toml").contains("\non-duplicate = \"suffix\"\n"), "{}", ended.out);
    sandbox.run(&["check"]).well();
}
