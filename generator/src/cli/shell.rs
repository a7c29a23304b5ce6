//! What shells and `man` need to know of the command.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use super::arguments::Arguments;
use super::{Ended, output};

#[derive(Debug, Clone, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: clap_complete::Shell,
}

#[derive(Debug, Clone, Args)]
pub(super) struct ManArguments {
    /// Writes a page for every command to this folder, instead of printing that of `cofferdam`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// `cofferdam completions SHELL`: prints the script that completes command lines.
pub(super) fn completions(arguments: &CompletionsArguments) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "cofferdam", &mut script);
    output::text(&String::from_utf8_lossy(&script));
    Ended::Well
}

/// `cofferdam man`: prints the manual page, or writes those of all commands.
pub(super) fn man(arguments: &ManArguments) -> Ended {
    let written = match &arguments.out {
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Arguments::command(), folder))
            .map(|()| output::news(&format!("written to {}", folder.display()))),
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(Arguments::command()).render(&mut page);
            rendered.map(|()| output::text(&String::from_utf8_lossy(&page)))
        }
    };
    match written {
        Ok(()) => Ended::Well,
        Err(error) => {
            output::fault("CD-WRITE", None, format!("the manual cannot be written: {error}"), "");
            Ended::Faults
        }
    }
}
