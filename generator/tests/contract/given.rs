//! Documents written into the tests, planned.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cofferdam::contract::{Contract, Example};
use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::plan::{Governed, SystemPlan};
use cofferdam::project::System;
use cofferdam::sample::{OperationSamples, of_operations};
use serde_json::Value;

/// A planned document.
pub(crate) struct Planned {
    pub(crate) plan: SystemPlan,
    pub(crate) sources: Sources,
}

pub(crate) fn open(document: &Path) -> Option<Planned> {
    let mut report = Report::default();
    let system = System::single("given", document, Path::new("out"), &mut report).unwrap();
    let mut sources = Sources::default();
    let governed = Governed::by(system.profile);
    let planned = cofferdam::plan(&system, &governed, &mut sources, &mut report);
    planned.map(|planned| Planned { plan: planned.plan, sources })
}

/// Plans files of a folder of their own; the first is the root.
pub(crate) fn files(files: &[(&str, &str)]) -> Planned {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    open(&folder.path().join(files[0].0)).expect("a document without faults")
}

/// Plans a document of these schemas, each of which travels both ways.
pub(crate) fn schemas(version: &str, schemas: &str) -> Planned {
    let names = schemas.lines().filter(|line| !line.starts_with([' ', '}'])).filter_map(|line| line.split_once(':'));
    let paths: String = names
        .map(|(name, _)| {
            let content = format!("content: {{application/json: {{schema: {{$ref: '#/components/schemas/{name}'}}}}}}");
            format!(
                "  /{name}:\n    post: {{operationId: post{name}, requestBody: {{required: true, {content}}}, \
                 responses: {{'200': {{description: ok, {content}}}}}}}\n"
            )
        })
        .collect();
    let schemas: String = schemas.lines().map(|line| format!("    {line}\n")).collect();
    let text = format!(
        "openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}components:\n  schemas:\n{schemas}"
    );
    files(&[("root.yaml", &text)])
}

impl Planned {
    /// The examples, and what was said of them.
    pub(crate) fn contract(&mut self) -> (Contract, Vec<String>) {
        let mut report = Report::default();
        let contract = Contract::of(&self.plan, &mut self.sources, &mut report);
        let told = report.diagnostics().iter().map(|one| {
            let pointer = one.origin.as_ref().map(|origin| origin.pointer.clone()).unwrap_or_default();
            format!("{}: {}", pointer.replace("/components/schemas/", "/"), one.message)
        });
        let told = told.collect();
        (contract, told)
    }

    /// Samples by the ids of their operations.
    pub(crate) fn samples(&mut self) -> BTreeMap<String, OperationSamples> {
        let samples = of_operations(&self.plan, &mut self.sources);
        let ids = self.plan.operations.iter().map(|planned| self.plan.operation(planned).id.clone());
        ids.zip(samples).collect()
    }

    /// The sample of the only body of an operation.
    pub(crate) fn body(&mut self, id: &str) -> Value {
        let samples = self.samples();
        let [Some(body)] = samples[id].bodies.as_slice() else { panic!("{samples:?}") };
        body.clone()
    }
}

/// Where examples stand, shortened.
pub(crate) fn pointers(examples: &[Example]) -> Vec<String> {
    examples.iter().map(|example| example.origin.pointer.replace("/components/schemas/", "/")).collect()
}
