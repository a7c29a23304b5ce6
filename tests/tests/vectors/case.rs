//! A case: a document, what is generated from it, and its plan as JSON.

use std::path::{Path, PathBuf};

use cofferdam::Planned;
use cofferdam::diagnose::{Located, Report, Severity};
use cofferdam::load::Sources;
use cofferdam::output::Layout;
use cofferdam::plan::Governed;
use cofferdam::project::{Project, System, module_name};
use cofferdam::sample;
use cofferdam::view::system_document;
use serde_json::Value;

/// A case that could be generated.
#[derive(Clone)]
pub(crate) struct Case {
    /// The name of its document.
    pub(crate) name: String,
    /// Its module, and its system's.
    pub(crate) module: String,
    /// Its plan, as `cofferdam plan --format json` has it for this system.
    pub(crate) plan: Value,
    /// Its files below the folder of its module.
    pub(crate) files: Vec<(String, String)>,
}

/// What came of a case.
pub(crate) struct Outcome {
    /// What was generated, if nothing is wrong.
    pub(crate) case: Option<Case>,
    /// What was found.
    pub(crate) found: Vec<Located>,
}

impl Outcome {
    /// Generates from a document; the plan has samples. A project file beside it, of the same name, says more.
    pub(crate) fn of(document: &Path, name: &str) -> Self {
        let (mut report, mut sources) = (Report::default(), Sources::default());
        let case = system(document, name, &mut report).and_then(|system| {
            let planned = cofferdam::plan(&system, &Governed::by(system.profile), &mut sources, &mut report)?;
            generate(&system, &planned, name, &mut sources, &mut report)
        });
        let found = report.located(&sources);
        let failed = found.iter().any(|one| one.severity == Severity::Error);
        Self { case: case.filter(|_| !failed), found }
    }

    /// What is wrong, as lines.
    pub(crate) fn errors(&self) -> String {
        let errors = self.found.iter().filter(|one| one.severity == Severity::Error);
        errors.map(|one| format!("{one:?}\n")).collect()
    }
}

fn system(document: &Path, name: &str, report: &mut Report) -> Option<System> {
    let project = document.with_extension("toml");
    if project.exists() {
        return Project::load(&project, report)?.systems.into_iter().next();
    }
    System::single(&format!("c{}", name.to_lowercase()), document, Path::new("."), report)
}

fn generate(
    system: &System,
    planned: &Planned,
    name: &str,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<Case> {
    let tree =
        cofferdam::generate(planned, &Layout::Module { with_stubs: false }, &PathBuf::from("nowhere"), "", report)?;
    let texts = tree.iter().map(|(path, body)| (path.to_owned(), body.text.as_deref().unwrap_or_default().to_owned()));
    let samples = sample::of_operations(&planned.plan, sources);
    let displays: Vec<String> = sources.files.iter().map(|file| file.display.clone()).collect();
    let spec = system.spec.value.display().to_string();
    let found = report.located(sources);
    let document = system_document(&planned.plan, &planned.policies, &spec, &displays, &found).with_samples(&samples);
    Some(Case {
        name: name.to_owned(),
        module: module_name(&system.name),
        plan: serde_json::to_value(document).unwrap(),
        files: texts.collect(),
    })
}
