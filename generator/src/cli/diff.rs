//! `cofferdam diff`: what a new version of a document does.
//!
//! Exit codes: 0 nothing changed, or nothing has to be done; 1 somebody has to do or decide something; 2 there is nothing
//! to compare, as the command line makes no sense or a document is wrong.

mod since;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cofferdam::Planned;
use cofferdam::diagnose::{Located, Report, Severity};
use cofferdam::diff::{DiffDocument, SpecDiff, compare, markdown, plan_anew, text};
use cofferdam::load::Sources;
use cofferdam::plan::Governed;
use cofferdam::project::System;

use super::inputs::Inputs;
use super::{Ended, output};

/// The name of a system when none is given.
const NAMELESS: &str = "api";

#[derive(Debug, Clone, Args)]
pub(super) struct DiffArguments {
    /// Two OpenAPI documents, the old one first; or one, to be compared with what a project has; or none, with `--since`
    #[arg(value_name = "DOCUMENT", num_args = 0..=2)]
    documents: Vec<PathBuf>,
    /// The project file
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml")]
    project: PathBuf,
    /// The system that the new document is for; with `--since` only these systems; with two documents the name to use
    #[arg(long, value_name = "NAME")]
    system: Vec<String>,
    /// Compares the project with what it was at this commit, branch or tag
    #[arg(long, value_name = "REVISION", conflicts_with = "documents")]
    since: Option<String>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
    /// Markdown for a comment on a pull request
    Markdown,
}

pub(super) fn run(arguments: &DiffArguments) -> Ended {
    let compared = match (arguments.documents.as_slice(), &arguments.since) {
        ([old, new], _) => documents(arguments, old, new).map(|diff| vec![diff]),
        ([new], _) => with_project(arguments, new).map(|diff| vec![diff]),
        (_, Some(revision)) => since::compared(&arguments.project, &arguments.system, revision),
        _ => Err("name two documents, or one for a system of the project, or `--since REVISION`".to_owned()),
    };
    let systems = match compared {
        Ok(systems) => systems,
        Err(message) => {
            output::say(&format!("error: {message}"));
            return Ended::Usage;
        }
    };
    match arguments.format {
        DiffFormat::Text => output::text(&text(&systems)),
        DiffFormat::Markdown => output::text(&markdown(&systems)),
        DiffFormat::Json => match serde_json::to_string_pretty(&DiffDocument::of(&systems)) {
            Ok(text) => output::line(&text),
            Err(error) => {
                output::say(&format!("error: {error}"));
                return Ended::Usage;
            }
        },
    }
    if systems.iter().any(SpecDiff::needs_work) { Ended::Faults } else { Ended::Well }
}

/// Two documents.
fn documents(arguments: &DiffArguments, old: &Path, new: &Path) -> Result<SpecDiff, String> {
    let name = match arguments.system.as_slice() {
        [] => NAMELESS,
        [name] => name,
        _ => return Err("two documents are of one system".to_owned()),
    };
    let single = |spec: &Path| {
        let mut report = Report::default();
        let system = System::single(name, spec, Path::new("."), &mut report);
        system.ok_or_else(|| told(&report.located(&Sources::default()), "no system can be called so"))
    };
    let (old, new) = (single(old)?, single(new)?);
    let governed = Governed::by(old.profile);
    let before = Before::of(&old, &governed, &std::collections::BTreeMap::new())?;
    before.compared(&new, &governed)
}

/// A new document for a system of a project.
fn with_project(arguments: &DiffArguments, new: &Path) -> Result<SpecDiff, String> {
    let inputs = Inputs::project(&arguments.project, &arguments.system).map_err(|_| cannot(&arguments.project))?;
    let [system] = inputs.systems.as_slice() else {
        let names: Vec<&str> = inputs.systems.iter().map(|system| system.name.as_str()).collect();
        return Err(format!("say which system the document is for: `--system {}`", names.join("|")));
    };
    let governed = inputs.governed.get(&system.name).cloned().unwrap_or_else(|| Governed::by(system.profile));
    let before = Before::of(system, &governed, &inputs.lock.names_of(&system.name))?;
    let mut with_new = system.clone();
    with_new.spec.value = new.to_owned();
    before.compared(&with_new, &governed)
}

fn cannot(project: &Path) -> String {
    format!("{} cannot be used", project.display())
}

/// What there is before the change.
struct Before {
    planned: Planned,
    sources: Sources,
}

impl Before {
    fn of(
        system: &System,
        governed: &Governed,
        names: &std::collections::BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let (mut sources, mut report) = (Sources::default(), Report::default());
        let planned = cofferdam::plan_after(system, governed, names, &mut sources, &mut report);
        match planned.filter(|_| !report.has_errors()) {
            Some(planned) => Ok(Self { planned, sources }),
            None => Err(told(&report.located(&sources), "the old document cannot be planned")),
        }
    }

    /// Compares with what a system is now.
    fn compared(&self, system: &System, governed: &Governed) -> Result<SpecDiff, String> {
        let file = |index: usize| self.sources.files.get(index).map_or("", |file| file.display.as_str());
        let names = self.planned.plan.given_names(file);
        let (mut sources, mut report) = (Sources::default(), Report::default());
        let planned = plan_anew(system, governed, &names, &mut sources, &mut report).filter(|_| !report.has_errors());
        let Some((planned, lost)) = planned else {
            return Err(told(&report.located(&sources), "the new document cannot be planned"));
        };
        let mut report = Report::default();
        match compare(&self.planned, &planned, &mut report) {
            Some(mut diff) => {
                diff.add(lost);
                Ok(diff)
            }
            None => Err(told(&report.located(&sources), "the documents cannot be compared")),
        }
    }
}

/// Prints what is wrong, and gives what follows from it. Remarks are for `generate`.
fn told(found: &[Located], message: &str) -> String {
    let errors: Vec<Located> = found.iter().filter(|one| one.severity == Severity::Error).cloned().collect();
    output::tell(&errors);
    message.to_owned()
}
