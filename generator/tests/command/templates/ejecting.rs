//! A template of a team's begins as the built-in one.

use cofferdam::templates::{Stamp, built_in};

use super::sandbox;
use crate::sandbox::Sandbox;

#[test]
fn an_ejected_template_says_what_it_was_made_from() {
    let sandbox = sandbox();
    let run = sandbox.run(&["templates", "eject", "stubs/port.rs.jinja", "points/adapter-end.rs.jinja"]).well();
    assert_eq!(
        run.out,
        "created ./templates/stubs/port.rs.jinja\ncreated ./templates/points/adapter-end.rs.jinja\n".replace("./", "")
    );
    let text = built_in("stubs/port.rs.jinja").unwrap();
    let whole = sandbox.read("templates/stubs/port.rs.jinja");
    assert_eq!(Stamp::split(&whole), (Some(Stamp::of("stubs/port.rs.jinja", text)), text));
    assert_eq!(sandbox.read("templates/.base/stubs/port.rs.jinja"), text);
    assert_eq!(sandbox.read("templates/points/adapter-end.rs.jinja"), built_in("points/adapter-end.rs.jinja").unwrap());
    let listed = sandbox.run(&["templates", "list"]).well().out;
    let line = |name: &str| listed.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert!(line("stubs/port.rs.jinja").ends_with("template  templates/stubs/port.rs.jinja, from 0.1.0"), "{listed}");
    assert!(line("stubs/parts-types.rs.jinja").ends_with("part      built in"), "{listed}");
    assert!(
        line("points/adapter-end.rs.jinja").ends_with("point     templates/points/adapter-end.rs.jinja"),
        "{listed}"
    );
    assert_eq!(sandbox.run(&["templates", "diff"]).well().out, "");
    sandbox.replace("templates/stubs/port.rs.jinja", "//! What the domain asks of", "//! What we ask of");
    let diff = sandbox.run(&["templates", "diff"]).well().out;
    assert!(diff.contains("-//! What the domain asks of `{{ view.system }}`.\n+//! What we ask of"), "{diff}");
}

#[test]
fn what_is_there_is_never_replaced_and_an_unknown_name_is_told_with_the_nearest() {
    let sandbox = sandbox();
    sandbox.write("templates/stubs/port.rs.jinja", "//! mine\n");
    let run = sandbox.run(&["templates", "eject", "stubs/port.rs.jinja", "stubs/domain.rs.jinja"]).faults();
    assert!(run.err.contains("is there already"), "{}", run.err);
    assert_eq!(sandbox.read("templates/stubs/port.rs.jinja"), "//! mine\n");
    assert!(!sandbox.path("templates/stubs/domain.rs.jinja").exists());
    let run = sandbox.run(&["templates", "eject", "adapter.rs", "mapper", "nonsense"]).faults();
    assert!(run.err.contains("`generated/adapter.rs.jinja` is meant?"), "{}", run.err);
    assert!(run.err.contains("`stubs/mapper.rs.jinja` is meant?"), "{}", run.err);
    assert!(run.err.contains("`nonsense`; `cofferdam templates list` prints them all"), "{}", run.err);
    sandbox.run(&["templates", "diff", "stubs/mapper.rs.jinja"]).faults();
}

#[test]
fn without_a_folder_in_the_project_file_one_is_named() {
    let sandbox = Sandbox::project();
    assert!(sandbox.run(&["templates", "eject", "stubs/port.rs.jinja"]).usage().err.contains("--to DIR"));
    let run = sandbox.run(&["templates", "eject", "stubs/port.rs.jinja", "--to", "ours"]).well();
    assert!(run.out.contains("`templates = \"ours\"` in the project file"), "{}", run.out);
    assert!(sandbox.path("ours/stubs/port.rs.jinja").exists());
}

#[test]
fn context_is_a_schema_of_everything_a_template_sees() {
    let sandbox = sandbox();
    let all: serde_json::Value = serde_json::from_str(&sandbox.run(&["templates", "context"]).well().out).unwrap();
    assert_eq!(all["view_version"], cofferdam::view::VIEW_VERSION);
    for (name, _) in cofferdam::render::templates::BUILT_IN {
        assert!(all["templates"][name]["properties"]["view"]["properties"].is_object(), "{name}");
    }
    let one = sandbox.run(&["templates", "context", "points/method-after.rs.jinja"]).well().out;
    let one: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one, all["templates"]["generated/adapter.rs.jinja"]);
    let described = &one["properties"]["view"]["properties"]["adapter"]["description"];
    assert_eq!(described, "`SberAdapter`");
    // What extra templates see is what the schema says: the same names, in both.
    for (per, output) in [
        ("project", "p.json"),
        ("system", "s.json"),
        ("tag", "{tag}.t.json"),
        ("operation", "{operation}.o.json"),
        ("schema", "{schema}.c.json"),
    ] {
        let section = format!(
            "\n[extra-templates.{per}]\ntemplate = \"own/keys.jinja\"\noutput = \"{output}\"\nper = \"{per}\"\n"
        );
        sandbox.write("cofferdam.toml", &(sandbox.read("cofferdam.toml") + &section));
    }
    sandbox.write("templates/own/keys.jinja", "{{ view|items|map('first')|sort|join(' ') }}\n");
    sandbox.run(&["generate"]).well();
    for (per, file) in [
        ("project", "p.json"),
        ("system", "payments/s.json"),
        ("tag", "payments/money.t.json"),
        ("operation", "payments/pay.o.json"),
        ("schema", "payments/receipt.c.json"),
    ] {
        let keys = sandbox.read(&format!("src/integrations/{file}"));
        let schema = all["templates"][per]["properties"]["view"]["properties"].as_object().unwrap();
        let mut known: Vec<&str> = schema.keys().map(String::as_str).collect();
        known.sort_unstable();
        assert_eq!(keys.trim(), known.join(" "), "{per}");
    }
    assert!(sandbox.run(&["templates", "context", "sistem"]).faults().err.contains("`system` is meant?"));
}
