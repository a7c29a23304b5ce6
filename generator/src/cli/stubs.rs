//! `cofferdam stubs`: what the mappers do not map yet.

mod inserting;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cofferdam::Planned;
use cofferdam::diagnose::Location;
use cofferdam::output::missing_stubs;
use cofferdam::stubs::{Existing, Placement, mappable, unmapped, unneeded};

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
    let wish = match &arguments.write {
        Some(_) => Wish::OwnFile,
        None if arguments.insert => Wish::Marked,
        None => Wish::Print,
    };
    let mut texts = Vec::new();
    for run in &mut runs {
        match of(run, wish) {
            Ok(text) => texts.extend(text),
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

/// What is to be done with stubs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// They are printed.
    Print,
    /// They become a file.
    OwnFile,
    /// They go to the places that are marked.
    Marked,
}

/// The stubs of what is missing in a system; `None` when nothing is, or they were put where they belong. What stands in
/// the way has been told.
fn of(run: &mut SystemRun, wish: Wish) -> Result<Option<String>, ()> {
    let Some(planned) = &run.planned else { return Ok(None) };
    let name = run.system.name.clone();
    let existing = Existing::read(&run.system.out, |path| path.ends_with("generated"))
        .map_err(|error| unreadable(&run.system.out, format!("the folder cannot be read: {error}")))?;
    if let Some((path, error)) = existing.unreadable.first() {
        // Stubs for what may well be there would be worse than none.
        unreadable(path, format!("this is no Rust that could be read: {error}"));
        return Err(());
    }
    let refused = |message: String| output::fault("CD-COMMAND", None, message, "");
    tell_unneeded(&name, planned, &existing).map_err(refused)?;
    let missing = unmapped(&planned.plan, &existing).len();
    if missing == 0 {
        output::say(&format!("{name}: everything is mapped"));
        return Ok(None);
    }
    if wish == Wish::Marked {
        for file in inserting::run(run, &existing).map_err(refused)? {
            output::line(&format!("added to {}", file.display()));
        }
        return Ok(None);
    }
    let placement = if wish == Wish::OwnFile { Placement::OwnFile } else { Placement::Paste };
    match missing_stubs(planned, &existing, placement, &mut run.report) {
        Some(text) => Ok(Some(text)),
        None => {
            output::tell(&run.report.located(&run.sources));
            Err(())
        }
    }
}

fn unreadable(path: &Path, message: String) {
    let place = Location::file(path.display().to_string());
    output::fault("CD-STUB-UNREADABLE", Some(place), message, "mend it first: nobody knows what it maps");
}

/// Lists what was written for operations that are gone.
fn tell_unneeded(name: &str, planned: &Planned, existing: &Existing) -> Result<(), String> {
    let read = |file: &PathBuf| match std::fs::read_to_string(file) {
        Ok(text) => Ok((file.clone(), text)),
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    };
    let files = existing.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let markers: BTreeSet<String> = mappable(&planned.plan).into_iter().flat_map(|one| one.markers).collect();
    for one in unneeded(&files, &markers) {
        output::say(&format!("{name}: `{}` in {} is not needed any more", one.name, one.file.display()));
    }
    Ok(())
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
            output::line(&format!("created {}", file.display()));
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
