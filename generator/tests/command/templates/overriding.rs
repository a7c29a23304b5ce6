//! A file of a team's takes the place of the built-in template of its name.

use super::{ADAPTER, PORT, sandbox};
use crate::sandbox::Sandbox;

#[test]
fn an_override_makes_the_file_and_the_first_layer_wins() {
    let sandbox = sandbox();
    sandbox.write("templates/stubs/port.rs.jinja", "//! Ours: {{ view.port }}.\n");
    sandbox.write("payments-templates/stubs/port.rs.jinja", "//! Of payments: {{ view.port }}.\n");
    sandbox.replace(
        "cofferdam.toml",
        "spec = \"specs/payments.yaml\"",
        "spec = \"specs/payments.yaml\"\ntemplates = \"payments-templates\"",
    );
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read(PORT), "//! Of payments: PaymentsPort.\n");
    assert_eq!(sandbox.read("src/integrations/stock/port.rs"), "//! Ours: StockPort.\n");
    let listed = sandbox.run(&["templates", "list", "--system", "payments"]).well().out;
    assert!(listed.contains("payments-templates/stubs/port.rs.jinja\n"), "{listed}");
    assert!(listed.contains("hides templates/stubs/port.rs.jinja"), "{listed}");
}

#[test]
fn a_folder_that_overrides_nothing_and_ejected_templates_change_nothing() {
    let plain = Sandbox::project();
    plain.run(&["generate", "--with-tests"]).well();
    let sandbox = sandbox();
    let names: Vec<&str> = cofferdam::render::templates::BUILT_IN.iter().map(|(name, _)| *name).collect();
    sandbox.run(&["generate", "--with-tests"]).well();
    assert_eq!(plain.files("src"), sandbox.files("src"));
    std::fs::remove_dir_all(sandbox.path("src")).unwrap();
    std::fs::remove_file(sandbox.path("cofferdam.lock")).unwrap();
    // All but the points: one that is there is filled.
    let templates: Vec<&str> = names.iter().copied().filter(|name| !name.starts_with("points/")).collect();
    sandbox.run(&[&["templates", "eject"], templates.as_slice()].concat()).well();
    let run = sandbox.run(&["generate", "--with-tests"]).well();
    assert!(!run.err.contains("TEMPLATE"), "{}", run.err);
    assert_eq!(plain.files("src"), sandbox.files("src"));
    assert_eq!(plain.read("cofferdam.lock"), sandbox.read("cofferdam.lock"));
}

#[test]
fn a_changed_template_is_made_again_and_check_sees_it() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    assert!(sandbox.run(&["generate"]).well().out.ends_with("nothing changed\n"));
    // A new file in the folder, then another text in it: receipts know both.
    sandbox.write("templates/points/adapter-end.rs.jinja", "pub struct One;\n");
    sandbox.run(&["check"]).faults();
    assert!(sandbox.run(&["generate"]).well().out.contains(&format!("replaced {ADAPTER}")));
    assert!(sandbox.read(ADAPTER).ends_with("\npub struct One;\n"));
    sandbox.write("templates/points/adapter-end.rs.jinja", "pub struct Two;\n");
    sandbox.run(&["generate"]).well();
    assert!(sandbox.read(ADAPTER).ends_with("\npub struct Two;\n"));
    sandbox.run(&["check"]).well();
    std::fs::remove_file(sandbox.path("templates/points/adapter-end.rs.jinja")).unwrap();
    sandbox.run(&["generate"]).well();
    assert!(!sandbox.read(ADAPTER).contains("Two"));
}

#[test]
fn partials_of_the_team_can_be_included() {
    let sandbox = sandbox();
    sandbox.write("templates/own/licence.jinja", "// Licensed to nobody.");
    sandbox.write(
        "templates/stubs/domain.rs.jinja",
        "{% include \"own/licence.jinja\" %}\n//! {{ view.system|shouty }}\n",
    );
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read("src/integrations/stock/domain.rs"), "// Licensed to nobody.\n//! STOCK\n");
}

#[test]
fn stubs_come_from_the_teams_template_too() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    sandbox.write(
        "templates/stubs/missing.rs.jinja",
        "// {{ view.system }} lacks{% for one in view.mappings %} {{ one.id }}{% endfor %}\n",
    );
    sandbox.write("src/integrations/stock/mapper.rs", "pub struct StockMapping;\n");
    assert_eq!(sandbox.run(&["stubs", "--system", "stock"]).well().out, "// stock lacks level\n");
}
