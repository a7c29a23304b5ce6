//! Every built-in template says the same in askama and in minijinja: that is what lets a team start a template of its
//! own from a built-in one.

use std::path::{Path, PathBuf};

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
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
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    for (name, text) in BUILT_IN {
        environment.add_template(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    environment
}

fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cases");
    let mut documents: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
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
        both.agree("generated/adapter.rs.jinja", &view::adapter(&plan), templates::adapter, &document);
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
    for (name, _) in BUILT_IN.iter().filter(|(name, _)| !name.contains("/parts-")) {
        assert!(both.compared.contains(name), "{name} is not compared");
    }
}

#[test]
fn every_template_that_is_there_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    let mut there = Vec::new();
    for group in ["generated", "crate", "stubs"] {
        for entry in std::fs::read_dir(folder.join(group)).expect("a group of templates") {
            there.push(format!("{group}/{}", entry.expect("a template").file_name().to_string_lossy()));
        }
    }
    there.sort();
    let mut known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(there, known);
}
