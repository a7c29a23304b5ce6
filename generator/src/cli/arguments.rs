//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::diff::DiffArguments;
use super::examples;
use super::explain::ExplainArguments;
use super::init::InitArguments;
use super::look::LookArguments;
use super::shell::{CompletionsArguments, ManArguments};

/// Resilient adapters from OpenAPI specs.
#[derive(Debug, Parser)]
#[command(name = "cofferdam", version, about, max_term_width = 100)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) look: LookArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Makes a system of a document: project file, settings, and a first run. Asks nothing, replaces nothing
    #[command(after_help = examples::INIT)]
    Init(InitArguments),
    /// Writes the adapters of a project, or of one document
    #[command(after_help = examples::GENERATE)]
    Generate(GenerateArguments),
    /// Shows every operation: what may be repeated and why, its layers and timeouts. Writes nothing
    #[command(after_help = examples::PLAN)]
    Plan(PlanArguments),
    /// Prints the mapper stubs of operations that nothing maps yet
    #[command(after_help = examples::STUBS)]
    Stubs(StubsArguments),
    /// Tells whether `generate` would change anything, and what is wrong else, without writing
    #[command(after_help = examples::CHECK)]
    Check(CheckArguments),
    /// Writes a Grafana dashboard and Prometheus alert rules for the systems of a project
    #[command(after_help = examples::DASHBOARDS)]
    Dashboards(DashboardsArguments),
    /// Prints the resilience rules: how each is upheld, and the tests that prove it
    #[command(after_help = examples::RULES)]
    Rules(RulesArguments),
    /// Explains the code of a message or rule: what it means, an example, what to do
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArguments),
    /// Prints the script by which a shell completes command lines
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArguments),
    /// Prints the manual page, or writes those of all commands
    #[command(after_help = examples::MAN)]
    Man(ManArguments),
    /// Tells what a new version of a document does to protection, to the generated code, and to your mapper
    #[command(after_help = examples::DIFF)]
    Diff(DiffArguments),
    /// Templates of your own: what there is, and what a built-in one has become
    #[command(after_help = examples::TEMPLATES)]
    Templates(super::templates::TemplatesArguments),
    /// Run-time settings: makes them from those of a Spring service, shows what holds
    #[command(after_help = examples::SETTINGS)]
    Settings(super::settings::SettingsArguments),
}

/// What is generated from: a project, or one document.
#[derive(Debug, Clone, Args)]
pub(super) struct SourceArguments {
    /// The project file
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml", conflicts_with = "spec")]
    pub(super) project: PathBuf,
    /// An OpenAPI document, instead of a project
    #[arg(long, value_name = "FILE", requires = "system")]
    pub(super) spec: Option<PathBuf>,
    /// Takes what of the documents cannot be honoured for an error
    #[arg(long)]
    pub(super) deny_unsupported: bool,
    /// Puts up with what is not honoured in this way, by the code of its message
    #[arg(long, value_name = "CODE")]
    pub(super) allow_unsupported: Vec<String>,
    /// Only these systems; with `--spec` the name of the one
    #[arg(long, value_name = "NAME")]
    pub(super) system: Vec<String>,
}

#[derive(Debug, Clone, Args)]
pub(super) struct OutputArguments {
    #[command(flatten)]
    pub(super) source: SourceArguments,
    /// With `--spec`: the folder to write to
    #[arg(long, value_name = "DIR", requires = "spec")]
    pub(super) out: Option<PathBuf>,
    /// With `--spec`: write a crate of its own
    #[arg(long = "crate", requires = "spec")]
    pub(super) as_crate: bool,
    /// With `--crate`: the runtime's folder, instead of its published version
    #[arg(long, value_name = "PATH", requires = "as_crate")]
    pub(super) runtime_path: Option<PathBuf>,
    /// With `--crate`: each tag of the document becomes a feature that its operations need
    #[arg(long, requires = "as_crate", conflicts_with = "with_stubs")]
    pub(super) tag_features: bool,
    /// With `--spec`: create the hand-written files too, where they are absent
    #[arg(long, requires = "spec")]
    pub(super) with_stubs: bool,
    /// With `--spec`: a folder of templates of your own; several are looked through in their order
    #[arg(long, value_name = "DIR", requires = "spec")]
    pub(super) templates: Vec<PathBuf>,
    /// Write tests: every example of the documents is read and written back, and the adapters are tried against a server
    /// that misbehaves
    #[arg(long)]
    pub(super) with_tests: bool,
}

#[derive(Debug, Clone, Args)]
pub(super) struct GenerateArguments {
    #[command(flatten)]
    pub(super) output: OutputArguments,
    /// Replace generated files that were edited by hand
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Clone, Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    pub(super) output: OutputArguments,
    /// Puts up with warnings of this code
    #[arg(long, value_name = "CODE")]
    pub(super) allow: Vec<String>,
}

#[derive(Debug, Clone, Args)]
pub(super) struct PlanArguments {
    #[command(flatten)]
    pub(super) source: SourceArguments,
    /// How to show it
    #[arg(long, value_enum, default_value_t = PlanFormat::Table)]
    pub(super) format: PlanFormat,
    /// With `--format json`: a sample of every parameter and body, from the document's examples or its schemas
    #[arg(long)]
    pub(super) samples: bool,
    /// Write it to a file instead of printing it
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// With `--format html`: the time that a caller has, such as `5s`, drawn into each worst case
    #[arg(long, value_name = "TIME", value_parser = cofferdam_runtime::settings::duration)]
    pub(super) deadline: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PlanFormat {
    /// Aligned columns for people
    Table,
    /// JSON for programs
    Json,
    /// One page for reviewers
    Html,
}

#[derive(Debug, Clone, Args)]
pub(super) struct StubsArguments {
    /// The project file
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml")]
    pub(super) project: PathBuf,
    /// Only this system
    #[arg(long, value_name = "NAME")]
    pub(super) system: Option<String>,
    /// Write them to a new file instead of printing them; needs `--system`
    #[arg(long, value_name = "FILE", requires = "system")]
    pub(super) write: Option<PathBuf>,
    /// Put them before the lines `// cofferdam: mappings` and `// cofferdam: types` in files of your own
    #[arg(long, conflicts_with = "write")]
    pub(super) insert: bool,
}

#[derive(Debug, Clone, Args)]
pub(super) struct DashboardsArguments {
    /// The project file
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml")]
    pub(super) project: PathBuf,
    /// Only these systems
    #[arg(long, value_name = "NAME")]
    pub(super) system: Vec<String>,
    /// The folder to write `cofferdam.dashboard.json` and `cofferdam.alerts.yaml` to
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub(super) struct RulesArguments {
    /// Only these rules: `R-RES-RE-X1`, or `re-x1`
    #[arg(value_name = "CODE")]
    pub(super) code: Vec<String>,
    /// How to print them
    #[arg(long, value_enum, default_value_t = RulesFormat::Text)]
    pub(super) format: RulesFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RulesFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
}
