use crate::sandbox::{PAYMENTS, Sandbox};

fn declared(names: &str) -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace(
        "cofferdam.toml",
        "[systems.stock]",
        &format!("[systems.payments.names]\n{names}\n[systems.stock]"),
    );
    sandbox
}

#[test]
fn names_are_declared_by_the_place_of_what_they_are_for() {
    let sandbox = declared(
        "\"/components/schemas/Fault\" = \"Trouble\"\n\
         \"/components/schemas/Receipt/properties/state\" = \"Fault\"\n\
         \"/paths/~1payments/post\" = \"transfer\"\n",
    );
    sandbox.run(&["generate"]).well();
    let types = sandbox.read("src/integrations/payments/generated/types.rs");
    assert!(types.contains("pub struct Trouble {") && types.contains("pub enum Fault {"), "{types}");
    let client = sandbox.read("src/integrations/payments/generated/client.rs");
    assert!(client.contains("pub async fn transfer(") && !client.contains("pub async fn pay("), "{client}");
    let operations = sandbox.read("src/integrations/payments/generated/operations.rs");
    // The id is the document's: settings and metrics know it.
    assert!(operations.contains("pub struct Transfer;") && operations.contains("id: \"pay\""), "{operations}");
}

#[test]
fn names_that_cannot_be_are_told_all_at_once() {
    let sandbox = declared(
        "\"/components/schemas/Falt\" = \"Trouble\"\n\
         \"/components/schemas/Fault\" = \"trouble\"\n\
         \"/components/schemas/Payment\" = \"String\"\n\
         \"/components/schemas/Receipt\" = \"Same\"\n\
         \"/components/schemas/Receipt/properties/state\" = \"Same\"\n\
         \"/paths/~1payments/post\" = \"new\"\n\
         \"/paths/~1payments~1{id}/get\" = \"Show\"\n",
    );
    let err = sandbox.run(&["generate"]).faults().err;
    for fault in [
        "did you mean `/components/schemas/Fault`?",
        "a type begins with a capital letter",
        "generated code needs that name",
        "/components/schemas/Receipt is called so already",
        "have a method of that name",
        "a method begins with a small letter",
    ] {
        assert!(err.contains(fault), "{fault}\n{err}");
    }
    assert_eq!(err.matches("error[CD-NAME-DECLARED]").count(), 6, "{err}");
    for wrong in ["payment = \"P\"", "\"/components/schemas/Fault\" = \"no name\"", "\"/a\" = \"type\""] {
        let err = declared(wrong).run(&["generate"]).faults().err;
        assert!(err.contains("cofferdam.toml:7:") && err.contains("CD-PROJECT-VALUE"), "{err}");
    }
}

#[test]
fn an_operation_that_comes_later_takes_no_name() {
    let sandbox = Sandbox::project();
    let odd = PAYMENTS.replace("operationId: showPayment", "operationId: show-payment");
    sandbox.write("specs/payments.yaml", &odd);
    sandbox.run(&["generate"]).well();
    let ping = "paths:\n  /ping: {get: {operationId: show_payment, responses: {\"204\": {description: ok}}}}\n";
    sandbox.write("specs/payments.yaml", &odd.replace("paths:\n", ping));
    sandbox.run(&["generate"]).well();
    let operations = sandbox.read("src/integrations/payments/generated/operations.rs");
    let (_, after) = operations.split_once("id: \"show-payment\"").unwrap();
    assert!(after.trim_start_matches(',').trim_start().starts_with("name: \"show_payment\""), "{after}");
    let diff = sandbox.run(&["check"]).well();
    assert!(diff.out.contains("up to date"), "{}", diff.out);
}
