//! Command, build script and library give the same text from a team's templates.

use std::sync::Arc;

use cofferdam::diagnose::{Report, Severity};
use cofferdam::render::{ExtraFile, Renderer, Rendering, View};
use cofferdam::{Build, Planned, format};

use super::sandbox;
use crate::sandbox::{Sandbox, files};

fn with_templates() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("templates/points/adapter-end.rs.jinja", "\n/// Ours.\npub struct Ours;\n");
    sandbox.write("templates/points/header.rs.jinja", "// Copyright.\n");
    sandbox.write("templates/own/page.jinja", "{{ view.system.name }}\n");
    let section = "\n[extra-templates.page]\ntemplate = \"own/page.jinja\"\noutput = \"docs/page.md\"\nper = \"system\"\n\n[extra-templates.all]\ntemplate = \"own/all.jinja\"\noutput = \"all.md\"\nper = \"project\"\n";
    sandbox.write("templates/own/all.jinja", "{% for one in view.systems %}{{ one.name }} {% endfor %}\n");
    sandbox.write("cofferdam.toml", &(sandbox.read("cofferdam.toml") + section));
    sandbox
}

fn build(sandbox: &Sandbox, out: &std::path::Path) -> Build {
    Build::new(sandbox.path("cofferdam.toml")).out_dir(out).rerun_if_changed(false)
}

#[test]
fn a_build_script_has_the_same_text_and_names_every_template_it_read() {
    let sandbox = with_templates();
    sandbox.run(&["generate"]).well();
    let out = tempfile::tempdir().unwrap();
    let built = build(&sandbox, out.path()).run().unwrap();
    let generated = |name: &str| sandbox.read(&format!("src/integrations/stock/generated/{name}.rs"));
    let one = std::fs::read_to_string(&built.files["stock"]).unwrap();
    let header = "// Copyright.\n";
    let modules = ["adapter", "client", "operations", "types"]
        .map(|name| (vec![name.to_owned()], generated(name).replacen(header, "", 1)))
        .into();
    assert_eq!(one, format::inline(&generated("mod").replace("\n//!", "\n//"), &modules));
    assert_eq!(one.matches(header).count(), 1);
    let names: Vec<String> = files(out.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["all.md", "payments.rs", "payments/docs/page.md", "stock.rs", "stock/docs/page.md"]);
    for (file, text) in
        [("all.md", sandbox.read("src/integrations/all.md")), ("stock/docs/page.md", "stock\n".to_owned())]
    {
        assert_eq!(std::fs::read_to_string(out.path().join(file)).unwrap(), text);
    }
    for name in
        ["templates", "templates/points/adapter-end.rs.jinja", "templates/own/page.jinja", "templates/own/all.jinja"]
    {
        let path = sandbox.path(name).canonicalize().unwrap();
        assert!(built.inputs.iter().any(|input| input.canonicalize().unwrap() == path), "{name}: {:?}", built.inputs);
    }
    // The receipt holds as long as the templates are what they were.
    let again = build(&sandbox, out.path()).run().unwrap();
    let sorted = |built: &cofferdam::Built| {
        let mut inputs = built.inputs.clone();
        inputs.sort();
        inputs.dedup();
        inputs
    };
    assert_eq!(sorted(&again), sorted(&built));
    sandbox.write("templates/points/adapter-end.rs.jinja", "\n/// Ours.\npub struct Theirs;\n");
    build(&sandbox, out.path()).run().unwrap();
    assert!(std::fs::read_to_string(&built.files["stock"]).unwrap().contains("pub struct Theirs;"));
    sandbox.write("templates/points/adapter-end.rs.jinja", "{{ view.x }}\n");
    let failed = build(&sandbox, out.path()).run().unwrap_err().to_string();
    assert!(failed.contains("adapter-end.rs.jinja:1:4") && failed.contains("`view.x` is not there"), "{failed}");
}

#[test]
fn a_document_alone_can_have_templates() {
    let sandbox = with_templates();
    sandbox.run(&["generate"]).well();
    let run =
        ["generate", "--spec", "specs/stock.yaml", "--system", "stock", "--out", "alone", "--templates", "templates"];
    sandbox.run(&run).well();
    assert_eq!(sandbox.read("alone/adapter.rs"), sandbox.read("src/integrations/stock/generated/adapter.rs"));
    assert!(sandbox.run(&[&run[..8], &["nowhere"]].concat()).usage().err.contains("is no folder of templates"));
    let out = tempfile::tempdir().unwrap();
    let build = Build::from_spec(sandbox.path("specs/stock.yaml"), "stock").out_dir(out.path()).rerun_if_changed(false);
    let built = build.templates_dir(sandbox.path("templates")).run().unwrap();
    assert!(std::fs::read_to_string(&built.files["stock"]).unwrap().contains("pub struct Ours;"));
}

/// A renderer of whoever uses the library.
#[derive(Debug)]
struct House {
    path: &'static str,
    port: &'static str,
}

impl Renderer for House {
    fn name(&self) -> &str {
        "house"
    }

    fn render(&self, view: View<'_>, _planned: &Planned, _report: &mut Report) -> Rendering {
        match view {
            View::Adapter(view) => Rendering::Text(format!("//! {} of the house.\n{}", view.adapter, self.port)),
            _ => Rendering::Left,
        }
    }

    fn files(&self, planned: &Planned, _report: &mut Report) -> Vec<ExtraFile> {
        let text = format!("{} operations\n", planned.plan.operations.len());
        vec![ExtraFile { path: self.path.to_owned(), text, source: None }]
    }
}

#[test]
fn a_hook_changes_the_plan_and_a_renderer_takes_its_place() {
    let sandbox = sandbox();
    let out = tempfile::tempdir().unwrap();
    let with = |house: fn() -> House| {
        build(&sandbox, out.path()).system("payments").on_plan(move |planned, _| {
            planned.plan.operations.retain(|one| planned.plan.api.operations[one.index].id != "pay");
            planned.policies.truncate(planned.plan.operations.len());
            planned.renderers.insert(0, Arc::new(house()));
        })
    };
    for _ in 0..2 {
        let built = with(|| House { path: "operations.txt", port: "pub struct PaymentsAdapter;" }).run().unwrap();
        let text = std::fs::read_to_string(&built.files["payments"]).unwrap();
        assert!(text.contains("    pub struct PaymentsAdapter;"), "{text}");
        assert!(text.contains("fn show_payment(") && !text.contains("fn pay("), "{text}");
        assert_eq!(std::fs::read_to_string(out.path().join("payments/operations.txt")).unwrap(), "2 operations\n");
    }
    let failed = with(|| House { path: "../../out.txt", port: "fn (" }).run().unwrap_err().to_string();
    assert!(failed.contains("house: error[CD-TEMPLATE-RUST]: what generated/adapter.rs.jinja gives"), "{failed}");
    let failed = with(|| House { path: "../../out.txt", port: "" }).run().unwrap_err().to_string();
    assert!(
        failed.contains("house: error[CD-TEMPLATE-PATH]: the path \"../../out.txt\" would leave its folder"),
        "{failed}"
    );
    let refused = build(&sandbox, out.path()).on_plan(|_, report| {
        report.at(Severity::Error, "HOUSE-1", cofferdam::diagnose::Location::file("house"), "no", "");
    });
    assert!(refused.run().unwrap_err().to_string().contains("error[HOUSE-1]: no"));
}
