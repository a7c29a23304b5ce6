//! Project files: what they declare, and what each mistake in one says.

use std::path::Path;

use cofferdam::diagnose::{Report, render, totals};
use cofferdam::load::Sources;
use cofferdam::project::{DeclaredKey, DeclaredKind, OnDuplicate, Profile, Project, System};

use crate::fixture;

fn said(report: &Report) -> String {
    let located = report.located(&Sources::default());
    render(&located, |_| None) + &totals(&located).unwrap_or_default() + "\n"
}

#[test]
fn every_bad_project_file_gives_its_messages() {
    fixture::check("bad-project", 20, |input| {
        let mut report = Report::default();
        let project = Project::load(input, &mut report);
        assert_eq!(project.is_none(), report.has_errors(), "{}", input.display());
        said(&report).replace(&format!("{}/", input.parent().unwrap().display()), "")
    });
}

fn good() -> (Project, Report) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good-project/cofferdam.toml");
    let mut report = Report::default();
    let project = Project::load(&path, &mut report);
    (project.unwrap_or_else(|| panic!("{}", said(&report))), report)
}

#[test]
fn a_project_file_declares_systems_with_paths_relative_to_itself() {
    let (project, report) = good();
    assert!(report.diagnostics().is_empty());
    let folder = project.file.parent().unwrap();
    assert_eq!(project.settings.map(|settings| settings.value), Some(folder.join("resilience.yaml")));
    let [sber, f6] = project.systems.as_slice() else { panic!("two systems") };
    assert_eq!((sber.name.as_str(), f6.name.as_str()), ("sber", "f6-orders"));
    assert_eq!((sber.profile, f6.profile), (Profile::External, Profile::Supplier));
    assert_eq!((sber.on_duplicate, f6.on_duplicate), (OnDuplicate::Error, OnDuplicate::Suffix));
    assert_eq!(sber.spec.value, folder.join("specs/sber.yaml"));
    let overlays = |system: &System| system.overlays.iter().map(|one| one.value.clone()).collect::<Vec<_>>();
    assert_eq!(overlays(sber), [folder.join("specs/sber.overlay.yaml")]);
    assert_eq!(overlays(f6), [folder.join("specs/sber.overlay.yaml"), folder.join("specs/f6.overlay.yaml")]);
    assert_eq!((f6.overlays[1].at.line, f6.overlays[1].at.col), (26, 39));
    assert_eq!(sber.out, folder.join("../generated/sber"));
    assert_eq!(f6.out, folder.join("../elsewhere/f6"));
}

#[test]
fn declarations_of_operations_keep_their_places() {
    let (project, _) = good();
    let [sber, f6] = project.systems.as_slice() else { panic!("two systems") };
    let key = |system: &System, id: &str| system.operation(id).and_then(|operation| operation.key.clone()).unwrap();
    assert_eq!(key(sber, "registerOrder").value, DeclaredKey::Body(vec!["orderNumber".into()]));
    assert_eq!(key(f6, "createOrder").value, DeclaredKey::Header("Idempotency-Key".into()));
    assert_eq!(key(f6, "createTicket").value, DeclaredKey::Query("requestId".into()));
    assert_eq!(key(f6, "pay").value, DeclaredKey::Body(vec!["payment".into(), "id".into()]));
    let status = sber.operation("getOrderStatus").unwrap();
    assert_eq!(status.kind.as_ref().map(|kind| kind.value), Some(DeclaredKind::Read));
    assert_eq!((status.at.line, status.at.col), (17, 26));
    assert_eq!(status.at.pointer, "systems.sber.operations.getOrderStatus");
    let legacy = sber.operation("GET /legacy").unwrap();
    assert_eq!(legacy.kind.as_ref().map(|kind| kind.value), Some(DeclaredKind::Once));
    assert_eq!(legacy.at.pointer, "systems.sber.operations.\"GET /legacy\"");
    let fields: Vec<&str> =
        sber.credentials.iter().flat_map(|one| &one.fields).map(|field| field.value.as_str()).collect();
    assert_eq!(fields, ["userName", "password", "token"]);
}

#[test]
fn an_operation_is_selected_by_any_of_id_tag_and_path() {
    let (project, _) = good();
    let [sber, f6] = project.systems.as_slice() else { panic!("two systems") };
    assert!(sber.select.takes("anything", &[], "/at/all"));
    assert!(f6.select.takes("listProcurement", &[], "/f6/procurement/list"));
    assert!(f6.select.takes("x", &["a".into(), "orders".into()], "/x"));
    assert!(f6.select.takes("x", &[], "/f6/ticket"));
    assert!(f6.select.takes("x", &[], "/f6/procurement/{id}"));
    assert!(!f6.select.takes("x", &["a".into()], "/f6/orders"));
}

#[test]
fn a_single_system_needs_a_name_that_fits() {
    let mut report = Report::default();
    assert!(System::single("pay", Path::new("a.yaml"), Path::new("out"), &mut report).is_some());
    assert!(System::single("Pay!", Path::new("a.yaml"), Path::new("out"), &mut report).is_none());
    assert!(said(&report).starts_with("error[CD-PROJECT-NAME]: \"Pay!\" cannot be the name of a system\n"));
}

#[test]
fn the_example_of_the_documentation_is_a_project_file() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/project-file.md");
    let text = std::fs::read_to_string(docs).unwrap();
    let example = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for file in ["cofferdam.toml", "resilience.yaml", "sber/sber.openapi.yaml"] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, example).unwrap();
    }
    let mut report = Report::default();
    let project = Project::load(&folder.path().join("cofferdam.toml"), &mut report);
    assert!(project.is_some() && report.diagnostics().is_empty(), "{}", said(&report));
    // Every key that is complained of as unknown elsewhere is explained here.
    for key in [
        "settings",
        "out",
        "spec",
        "profile",
        "on-duplicate",
        "deny-unsupported",
        "allow-unsupported",
        "select",
        "credentials",
        "types",
        "crate",
        "operations",
    ] {
        assert!(text.contains(&format!("| `{key}` |")), "{key} is not explained");
    }
}
