//! What is wrong with templates: file, line, column, what, and what to do; everything at once, and nothing written.

use super::sandbox;

#[test]
fn every_fault_is_told_at_once_with_its_place_and_nothing_is_written() {
    let sandbox = sandbox();
    sandbox.write("templates/generated/adaptor.rs.jinja", "x\n");
    sandbox.write("templates/stub/port.rs.jinja", "x\n");
    sandbox.write("templates/generated/notes.txt", "x\n");
    sandbox.write("templates/stubs/port.rs.jinja", "//! Port\n{% for x in %}\n");
    sandbox.write("templates/stubs/domain.rs.jinja", "//! Domain\n{% include \"stubs/part-types.rs.jinja\" %}\n");
    sandbox.write("templates/stubs/mapper.rs.jinja", "//! Mapper\n<<<<<<< ours\n");
    let err = sandbox.run(&["generate"]).faults().err;
    for part in [
        "templates/generated/adaptor.rs.jinja: error[CD-TEMPLATE-NAME]: there is no built-in template `generated/adaptor.rs.jinja`",
        "`generated/adapter.rs.jinja` is meant?",
        "`stubs/port.rs.jinja` is meant?",
        "there is no built-in template `generated/notes.txt`",
        "templates/stubs/port.rs.jinja:2:",
        "CD-TEMPLATE-SYNTAX",
        "templates/stubs/domain.rs.jinja:2:13: error[CD-TEMPLATE-INCLUDE]: there is no template `stubs/part-types.rs.jinja`",
        "`stubs/parts-types.rs.jinja` is meant?",
        "templates/stubs/mapper.rs.jinja:2:1: error[CD-TEMPLATE-SYNTAX]: the file holds the mark of a conflict",
        "nothing was written",
    ] {
        assert!(err.contains(part), "{part}\n---\n{err}");
    }
    // Both systems have the same templates: each fault is told once.
    assert_eq!(err.matches("generated/notes.txt`").count(), 1, "{err}");
    assert!(!sandbox.path("src").exists() && !sandbox.path("cofferdam.lock").exists());
}

#[test]
fn a_fault_while_rendering_names_line_system_and_operation() {
    let sandbox = sandbox();
    sandbox.write(
        "templates/points/method-before.rs.jinja",
        "{%- if operation.is_once %}\n        log({{ operation.methd|rust_string }});\n{%- endif %}\n",
    );
    let err = sandbox.run(&["generate"]).faults().err;
    let expected = "templates/points/method-before.rs.jinja:2:";
    assert!(err.contains(expected), "{err}");
    assert!(
        err.contains(
            "`operation.methd` is not there (rendering generated/adapter.rs.jinja for `payments`, operation `cancelPayment`)"
        ),
        "{err}"
    );
    assert!(err.contains("`method` is meant?"), "{err}");
    // The other system has no such operation, and no fault.
    assert!(!err.contains("`stock`"), "{err}");
    sandbox.write("templates/points/method-before.rs.jinja", "x({{ operation.id|snak }});\n");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(err.contains("method-before.rs.jinja:1:"), "{err}");
    assert!(err.contains("filter snak is unknown") && err.contains("`snake` is meant?"), "{err}");
    assert!(err.contains("operation `pay`, operation `showPayment`, operation `cancelPayment`)"), "{err}");
}

#[test]
fn what_is_no_rust_is_told_with_the_item() {
    let sandbox = sandbox();
    sandbox.write("templates/points/method-before.rs.jinja", "        let = {{ operation.id|rust_string }};\n");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(err.contains("generated/adapter.rs.jinja (built in): error[CD-TEMPLATE-RUST]"), "{err}");
    assert!(err.contains("what generated/adapter.rs.jinja gives for `payments` is no Rust"), "{err}");
    assert!(err.contains(": pub async fn pay("), "{err}");
    std::fs::remove_file(sandbox.path("templates/points/method-before.rs.jinja")).unwrap();
    sandbox.write("templates/points/header.rs.jinja", "// Ours\nuse x;\n");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(
        err.contains("templates/points/header.rs.jinja: error[CD-TEMPLATE-RUST]: this is no line of a comment: use x;"),
        "{err}"
    );
    assert!(!sandbox.path("src").exists());
}

#[test]
fn a_folder_that_is_none_and_words_that_mean_nothing_are_faults_of_the_project_file() {
    let sandbox = sandbox();
    sandbox.replace("cofferdam.toml", "templates = \"templates\"", "templates = [\"nowhere\", \"cofferdam.toml\"]");
    sandbox.replace(
        "cofferdam.toml",
        "[systems.stock]",
        "[extra-templates.page]\ntemplate = \"own/page.jinja\"\noutput = \"../{sytem}.md\"\nper = \"sistem\"\n\n[systems.stock]",
    );
    sandbox.write("own/x", "");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(
        err.contains("cofferdam.toml:1:14: error[CD-FILE-MISSING] templates[0]: \"nowhere\" does not exist"),
        "{err}"
    );
    assert!(err.contains("is a file, not a folder"), "{err}");
    assert!(err.contains("\"sistem\" is no per") && err.contains("`system` is meant?"), "{err}");
    sandbox.replace("cofferdam.toml", "\"sistem\"", "\"system\"");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(err.contains("has an unknown `{sytem}`"), "{err}");
    sandbox.replace("cofferdam.toml", "{sytem}", "{system}");
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(
        err.contains("error[CD-TEMPLATE-PATH] extra-templates.page.output: \"../{system}.md\" would leave its folder"),
        "{err}"
    );
}

#[test]
fn lint_finds_what_no_document_shows() {
    let sandbox = sandbox();
    sandbox.write("templates/stubs/port.rs.jinja", "//! {% if view.is_never %}{% endif %}\n");
    sandbox.write("templates/own/forgotten.jinja", "x");
    let linted = sandbox.run(&["templates", "lint"]).faults();
    assert!(
        linted.err.contains("templates/stubs/port.rs.jinja:1:11: error[CD-TEMPLATE-FIELD]: `view` has no `is_never`"),
        "{}",
        linted.err
    );
    assert!(linted.err.contains("own/forgotten.jinja: warning[CD-TEMPLATE-UNUSED]"), "{}", linted.err);
    assert!(linted.err.contains("note[CD-TEMPLATE-STAMP]"), "{}", linted.err);
    sandbox.write("templates/stubs/port.rs.jinja", "//! {{ view.port }}\n");
    // A stub that is there is not made again; lint renders it all the same.
    sandbox.run(&["generate"]).well();
    let linted = sandbox.run(&["templates", "lint"]).well();
    assert_eq!(linted.out, "2 templates of your own, rendered for 2 systems\n");
    sandbox.write("templates/stubs/port.rs.jinja", "//! {{ view.port }}\nfn {\n");
    sandbox.run(&["generate"]).well();
    let linted = sandbox.run(&["templates", "lint"]).faults();
    assert!(linted.err.contains("CD-TEMPLATE-RUST"), "{}", linted.err);
}
