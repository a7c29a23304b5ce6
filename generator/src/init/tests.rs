use std::collections::BTreeMap;
use std::path::Path;

use super::settings_file::is_right;
use super::*;
use crate::Planned;
use crate::diagnose::Report;
use crate::load::Sources;
use crate::plan::Governed;
use crate::project::{OnDuplicate, System};

const SHOP: &str = r#"openapi: 3.0.3
info: {title: "Shop\n[systems.evil]", version: "1"}
servers: [{url: /relative}, {url: "https://{host}.shop.test/v1", variables: {host: {default: eu}}}]
paths:
  /orders:
    post:
      operationId: placeOrder
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [orderNumber], properties: {orderNumber: {type: string}}}}}}
      responses: {"201": {description: ok}}
  /orders/search:
    post: {operationId: searchOrders, responses: {"200": {description: ok}}}
  /orders/clear: {get: {operationId: "delete all\nnow", responses: {"200": {description: ok}}}}
  /status/{id}: {get: {operationId: statusOf, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: ok}}}}
  /v1/status: {get: {operationId: status, responses: {"200": {description: ok}}}}
  /deep/health/healthz: {get: {operationId: healthz, responses: {"200": {description: ok}}}}
"#;

fn planned(text: &str) -> Planned {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.yaml");
    std::fs::write(&file, text).unwrap();
    let mut report = Report::default();
    let system = System::single("shop", &file, Path::new("."), &mut report).unwrap();
    let planned = crate::plan_after(
        &system,
        &Governed::by(system.profile),
        &BTreeMap::new(),
        &mut Sources::default(),
        &mut report,
    );
    planned.unwrap_or_else(|| panic!("{:?}", report.diagnostics()))
}

fn project(existing: Option<&str>, planned: &Planned) -> Result<String, NoPlace> {
    let candidates = candidates(&planned.plan);
    let new = ProjectFile {
        plan: &planned.plan,
        spec: "specs/shop.yaml",
        on_duplicate: OnDuplicate::Error,
        candidates: &candidates,
        out: "src",
        settings: "resilience.yaml",
    };
    with_system(existing, &new)
}

#[test]
fn a_new_project_says_what_is_known_and_leaves_room_for_what_is_not() {
    let planned = planned(SHOP);
    let text = project(None, &planned).unwrap();
    insta::assert_snapshot!(text);
    let settings = with_settings(None, &planned.plan).unwrap();
    insta::assert_snapshot!(settings);
    assert!(is_right(&settings));
}

#[test]
fn what_is_proposed_is_right_once_it_is_no_comment() {
    let text = project(None, &planned(SHOP)).unwrap();
    let declared: String = text
        .lines()
        .map(|line| {
            line.strip_prefix("# ").filter(|rest| rest.contains(" = ") || rest.starts_with('[')).unwrap_or(line)
        })
        .map(|line| line.replace("reason = \"\"", "reason = \"so they say\""))
        .map(|line| line + "\n")
        .collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("specs")).unwrap();
    std::fs::write(folder.path().join("specs/shop.yaml"), SHOP.replace("delete all\\nnow", "delete all now")).unwrap();
    std::fs::write(folder.path().join("resilience.yaml"), "systems: {}\n").unwrap();
    std::fs::write(folder.path().join("cofferdam.toml"), &declared).unwrap();
    let mut report = Report::default();
    let project = crate::project::Project::load(&folder.path().join("cofferdam.toml"), &mut report);
    let system = project.unwrap_or_else(|| panic!("{declared}\n{:?}", report.diagnostics())).systems.remove(0);
    assert_eq!(system.operations.len(), 3, "{declared}");
    let governed = Governed::by(system.profile);
    let planned = crate::plan(&system, &governed, &mut Sources::default(), &mut report);
    assert!(planned.is_some(), "{:?}", report.diagnostics());
}

#[test]
fn what_is_there_stays_byte_for_byte() {
    let planned = planned(SHOP);
    for before in ["", "# mine\r\nout='x'\r\n[systems.a]\r\nspec   = \"a.yaml\"", "[systems]\na = {spec = \"a\"}\n\n\n"]
    {
        let after = project(Some(before), &planned).unwrap();
        assert!(after.starts_with(before) && after.contains("[systems.shop]\n"), "{after}");
    }
    let closed = project(Some("systems = {a = {spec = \"a.yaml\"}}\n"), &planned).unwrap_err();
    assert!(closed.section.contains("[systems.shop]"));
}

#[test]
fn settings_are_added_to_where_systems_end() {
    let planned = planned(SHOP);
    let files = [
        ("systems:\n  a: {base-url: https://a.test}\n", ""),
        ("# top\nsystems:  # all\n    a:\n        base-url: https://a.test\n    # end of a", "\n"),
        (
            "systems:\n  a:\n    base-url: https://a.test\n\n# defaults come last\ndefaults:\n  retry: {max-attempts: 2}\n",
            "",
        ),
        ("systems:\n", ""),
    ];
    for (before, gap) in files {
        let after = with_settings(Some(before), &planned.plan).unwrap_or_else(|no| panic!("{before}\n{no:?}"));
        let added: Vec<&str> = after.lines().filter(|line| !before.lines().any(|had| had == *line)).collect();
        assert!(added[0].trim_start().starts_with("shop:"), "{after}");
        let kept: String = after.split_inclusive('\n').filter(|line| before.contains(line.trim_end())).collect();
        assert!(kept.starts_with(before) || format!("{before}{gap}") == kept, "{after}");
        assert!(is_right(&after), "{after}");
    }
    for before in ["systems: {a: {base-url: 'https://a.test'}}\n", "defaults: {}\n", "systems:\n\ta: 1\n"] {
        assert!(with_settings(Some(before), &planned.plan).is_err(), "{before}");
    }
}
