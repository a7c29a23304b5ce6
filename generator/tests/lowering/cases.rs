//! The cases of `tests/fixtures/cases`, each with the model it must become.

use std::path::{Path, PathBuf};

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::lower::{LowerOptions, OnDuplicate, lower};
use cofferdam::model::Api;

use crate::outline::{outline, remarks};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cases")
}

fn case(name: &str, options: &LowerOptions) -> (Option<Api>, Report) {
    let mut report = Report::default();
    let path = folder().join(name);
    let api = Sources::open_root(&path, &mut report).and_then(|mut sources| lower(&mut sources, options, &mut report));
    (api, report)
}

#[test]
fn every_case_becomes_its_model() {
    let mut files: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    files.sort();
    assert!(files.len() >= 30, "{files:?}");
    for file in files {
        let (api, report) = case(&file, &LowerOptions::default());
        let invalid = file.starts_with("29-") || file.starts_with("30-");
        assert_eq!(api.is_none(), invalid, "{file}:\n{}", remarks(&report));
        assert_eq!(report.has_errors(), invalid, "{file}");
        let text = match api {
            Some(api) => format!("{}\n{}", outline(&api), remarks(&report)),
            None => remarks(&report),
        };
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(file.trim_end_matches(".yaml"), text);
        });
    }
}

#[test]
fn a_duplicate_id_gets_a_suffix_when_the_project_says_so() {
    let options = LowerOptions { on_duplicate: OnDuplicate::Suffix, ..LowerOptions::default() };
    let (api, report) = case("29-duplicate-operation-id.yaml", &options);
    let ids: Vec<_> = api.unwrap().operations.into_iter().map(|operation| operation.id).collect();
    assert_eq!(ids, ["fetch", "fetch_2"]);
    assert!(
        remarks(&report)
            .starts_with("warning [CD-OPERATION-ID] 0#/paths/~1b/get/operationId: \"fetch\" is already used by GET /a")
    );
}
