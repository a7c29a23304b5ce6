//! Files beside those that every system has.

use super::sandbox;
use crate::sandbox::Sandbox;

fn extra(sandbox: &Sandbox, name: &str, template: &str, output: &str, per: &str) {
    let section =
        format!("\n[extra-templates.{name}]\ntemplate = \"own/{name}.jinja\"\noutput = {output:?}\nper = {per:?}\n");
    sandbox.write("cofferdam.toml", &(sandbox.read("cofferdam.toml") + &section));
    sandbox.write(&format!("templates/own/{name}.jinja"), template);
}

#[test]
fn a_file_for_the_project_each_system_tag_operation_and_schema() {
    let sandbox = sandbox();
    extra(&sandbox, "all", "{% for system in view.systems %}{{ system.name }}\n{% endfor %}", "systems.txt", "project");
    extra(
        &sandbox,
        "one",
        "# {{ view.system.title|md }}\n{% for one in view.system.operations %}\n- {{ one.id }}: {{ one.kind }}{% endfor %}",
        "docs/{system}.md",
        "system",
    );
    extra(
        &sandbox,
        "tag",
        "{{ view.tag }}{% for one in view.operations %} {{ one.id }}{% endfor %}",
        "docs/tags/{tag}.md",
        "tag",
    );
    extra(
        &sandbox,
        "call",
        "{{ view.operation.method }} {{ view.operation.path }} {{ view.operation.summary }}",
        "docs/{operation}.md",
        "operation",
    );
    extra(&sandbox, "type", "{{ view.schema.kind }} {{ view.schema.type }}", "docs/types/{schema}.md", "schema");
    sandbox.run(&["generate"]).well();
    let read = |name: &str| sandbox.read(&format!("src/integrations/{name}"));
    assert_eq!(read("systems.txt"), "payments\nstock\n\n".trim_end_matches('\n').to_owned() + "\n\n");
    assert!(read("payments/docs/payments.md").starts_with("# Payments\n\n- pay: keyed\n- showPayment: read"));
    assert_eq!(read("payments/docs/tags/money.md"), "money pay showPayment\n");
    assert_eq!(read("payments/docs/cancel_payment.md"), "DELETE /payments/{id} \n");
    assert_eq!(read("payments/docs/types/receipt.md"), "object types::Receipt\n");
    assert_eq!(read("stock/docs/level.md"), "GET /level \n");
    let lock = sandbox.read("cofferdam.lock");
    for file in ["src/integrations/systems.txt", "src/integrations/payments/docs/pay.md"] {
        assert!(lock.contains(&format!("\"{file}\"")), "{file} {lock}");
    }
    sandbox.run(&["check"]).well();
    // An edited one stops the run, and one that is no longer asked for goes.
    sandbox.write("src/integrations/payments/docs/pay.md", "mine\n");
    assert!(sandbox.run(&["generate"]).faults().err.contains("was edited"));
    sandbox.run(&["generate", "--force"]).well();
    let project = sandbox.read("cofferdam.toml");
    sandbox.write("cofferdam.toml", project.split("\n[extra-templates.all]").next().unwrap());
    let out = sandbox.run(&["generate"]).well().out;
    assert!(out.contains("removed src/integrations/systems.txt"), "{out}");
    assert!(out.contains("removed src/integrations/payments/docs/pay.md"), "{out}");
    assert!(!sandbox.path("src/integrations/payments/docs").exists());
}

#[test]
fn a_file_of_the_project_is_made_again_when_any_system_changes_and_left_when_one_is_asked_for() {
    let sandbox = sandbox();
    extra(
        &sandbox,
        "all",
        "{% for system in view.systems %}{{ system.name }} {{ system.operations|length }}\n{% endfor %}",
        "systems.txt",
        "project",
    );
    sandbox.run(&["generate"]).well();
    let file = "src/integrations/systems.txt";
    let first = sandbox.read(file);
    assert!(sandbox.run(&["generate"]).well().out.ends_with("nothing changed\n"));
    assert_eq!(sandbox.read(file), first);
    sandbox.replace(
        "specs/stock.yaml",
        "paths:\n",
        "paths:\n  /more:\n    get: {operationId: more, responses: {\"204\": {description: ok}}}\n",
    );
    sandbox.run(&["generate", "--system", "payments"]).well();
    assert_eq!(sandbox.read(file), first);
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read(file), "payments 3\nstock 2\n\n");
    sandbox.write("templates/own/all.jinja", "none\n");
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read(file), "none\n");
    std::fs::remove_file(sandbox.path(file)).unwrap();
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read(file), "none\n");
}

#[test]
fn hostile_names_stay_inside_and_never_meet_in_silence() {
    let sandbox = sandbox();
    sandbox.replace("specs/payments.yaml", "tags: [money]", "tags: [\"../../../evil\"]");
    sandbox.replace("specs/payments.yaml", "tags: [money]", "tags: [\"/EVIL\"]");
    extra(&sandbox, "tag", "{{ view.tag|md }}", "{tag}.md", "tag");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(
        err.contains("CD-TEMPLATE-PATH") && err.contains("is in the way of src/integrations/payments/evil.md"),
        "{err}"
    );
    assert!(!sandbox.path("src").exists());
    sandbox.replace("specs/payments.yaml", "\"/EVIL\"", "con");
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read("src/integrations/payments/evil.md"), "../../../evil\n");
    assert_eq!(sandbox.read("src/integrations/payments/con_.md"), "con\n");
}

#[test]
fn what_is_ours_and_what_is_theirs_is_not_taken() {
    for output in ["generated/Types.rs", "mapper.rs", "port.rs/x.md", "generated"] {
        let sandbox = sandbox();
        extra(&sandbox, "page", "//! x", output, "system");
        let err = sandbox.run(&["generate"]).faults().err;
        assert!(err.contains("is in the way of"), "{output} {err}");
        assert!(!sandbox.path("src").exists());
    }
    // A file that is nobody's is not replaced either.
    let sandbox = sandbox();
    extra(&sandbox, "page", "ours", "README.md", "system");
    sandbox.write("src/integrations/payments/README.md", "mine\n");
    assert!(sandbox.run(&["generate"]).faults().err.contains("is in the way: cofferdam did not write it"));
    assert_eq!(sandbox.read("src/integrations/payments/README.md"), "mine\n");
}

#[test]
fn a_rust_file_is_rust_and_has_the_first_line_of_generated_files() {
    let sandbox = sandbox();
    sandbox.write("templates/points/header.rs.jinja", "// Ours.\n");
    extra(
        &sandbox,
        "ids",
        "//! Ids.\n{% for one in view.system.operations %}\npub const {{ one.id|shouty }}: &str = {{ one.id|rust_string }};{% endfor %}\n",
        "ids.rs",
        "system",
    );
    sandbox.run(&["generate"]).well();
    let text = sandbox.read("src/integrations/payments/ids.rs");
    assert!(
        text.starts_with("// @generated by cofferdam ")
            && text.contains("\n// Ours.\n//! Ids.\n\npub const PAY: &str = \"pay\";"),
        "{text}"
    );
    sandbox.write("templates/own/ids.jinja", "//! Ids.\n{% for one in view.system.operations %}\npub const {{ one.id }}: &str = {{ one.id }}\n{% endfor %}\n");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(
        err.contains(
            "templates/own/ids.jinja: error[CD-TEMPLATE-RUST]: the file src/integrations/payments/ids.rs is no Rust"
        ),
        "{err}"
    );
    assert!(err.contains("in what begins with line 3: pub const pay"), "{err}");
    sandbox.write("templates/own/ids.jinja", "{{ view.system.nam }}\n");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(
        err.contains("templates/own/ids.jinja:1:")
            && err.contains("`view.system.nam` is not there (rendering own/ids.jinja for `stock`)"),
        "{err}"
    );
}
