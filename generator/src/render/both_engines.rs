//! Every built-in template says the same in askama and in minijinja: that is what lets a team start a template of its
//! own from a built-in one.

use std::path::{Path, PathBuf};

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use super::templates::{self, BUILT_IN};
use crate::contract::Contract;
use crate::diagnose::Report;
use crate::load::Sources;
use crate::output::{Beside, TrialPlace};
use crate::plan::{Governed, SystemPlan};
use crate::project::System;
use crate::sample::OperationSamples;
use crate::stubs::{self, Existing, GeneratedAt, Placement};
use crate::view;

fn environment() -> Environment<'static> {
    let mut environment = crate::templates::bare_environment();
    for (name, text) in BUILT_IN {
        environment.add_template(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    environment
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut documents = Vec::new();
    let mut folders =
        vec![root.join("tests/fixtures"), root.join("specs"), root.join("generator/tests/good-documents")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of documents") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "json") {
                documents.push(path);
            }
        }
    }
    documents.sort();
    documents
}

fn plan(document: &Path) -> Option<(SystemPlan, Contract, Vec<OperationSamples>)> {
    let mut report = Report::default();
    let system = System::single("some-system", document, Path::new("out"), &mut report)?;
    let governed = Governed::by(system.profile);
    let mut sources = Sources::default();
    let plan = crate::plan(&system, &governed, &mut sources, &mut report)?.plan;
    let contract = Contract::of(&plan, &mut sources, &mut report);
    let samples = crate::sample::of_operations(&plan, &mut sources);
    Some((plan, contract, samples))
}

struct Both {
    environment: Environment<'static>,
    compared: Vec<&'static str>,
}

impl Both {
    fn agree<V: Serialize>(
        &mut self,
        name: &'static str,
        view: &V,
        built_in: impl Fn(&V) -> Result<String, askama::Error>,
        document: &Path,
    ) {
        let compiled = built_in(view).expect("a view");
        let template = self.environment.get_template(name).expect("a built-in template");
        let interpreted = template
            .render(context! { view => Value::from(Serde(view)) })
            .unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert!(compiled == interpreted + "\n", "{name} differs for {}:\n{compiled}", document.display());
        self.compared.push(name);
    }
}

#[test]
fn built_in_templates_are_the_same_text_in_both_engines() {
    let mut both = Both { environment: environment(), compared: Vec::new() };
    let mut planned = 0;
    for document in documents() {
        let Some((plan, contract, samples)) = plan(&document) else { continue };
        planned += 1;
        for has_method_after in [false, true] {
            let adapter = view::AdapterView { has_method_after, ..view::adapter(&plan) };
            both.agree("generated/adapter.rs.jinja", &adapter, templates::adapter, &document);
        }
        both.agree("points/header.rs.jinja", &view::header(&plan), templates::header, &document);
        for beside in [Beside::default(), Beside { stubs: true, contract: true, trial: Some(TrialPlace::Above) }] {
            let root = view::module_root(&plan, beside);
            both.agree("generated/mod.rs.jinja", &root, templates::module_root, &document);
        }
        let tests = view::contract(&plan, &contract, "some_system");
        both.agree("crate/contract.rs.jinja", &tests, templates::contract, &document);
        for runtime in [view::RuntimeSource::Version, view::RuntimeSource::Path("../\"odd\" path".to_owned())] {
            let manifest = view::manifest(&plan, &runtime, planned % 2 == 0);
            both.agree("crate/Cargo.toml.jinja", &manifest, templates::manifest, &document);
        }
        for included in [None, Some("some_system.rs")] {
            let root = view::stub_root(&plan, included);
            both.agree("stubs/mod.rs.jinja", &root, templates::stub_root, &document);
        }
        let resilience = view::resilience(&plan, &samples, |_| true, "super", false);
        both.agree("crate/resilience.rs.jinja", &resilience, templates::resilience, &document);
        for settings in [None, Some("../resilience.yaml")] {
            let trial = view::trial(&plan, "super", settings);
            both.agree("stubs/trial.rs.jinja", &trial, templates::trial, &document);
        }
        let items = crate::output::items(&plan, &mut Report::default()).expect("items");
        let made = stubs::stubs(&plan, &items, GeneratedAt::Beside);
        both.agree("stubs/domain.rs.jinja", &made.domain, templates::domain, &document);
        both.agree("stubs/mapper.rs.jinja", &made.mapper, templates::mapper, &document);
        both.agree("stubs/port.rs.jinja", &made.port, templates::port, &document);
        for placement in [Placement::Paste, Placement::OwnFile] {
            let missing = stubs::missing(&plan, &items, &Existing::default(), placement);
            both.agree("stubs/missing.rs.jinja", &missing, templates::missing, &document);
        }
    }
    assert!(planned >= 25, "only {planned} documents could be planned");
    for needed in ["sber.openapi.yaml", "f6.openapi.yaml"] {
        assert!(documents().iter().any(|document| document.ends_with(needed)), "{needed}");
    }
    // Parts and insertion points are printed by those that take them in.
    let printed =
        |name: &str| !name.contains("/parts-") && (!name.starts_with("points/") || name.ends_with("/header.rs.jinja"));
    for (name, _) in BUILT_IN.iter().filter(|(name, _)| printed(name)) {
        assert!(both.compared.contains(name), "{name} is not compared");
    }
}

#[test]
fn every_insertion_point_stands_in_a_template_and_is_empty() {
    for (name, text) in BUILT_IN.iter().filter(|(name, _)| name.starts_with("points/")) {
        assert!(
            text.starts_with("{#- ") && text.ends_with(" #}\n") && text.matches("#}").count() == 1,
            "{name}: {text}"
        );
        let include = format!("include \"{name}\"");
        let stands = BUILT_IN.iter().filter(|(_, text)| text.contains(&include)).count();
        assert_eq!(stands, usize::from(*name != "points/header.rs.jinja"), "{name}");
    }
}

#[test]
fn every_template_that_is_there_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    let mut there = Vec::new();
    for group in ["generated", "crate", "points", "stubs"] {
        for entry in std::fs::read_dir(folder.join(group)).expect("a group of templates") {
            there.push(format!("{group}/{}", entry.expect("a template").file_name().to_string_lossy()));
        }
    }
    there.sort();
    let mut known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(there, known);
}
