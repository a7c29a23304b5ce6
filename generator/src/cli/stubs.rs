//! `cofferdam stubs`: what the mappers do not map yet.

use cofferdam::output::missing_stubs;
use cofferdam::stubs::{Existing, Placement, unmapped};

use super::arguments::StubsArguments;
use super::inputs::{Inputs, SystemRun};
use super::{Ended, output};

pub(super) fn run(arguments: &StubsArguments) -> Ended {
    let only: Vec<String> = arguments.system.iter().cloned().collect();
    let inputs = match Inputs::project(&arguments.project, &only) {
        Ok(inputs) => inputs,
        Err(ended) => return ended,
    };
    let mut runs = inputs.plan();
    if output::tell(&inputs.diagnostics(&runs)) {
        return Ended::Faults;
    }
    let placement = if arguments.write.is_some() { Placement::OwnFile } else { Placement::Paste };
    let mut texts = Vec::new();
    for run in &mut runs {
        match of(run, placement) {
            Ok(Some(text)) => texts.push(text),
            Ok(None) => output::say(&format!("{}: everything is mapped", run.system.name)),
            Err(message) => {
                output::say(&format!("error: {message}"));
                return Ended::Faults;
            }
        }
    }
    match &arguments.write {
        Some(file) if !texts.is_empty() => write(file, &texts.concat()),
        _ => {
            output::text(&texts.join("\n"));
            Ended::Well
        }
    }
}

/// The stubs of what is missing in a system; `None` when nothing is.
fn of(run: &mut SystemRun, placement: Placement) -> Result<Option<String>, String> {
    let Some(planned) = &run.planned else { return Ok(None) };
    let existing = Existing::read(&run.system.out, |path| path.ends_with("generated"))
        .map_err(|error| format!("{}: {error}", run.system.out.display()))?;
    if let Some((path, error)) = existing.unreadable.first() {
        // Stubs for what may well be there would be worse than none.
        return Err(format!("{} is no Rust that could be read: {error}", path.display()));
    }
    if unmapped(&planned.plan, &existing).is_empty() {
        return Ok(None);
    }
    match missing_stubs(planned, &existing, placement, &mut run.report) {
        Some(text) => Ok(Some(text)),
        None => {
            output::tell(&run.report.located(&run.sources));
            Err(format!("{}: no stubs could be made", run.system.name))
        }
    }
}

/// Writes a new file; one that is there is never touched.
fn write(file: &std::path::Path, text: &str) -> Ended {
    use std::io::Write as _;
    let written = std::fs::File::options()
        .write(true)
        .create_new(true)
        .open(file)
        .and_then(|mut opened| opened.write_all(text.as_bytes()));
    match written {
        Ok(()) => {
            output::line(&format!("created {}", file.display()));
            Ended::Well
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            output::say(&format!("error: {} is there already: name a new file", file.display()));
            Ended::Faults
        }
        Err(error) => {
            output::say(&format!("error: cannot write {}: {error}", file.display()));
            Ended::Faults
        }
    }
}
