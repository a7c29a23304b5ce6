//! `cofferdam settings`: run-time settings, as a file and as they hold.

mod import;
mod show;

use clap::{Args, Subcommand};

use super::Ended;

#[derive(Debug, Clone, Args)]
pub(super) struct SettingsArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Makes `resilience.yaml` from the configuration of a Spring service with Resilience4j
    Import(import::ImportArguments),
    /// Shows what holds for a system, or one of its operations, and where each value comes from
    Show(show::ShowArguments),
}

pub(super) fn run(arguments: &SettingsArguments) -> Ended {
    match &arguments.what {
        What::Import(arguments) => import::run(arguments),
        What::Show(arguments) => show::run(arguments),
    }
}
