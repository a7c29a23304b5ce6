use serde_json::{Value, json};

use crate::sandbox::Sandbox;

fn plan(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let ended = sandbox.run(&[&["plan", "--format", "json"], arguments].concat()).well();
    serde_json::from_str(&ended.out).unwrap()
}

#[test]
fn table_has_aligned_columns() {
    let sandbox = Sandbox::project();
    let out = sandbox.run(&["plan"]).well().out;
    insta::assert_snapshot!(out);
    assert!(!sandbox.path("src").exists(), "a plan writes nothing");
}

#[test]
fn json_says_everything_of_an_operation() {
    let sandbox = Sandbox::project();
    let plan = plan(&sandbox, &[]);
    assert_eq!(plan["plan_version"], 1);
    assert_eq!(plan["systems"][1]["name"], "stock");
    let payments = &plan["systems"][0];
    assert_eq!(payments["spec"], "specs/payments.yaml");
    assert_eq!(
        payments["operations"][0],
        json!({
            "id": "pay",
            "method": "POST",
            "path": "/payments",
            "kind": "keyed",
            "reason": "its header `Idempotency-Key` carries an idempotency key; a call without one is sent once",
            "layers": ["deadline", "retry", "circuit-breaker", "time-limit", "bulkhead"],
            "attempts": 3,
            "timeouts": {"connect_ms": 5000, "read_ms": 30000, "call_ms": 36000},
            "rust": {
                "client": "client::PaymentsClient::pay",
                "adapter": "adapter::PaymentsAdapter::pay",
                "marker": "operations::Pay",
                "request": "operations::PayRequest",
                "reply": "operations::PayReply",
                "rejection": "operations::PayRejection"
            },
            "streams": [],
            "pages": null,
            "parameters": [
                {"name": "Idempotency-Key", "in": "header", "required": false, "field": null, "type": "String"}
            ],
            "key": {"in": "header", "name": "Idempotency-Key", "required": false},
            "servers": [],
            "security": null,
            "request": {"application/json": "types::Payment"},
            "body": {"field": "body", "optional": false, "three_state": false, "type": null, "variants": {}},
            "responses": {
                "201": {"application/json": "types::Receipt"},
                "409": {"application/json": "types::Fault"}
            },
            "answers": [
                {
                    "status": "201", "side": "reply", "variant": null, "has_status": false,
                    "payload": "types::Receipt", "headers": {}, "type": null, "variants": {}
                },
                {
                    "status": "409", "side": "rejection", "variant": "Conflict", "has_status": false,
                    "payload": "types::Fault", "headers": {}, "type": null, "variants": {}
                }
            ]
        })
    );
    let cancel = &payments["operations"][2];
    assert_eq!((&cancel["kind"], &cancel["attempts"], &cancel["key"]), (&json!("once"), &json!(1), &Value::Null));
    assert!(!cancel["layers"].as_array().unwrap().contains(&json!("retry")));
    assert_eq!(cancel["parameters"][0]["field"], "id");
    assert_eq!(cancel["responses"], json!({"204": {}}));
    let payment = &payments["schemas"][0];
    assert_eq!(
        (&payment["pointer"], &payment["type"]),
        (&json!("/components/schemas/Payment"), &json!("types::Payment"))
    );
}

#[test]
fn one_document_is_planned_without_a_project() {
    let sandbox = Sandbox::project();
    let plan = plan(&sandbox, &["--spec", "specs/stock.yaml", "--system", "stock"]);
    assert_eq!(plan["systems"].as_array().unwrap().len(), 1);
    assert_eq!(plan["systems"][0]["operations"][0]["responses"], json!({"200": {"application/json": "i64"}}));
}

#[test]
fn notes_have_their_place() {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "operationId: level, ", "");
    let plan = plan(&sandbox, &["--system", "stock"]);
    assert_eq!(plan["systems"][0]["operations"][0]["id"], "GET /level");
    let note = &plan["systems"][0]["notes"][0];
    assert_eq!((&note["severity"], &note["code"]), (&json!("warning"), &json!("CD-OPERATION-ID-NONE")));
    assert_eq!(note["location"]["file"], "specs/stock.yaml");
    assert_eq!(note["location"]["line"], 5);
    assert_eq!(note["location"]["pointer"], "/paths/~1level/get");
}

#[test]
fn settings_decide_layers_and_times_and_are_checked() {
    let sandbox = Sandbox::project();
    sandbox.replace("cofferdam.toml", "out =", "settings = \"resilience.yaml\"\nout =");
    let settings = "systems:\n  payments:\n    base-url: https://pay.test\n    timeouts: {connect: 2s, read: 10s, call: 20s}\n    retry: {max-attempts: 2}\n  stock: {base-url: https://stock.test, profile: supplier}\n";
    sandbox.write("resilience.yaml", settings);
    let planned = plan(&sandbox, &[]);
    let pay = &planned["systems"][0]["operations"][0];
    assert_eq!(pay["timeouts"], json!({"connect_ms": 2000, "read_ms": 10000, "call_ms": 20000}));
    assert_eq!(pay["attempts"], 2);

    sandbox.write("resilience.yaml", &settings.replace("call: 20s", "call: 11s"));
    let ended = sandbox.run(&["plan"]).faults();
    assert!(ended.err.contains("resilience.yaml:4:") && ended.err.contains("R-RES-TO-1"), "{}", ended.err);

    sandbox.write("resilience.yaml", &settings.replace("    base-url: https://pay.test\n", ""));
    sandbox.run(&["plan"]).well();

    let operations = "    retry: {max-attempts: 2}\n    operations:\n      cancelPayment: {retry: {max-attempts: 3}}\n      shoPayment: {retry: {max-attempts: 3}}\n";
    sandbox.write("resilience.yaml", &settings.replace("    retry: {max-attempts: 2}\n", operations));
    let ended = sandbox.run(&["plan"]).faults();
    assert!(ended.err.contains("R-RES-RE-X1") && ended.err.contains("`cancelPayment` is sent once"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `showPayment`?"), "{}", ended.err);

    sandbox.write("resilience.yaml", settings.split("  stock").next().unwrap());
    let ended = sandbox.run(&["plan"]).faults();
    assert!(ended.err.contains("cofferdam.toml:7:") && ended.err.contains("systems.stock"), "{}", ended.err);
}

#[test]
fn types_as_deep_as_they_may_be_are_generated() {
    let sandbox = Sandbox::project();
    // 96 lists in each other, within a response: the document has 117 levels of 127.
    let (open, close) = ("{\"type\":\"array\",\"items\":".repeat(96), "}".repeat(96));
    let schema = format!("{open}{{\"type\":\"string\"}}{close}");
    let level = format!(
        "{{\"openapi\":\"3.0.3\",\"info\":{{\"title\":\"t\",\"version\":\"1\"}},\"paths\":{{\"/level\":{{\"get\":{{\
         \"operationId\":\"level\",\"responses\":{{\"200\":{{\"description\":\"ok\",\"content\":{{\"application/json\":{{\
         \"schema\":{schema}}}}}}}}}}}}}}}}}"
    );
    sandbox.write("specs/stock.yaml", &level);
    sandbox.run(&["generate", "--with-tests", "--system", "stock"]).well();
    let operations = sandbox.read("src/integrations/stock/generated/operations.rs");
    assert!(operations.matches("Vec<").count() >= 96, "{operations}");
}
