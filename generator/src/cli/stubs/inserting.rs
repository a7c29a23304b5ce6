//! Stubs at the places that a team marked.

use std::path::{Path, PathBuf};

use cofferdam::output::{MissingParts, missing_parts};
use cofferdam::stubs::{Existing, MAPPINGS_MARK, TYPES_MARK, insert, marks, missing_imports};
use cofferdam::write::write_if_changed;

use crate::cli::inputs::SystemRun;
use crate::cli::output;

/// Puts what is missing before the marks. Gives the files that were added to.
pub(super) fn run(run: &mut SystemRun, existing: &Existing) -> Result<Vec<PathBuf>, String> {
    let Some(planned) = &run.planned else { return Ok(Vec::new()) };
    let Some(parts) = missing_parts(planned, existing, &mut run.report) else {
        output::tell(&run.report.located(&run.sources));
        return Err(format!("{}: no stubs could be made", run.system.name));
    };
    let MissingParts { imports, types, mappings } = parts;
    let out = &run.system.out;
    let mapper = marked(existing, out, MAPPINGS_MARK)?;
    let mut edits = vec![(mapper, MAPPINGS_MARK, mappings)];
    if !types.is_empty() {
        edits.push((marked(existing, out, TYPES_MARK)?, TYPES_MARK, types));
    }
    let mut texts: Vec<(PathBuf, String)> = Vec::new();
    for (file, mark, addition) in edits {
        let known = texts.iter().position(|(other, _)| *other == file);
        let text = match known.and_then(|at| texts.get(at)) {
            Some((_, text)) => text.clone(),
            None => read(&file)?,
        };
        let addition = match mark {
            MAPPINGS_MARK => with_imports(&imports, &text, depth(out, &file), &addition),
            _ => addition,
        };
        let Some(text) = insert(&text, mark, &addition) else { continue };
        match known.and_then(|at| texts.get_mut(at)) {
            Some(entry) => entry.1 = text,
            None => texts.push((file, text)),
        }
    }
    for (file, text) in &texts {
        write_if_changed(file, text).map_err(|error| error.to_string())?;
    }
    Ok(texts.into_iter().map(|(file, _)| file).collect())
}

fn with_imports(imports: &[String], text: &str, depth: usize, addition: &str) -> String {
    let missing = missing_imports(imports, text, depth);
    if missing.is_empty() { addition.to_owned() } else { format!("{}\n\n{addition}", missing.join("\n")) }
}

/// The one file that has a mark.
fn marked(existing: &Existing, out: &Path, mark: &str) -> Result<PathBuf, String> {
    let mut found = Vec::new();
    for file in &existing.files {
        found.extend(std::iter::repeat_n(file, marks(&read(file)?, mark)));
    }
    match found.as_slice() {
        // What stubs name is seen from a module beside the generated ones.
        [file] if **file == out.join("mod.rs") => Err(format!(
            "the line `{mark}` stands in {}: put it into the mapper, or a module beside it",
            file.display()
        )),
        [file] => Ok((*file).clone()),
        [] => {
            Err(format!("put the line `{mark}` into a Rust file below {}, where these stubs are to go", out.display()))
        }
        [first, second, ..] => {
            Err(format!("the line `{mark}` stands in {} and again in {}: keep one", first.display(), second.display()))
        }
    }
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// How many modules a file stands below those beside the system's root.
fn depth(out: &Path, file: &Path) -> usize {
    let below = file.strip_prefix(out).unwrap_or(file);
    let folders = below.components().count().saturating_sub(1);
    // `mapper/mod.rs` is the module of its folder.
    if below.file_name().is_some_and(|name| name == "mod.rs") { folders.saturating_sub(1) } else { folders }
}
