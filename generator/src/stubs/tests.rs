use std::io::Write as _;
use std::process::{Command, Stdio};

use super::*;
use crate::analyse::OperationNames;
use crate::model::{Api, Docs, Operation, Origin, PathTemplate};
use crate::plan::{KeyPlace, OperationKind};
use crate::render::templates;

const TYPES: &str = include_str!("fixtures/types.rs");
const OPERATIONS: &str = include_str!("fixtures/operations.rs");

fn plan() -> SystemPlan {
    let mut api = Api::default();
    let mut plan = SystemPlan {
        system: "shop".to_owned(),
        type_prefix: "Shop".to_owned(),
        document: "shop.openapi.yaml".to_owned(),
        ..SystemPlan::default()
    };
    let key = |required| Some(KeyPlace::Header { name: "Idempotency-Key".to_owned(), required });
    for (index, (method, marker, key)) in [
        ("place_order", "PlaceOrder", key(false)),
        ("ping", "Ping", None),
        ("pay", "Pay", key(true)),
        ("show", "Show", None),
        ("show_tree_of_customers_by_their_full_name", "ShowTreeOfCustomersByTheirName", None),
        ("track", "Track", None),
    ]
    .into_iter()
    .enumerate()
    {
        api.operations.push(Operation {
            id: method.to_owned(),
            id_derived: false,
            method: "POST".to_owned(),
            path: PathTemplate { raw: format!("/{method}"), segments: Vec::new() },
            tags: Vec::new(),
            docs: Docs { summary: Some(format!("Does {method}.")), ..Docs::default() },
            parameters: Vec::new(),
            body: None,
            responses: Vec::new(),
            security: None,
            servers: Vec::new(),
            origin: Origin::default(),
        });
        plan.names.operations.push(OperationNames {
            method: method.to_owned(),
            marker: marker.to_owned(),
            request: format!("{marker}Request"),
            reply: format!("{marker}Reply"),
            rejection: format!("{marker}Rejection"),
            body: "body".to_owned(),
            ..OperationNames::default()
        });
        plan.operations.push(PlannedOperation {
            index,
            kind: OperationKind::Once,
            reason: String::new(),
            key,
            pages: None,
        });
    }
    plan.api = api;
    plan
}

fn items() -> Items {
    let of = |text: &str| syn::parse_file(text).expect("a fixture that is Rust").items;
    Items { types: of(TYPES), operations: of(OPERATIONS) }
}

fn rendered() -> [(&'static str, String); 5] {
    let stubs = stubs(&plan(), &items(), GeneratedAt::Beside);
    [
        ("domain", templates::domain(&stubs.domain).unwrap()),
        ("mapper", templates::mapper(&stubs.mapper).unwrap()),
        ("port", templates::port(&stubs.port).unwrap()),
        ("root", templates::stub_root(&crate::view::stub_root(&plan(), None)).unwrap()),
        ("root_of_a_build", templates::stub_root(&crate::view::stub_root(&plan(), Some("shop.rs"))).unwrap()),
    ]
}

#[test]
fn stubs_of_a_system() {
    for (name, text) in rendered() {
        insta::assert_snapshot!(name, text);
    }
}

/// What rustfmt with its default settings would change.
fn rustfmt(text: &str) -> Option<String> {
    let settings = tempfile::Builder::new().prefix("rustfmt").suffix(".toml").tempfile().unwrap();
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--config-path"])
        .arg(settings.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "rustfmt refuses:\n{text}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn stubs_are_as_rustfmt_leaves_them() {
    for (name, text) in rendered() {
        // The modules are not there to be looked at.
        let declares = |line: &&str| line.starts_with("pub mod ") && line.ends_with(';') || *line == "#[rustfmt::skip]";
        let text: String = text.lines().filter(|line| !declares(line)).map(|line| format!("{line}\n")).collect();
        let Some(formatted) = rustfmt(&text) else { return };
        let diff = similar::TextDiff::from_lines(&text, &formatted).unified_diff().to_string();
        assert!(diff.is_empty(), "{name}:\n{diff}");
    }
}

fn missing_text(existing: &Existing, placement: Placement) -> String {
    templates::missing(&missing(&plan(), &items(), existing, placement)).unwrap()
}

#[test]
fn missing_stubs_leave_out_what_is_there() {
    let mut existing = Existing::default();
    let mapped = "impl Mapping<operations::Ping> for M {} impl Mapping<PlaceOrder> for M {}
        impl Mapping<Show> for M {} impl Mapping<ShowTreeOfCustomersByTheirName> for M {} fn line_from_wire() {}";
    existing.take_in(std::path::Path::new("mapper.rs"), mapped);
    existing.take_in(std::path::Path::new("domain.rs"), "pub struct Line { pub id: Option<i32> }");
    let pasted = missing_text(&existing, Placement::Paste);
    insta::assert_snapshot!("missing_to_paste", pasted);
    let own = missing_text(&existing, Placement::OwnFile);
    insta::assert_snapshot!("missing_in_a_file_of_its_own", own);
    assert!(syn::parse_file(&own).is_ok() && syn::parse_file(&pasted).is_ok());
    if let Some(formatted) = rustfmt(&own) {
        let diff = similar::TextDiff::from_lines(&own, &formatted).unified_diff().to_string();
        assert!(diff.is_empty(), "{diff}");
    }
}
