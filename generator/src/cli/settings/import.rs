//! `cofferdam settings import`: from `application.yml` to `resilience.yaml`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::project::Profile;
use cofferdam::spring::{ImportOptions, import};
use cofferdam::write::write_if_changed;

use crate::cli::{Ended, output};

#[derive(Debug, Clone, Args)]
pub(super) struct ImportArguments {
    /// `application.yml`, `application.properties`; what a later file says goes before an earlier one
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write, instead of printing it; one that is there is left alone
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    force: bool,
    /// Presets that the systems start from
    #[arg(long, value_enum, default_value_t = Presets::External)]
    profile: Presets,
    /// Take the documents of this profile of Spring too
    #[arg(long, value_name = "NAME")]
    spring_profile: Vec<String>,
    /// Where clients stand besides `client`, `clients` and `integration.clients`
    #[arg(long, value_name = "PREFIX")]
    clients: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Presets {
    /// Systems of others, over the internet
    External,
    /// A supplier whose answers people wait for
    Supplier,
    /// Services of one's own
    Internal,
}

pub(super) fn run(arguments: &ImportArguments) -> Ended {
    let mut files = Vec::new();
    for file in &arguments.files {
        match std::fs::read_to_string(file) {
            Ok(text) => files.push((file.display().to_string(), text)),
            Err(error) => {
                output::say(&format!("error: cannot read {}: {error}", file.display()));
                return Ended::Faults;
            }
        }
    }
    let options = ImportOptions {
        profile: match arguments.profile {
            Presets::External => Profile::External,
            Presets::Supplier => Profile::Supplier,
            Presets::Internal => Profile::Internal,
        },
        spring_profiles: arguments.spring_profile.clone(),
        clients: arguments.clients.clone(),
    };
    let mut report = Report::default();
    let imported = import(&files, &options, &mut report);
    output::tell(&report.located(&Sources::default()));
    let Some(imported) = imported else { return Ended::Faults };
    let Some(out) = &arguments.out else {
        output::text(&imported.text);
        return Ended::Well;
    };
    if let Err(message) = write(out, &imported.text, arguments.force) {
        output::say(&format!("error: {message}"));
        return Ended::Faults;
    }
    output::line(&format!("written {}: {}", out.display(), imported.systems.join(", ")));
    match imported.reasons_missing {
        0 => {}
        1 => output::line("1 reason is to be filled in before the settings are accepted"),
        more => output::line(&format!("{more} reasons are to be filled in before the settings are accepted")),
    }
    Ended::Well
}

/// Writes a file that is not there yet, or replaces it when that is asked for.
fn write(file: &Path, text: &str, force: bool) -> Result<(), String> {
    if force {
        return write_if_changed(file, text).map(|_| ()).map_err(|error| error.to_string());
    }
    let created = OpenOptions::new().write(true).create_new(true).open(file);
    let written = created.and_then(|mut created| created.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => format!("{} is there already; `--force` replaces it", file.display()),
        _ => format!("cannot write {}: {error}", file.display()),
    })
}
