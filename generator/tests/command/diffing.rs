use serde_json::Value;

use crate::sandbox::{PAYMENTS, Sandbox};

/// A new version of the payments: a `GET` became a `POST`, the key is gone, a value and a field are new.
fn new_payments() -> String {
    let edits = [
        ("version: \"1\"", "version: \"2\""),
        ("      parameters:\n        - {name: Idempotency-Key, in: header, schema: {type: string}}\n", ""),
        ("    get:\n      operationId: showPayment", "    post:\n      operationId: showPayment"),
        ("enum: [new, paid]", "enum: [new, paid, failed]"),
        ("note: {type: string}", "note: {type: string}, channel: {type: string}"),
    ];
    edits.iter().fold(PAYMENTS.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

fn with_new() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write("new.yaml", &new_payments());
    sandbox
}

#[test]
fn a_retry_that_is_lost_comes_first_and_loud() {
    let sandbox = with_new();
    let ended = sandbox.run(&["diff", "specs/payments.yaml", "new.yaml", "--system", "payments"]).faults();
    insta::assert_snapshot!(ended.out);
    assert_eq!(ended.err, "");
}

#[test]
fn markdown_is_for_a_comment() {
    let sandbox = with_new();
    let arguments = ["diff", "specs/payments.yaml", "new.yaml", "--format", "markdown"];
    insta::assert_snapshot!(sandbox.run(&arguments).faults().out);
}

#[test]
fn json_is_for_programs() {
    let sandbox = with_new();
    let arguments = ["diff", "specs/payments.yaml", "new.yaml", "--system", "payments", "--format", "json"];
    let diff: Value = serde_json::from_str(&sandbox.run(&arguments).faults().out).unwrap();
    assert_eq!((&diff["diff_version"], &diff["needs_work"]), (&1.into(), &true.into()));
    let first = &diff["systems"][0]["changes"][0];
    assert_eq!(
        (&first["impact"], &first["code"], &first["subject"]),
        (&"protection".into(), &"kind-changed".into(), &"pay".into())
    );
    assert_eq!(first["functions"], serde_json::json!([{"file": "port.rs", "name": "pay"}]));
}

#[test]
fn nothing_and_what_is_only_added_end_well() {
    let sandbox = Sandbox::project();
    let same = sandbox.run(&["diff", "specs/payments.yaml", "specs/payments.yaml"]).well();
    assert!(same.out.contains("Nothing changed."), "{}", same.out);
    let more = PAYMENTS
        .replace("paths:\n", "paths:\n  /ping: {get: {operationId: ping, responses: {\"204\": {description: ok}}}}\n");
    sandbox.write("more.yaml", &more);
    let added = sandbox.run(&["diff", "specs/payments.yaml", "more.yaml"]).well();
    assert!(added.out.contains("+ The operation `ping` is new (`GET /ping`): a read"), "{}", added.out);
}

#[test]
fn what_cannot_be_compared_ends_with_two() {
    let sandbox = with_new();
    assert!(sandbox.run(&["diff"]).usage().err.contains("name two documents"));
    assert!(sandbox.run(&["diff", "new.yaml"]).usage().err.contains("`--system payments|stock`"));
    assert!(sandbox.run(&["diff", "new.yaml", "nowhere.yaml"]).usage().err.contains("nowhere.yaml"));
    sandbox.write("bad.yaml", &PAYMENTS.replace("schemas/Fault\"", "schemas/Falt\""));
    let bad = sandbox.run(&["diff", "specs/payments.yaml", "bad.yaml"]).usage();
    assert!(bad.err.contains("bad.yaml:15:") && bad.err.contains("the new document cannot be planned"), "{}", bad.err);
}

#[test]
fn a_project_is_compared_with_what_it_declares() {
    let sandbox = with_new();
    let declared =
        "[systems.payments.operations.showPayment]\nkind = \"read\"\nreason = \"it only looks\"\n\n[systems.stock]";
    sandbox.replace("cofferdam.toml", "[systems.stock]", declared);
    let ended = sandbox.run(&["diff", "--system", "payments", "new.yaml"]).faults();
    // Declared a read, it stays one although it is a POST now.
    assert!(!ended.out.contains("`showPayment` LOSES"), "{}", ended.out);
    assert!(ended.out.contains("`pay` LOSES ITS RETRY"), "{}", ended.out);

    sandbox.write("renamed.yaml", &PAYMENTS.replace("showPayment", "getPayment"));
    let ended = sandbox.run(&["diff", "--system", "payments", "renamed.yaml"]).faults();
    let lost = "! `systems.payments.operations.\"showPayment\"` in cofferdam.toml speaks of `showPayment`";
    assert!(ended.out.contains(lost), "{}", ended.out);
    assert!(ended.out.contains("mapper.rs: Mapping<operations::ShowPayment>"), "{}", ended.out);
}

#[test]
fn types_keep_the_names_that_the_lock_has() {
    let sandbox = Sandbox::project();
    let odd = PAYMENTS.replace("    Fault: ", "    fault-code: ").replace("schemas/Fault", "schemas/fault-code");
    sandbox.write("specs/payments.yaml", &odd);
    sandbox.run(&["generate"]).well();
    sandbox.write(
        "new.yaml",
        &format!("{odd}    FaultCode: {{type: object, properties: {{a: {{type: string}}, b: {{type: string}}}}}}\n"),
    );
    let ended = sandbox.run(&["diff", "--system", "payments", "new.yaml"]).well();
    assert!(ended.out.contains("COMPATIBLE (1)"), "{}", ended.out);
    assert!(!ended.out.contains("is called"), "{}", ended.out);
}

#[test]
fn a_revision_is_compared_with_the_work_tree() {
    let sandbox = Sandbox::project();
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "init.defaultBranch=main"]);
        let output = command.args(arguments).current_dir(sandbox.path("")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "first"]);
    sandbox.write("specs/payments.yaml", &new_payments());
    sandbox.replace("cofferdam.toml", "[systems.stock]\nspec = \"specs/stock.yaml\"\nprofile = \"supplier\"\n", "");
    let status = git(&["status", "--porcelain"]);
    let ended = sandbox.run(&["diff", "--since", "HEAD"]).faults();
    assert!(ended.out.contains("payments: Payments 1 → Payments 2"), "{}", ended.out);
    assert!(ended.out.contains("`showPayment` LOSES ITS RETRY"), "{}", ended.out);
    assert!(ended.out.contains("- The system `stock` is gone"), "{}", ended.out);
    assert_eq!(git(&["status", "--porcelain"]), status, "neither index nor work tree is touched");
    assert!(sandbox.run(&["diff", "--since", "nope"]).usage().err.contains("git knows no revision `nope`"));
    sandbox.run(&["diff", "--since=--all"]).usage();
}
