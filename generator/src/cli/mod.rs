//! The command: the only place that prints.
//!
//! Exit codes: 0 all well, 1 faults were found (nothing was written), 2 the command line makes no sense.

mod arguments;
mod check;
mod dashboards;
mod diff;
mod examples;
mod explain;
mod generate;
mod init;
mod inputs;
mod look;
mod output;
mod plan;
mod progress;
mod rules;
mod settings;
mod shell;
mod stubs;
mod templates;

use std::process::ExitCode;

use clap::Parser as _;

use self::arguments::{Arguments, Command};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// All well.
    Well,
    /// Something is wrong with the inputs or the outputs; it has been told.
    Faults,
    /// The command line makes no sense; it has been told.
    Usage,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Well => Self::SUCCESS,
            Ended::Faults => Self::from(1),
            Ended::Usage => Self::from(2),
        }
    }
}

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    output::set(arguments.look.apply());
    let ended = match arguments.command {
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Stubs(arguments) => stubs::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Dashboards(arguments) => dashboards::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Man(arguments) => shell::man(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Templates(arguments) => templates::run(&arguments),
        Command::Settings(arguments) => settings::run(&arguments),
    };
    output::finish();
    ended.into()
}
