//! `cofferdam stubs`: what the mappers do not map yet.

use std::path::Path;

use cofferdam::diagnose::Location;
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
            Err(()) => return Ended::Faults,
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

/// The stubs of what is missing in a system; `None` when nothing is. What stands in the way has been told.
fn of(run: &mut SystemRun, placement: Placement) -> Result<Option<String>, ()> {
    let Some(planned) = &run.planned else { return Ok(None) };
    let unreadable = |path: &Path, message: String| {
        let place = Location::file(path.display().to_string());
        output::fault("CD-STUB-UNREADABLE", Some(place), message, "mend it first: nobody knows what it maps");
    };
    let folder = &run.system.out;
    let existing = Existing::read(folder, |path| path.ends_with("generated"))
        .map_err(|error| unreadable(folder, format!("the folder cannot be read: {error}")))?;
    if let Some((path, error)) = existing.unreadable.first() {
        // Stubs for what may well be there would be worse than none.
        unreadable(path, format!("this is no Rust that could be read: {error}"));
        return Err(());
    }
    if unmapped(&planned.plan, &existing).is_empty() {
        return Ok(None);
    }
    match missing_stubs(&planned.plan, &existing, placement, &mut run.report) {
        Some(text) => Ok(Some(text)),
        None => {
            output::tell(&run.report.located(&run.sources));
            Err(())
        }
    }
}

/// Writes a new file; one that is there is never touched.
fn write(file: &Path, text: &str) -> Ended {
    use std::io::Write as _;
    let written = std::fs::File::options()
        .write(true)
        .create_new(true)
        .open(file)
        .and_then(|mut opened| opened.write_all(text.as_bytes()));
    match written {
        Ok(()) => {
            output::news(&format!("created {}", file.display()));
            Ended::Well
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let place = Location::file(file.display().to_string());
            output::fault("CD-STUB-EXISTS", Some(place), "this file is there already", "name a new file");
            Ended::Faults
        }
        Err(error) => {
            output::fault("CD-WRITE", None, format!("cannot write {}: {error}", file.display()), "");
            Ended::Faults
        }
    }
}
