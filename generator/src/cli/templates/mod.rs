//! `cofferdam templates`, and what other commands have to do for a team's templates.

mod context;
mod diff;
mod eject;
pub(super) mod generating;
mod lint;
mod list;
mod upgrade;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::project::{Project, TemplateSettings};
use cofferdam::templates::{Layered, built_in, nearest_built_in};

use super::{Ended, output};

#[derive(Debug, Clone, Args)]
pub(super) struct TemplatesArguments {
    #[command(subcommand)]
    what: TemplatesCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum TemplatesCommand {
    /// Lists every template, and where it comes from
    List(PlaceArguments),
    /// Copies built-in templates to a folder of yours, to be changed there
    Eject(EjectArguments),
    /// Renders every template for every system, and tells what is wrong. Writes nothing
    Lint(PlaceArguments),
    /// Shows what your templates change of the built-in ones
    Diff(NamedArguments),
    /// Merges what changed in the built-in templates into yours
    Upgrade(NamedArguments),
    /// Prints what templates see, as JSON Schema
    Context(ContextArguments),
}

#[derive(Debug, Clone, Args)]
struct PlaceArguments {
    /// The project file
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml")]
    project: PathBuf,
    /// The templates of this system, its own folders before the project's
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
}

#[derive(Debug, Clone, Args)]
struct NamedArguments {
    #[command(flatten)]
    place: PlaceArguments,
    /// Only these templates
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

#[derive(Debug, Clone, Args)]
struct EjectArguments {
    #[command(flatten)]
    place: PlaceArguments,
    /// The templates, as `cofferdam templates list` names them
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// The folder; without it the first that the project file names
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
struct ContextArguments {
    /// A template, or `project`, `system`, `tag`, `operation`, `schema` for outputs of your own; without it all of them
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub(super) fn run(arguments: &TemplatesArguments) -> Ended {
    let ended = match &arguments.what {
        TemplatesCommand::List(arguments) => list::run(arguments),
        TemplatesCommand::Eject(arguments) => eject::run(arguments),
        TemplatesCommand::Lint(arguments) => lint::run(arguments),
        TemplatesCommand::Diff(arguments) => diff::run(arguments),
        TemplatesCommand::Upgrade(arguments) => upgrade::run(arguments),
        TemplatesCommand::Context(arguments) => context::run(arguments),
    };
    ended.unwrap_or_else(|ended| ended)
}

impl PlaceArguments {
    /// What the project file says of templates: of a system, or of the project as a whole.
    fn settings(&self) -> Result<TemplateSettings, Ended> {
        let mut report = Report::default();
        let project = Project::load(&self.project, &mut report);
        output::tell(&report.located(&Sources::default()));
        let Some(project) = project else { return Err(Ended::Faults) };
        let Some(name) = &self.system else { return Ok(project.templates) };
        let system = project.systems.into_iter().find(|system| system.name == *name);
        system.map(|system| system.templates).ok_or_else(|| {
            output::say(&format!("error: {} has no system `{name}`", self.project.display()));
            Ended::Usage
        })
    }

    /// The templates in the folders, with what there is to say of them.
    fn layered(&self) -> Result<Layered, Ended> {
        let settings = self.settings()?;
        let (mut sources, mut report) = (Sources::default(), Report::default());
        let layered = Layered::read(&settings.folders, &mut sources, &mut report);
        output::tell(&report.located(&sources));
        if report.has_errors() { Err(Ended::Faults) } else { Ok(layered) }
    }
}

impl NamedArguments {
    /// The overrides that are asked for: those of these names, or all.
    fn chosen(&self, layered: &Layered) -> Result<Vec<String>, Ended> {
        let overrides = layered.files().map(|(name, _)| name).filter(|name| built_in(name).is_some());
        if self.names.is_empty() {
            return Ok(overrides.map(str::to_owned).collect());
        }
        all_known(&self.names)?;
        let missing: Vec<&String> = self.names.iter().filter(|name| layered.file(name).is_none()).collect();
        for name in &missing {
            output::say(&format!(
                "error: `{name}` is not overridden; `cofferdam templates eject {name}` begins with that"
            ));
        }
        if missing.is_empty() { Ok(self.names.clone()) } else { Err(Ended::Faults) }
    }
}

/// Whether all names are those of built-in templates; others are told.
fn all_known(names: &[String]) -> Result<(), Ended> {
    let unknown: Vec<&String> = names.iter().filter(|name| built_in(name).is_none()).collect();
    for name in &unknown {
        let help = match nearest_built_in(name) {
            Some(near) => format!("`{near}` is meant?"),
            None => "`cofferdam templates list` prints them all".to_owned(),
        };
        output::say(&format!("error: there is no built-in template `{name}`; {help}"));
    }
    if unknown.is_empty() { Ok(()) } else { Err(Ended::Faults) }
}
