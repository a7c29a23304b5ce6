//! How everything looks that a command prints: options of every command.

use clap::{Args, ValueEnum};

#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Messages")]
pub(super) struct LookArguments {
    /// The form of messages, on standard error
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Text)]
    message_format: MessageFormat,
    /// Whether messages are coloured; `auto` heeds NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    color: Colour,
    /// Tells errors and warnings, and nothing about what was done
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Shows the lines that notes are about, the files that were read, and what took how long
    #[arg(long, short, global = true)]
    verbose: bool,
}

/// The form of messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum MessageFormat {
    /// Text for people
    #[default]
    Text,
    /// One JSON object a line
    Json,
    /// SARIF 2.1.0, for code review
    Sarif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// Where standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What holds for this run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// The form of messages.
    pub(super) format: MessageFormat,
    /// Nothing but errors and warnings.
    pub(super) quiet: bool,
    /// More than usual.
    pub(super) verbose: bool,
}

impl LookArguments {
    /// Decides for the whole process.
    pub(super) fn apply(self) -> Look {
        let choice = match self.color {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        Look { format: self.message_format, quiet: self.quiet, verbose: self.verbose }
    }
}
