//! `cofferdam templates upgrade`

use std::path::Path;

use cofferdam::templates::{Stamp, TemplateFile, base_path, built_in};
use cofferdam::view::VIEW_VERSION;
use cofferdam::write::{digest, write_if_changed};

use super::NamedArguments;
use crate::cli::{Ended, output};

pub(super) fn run(arguments: &NamedArguments) -> Result<Ended, Ended> {
    let layered = arguments.place.layered()?;
    let mut ended = Ended::Well;
    let mut any = false;
    for name in arguments.chosen(&layered)? {
        let (Some(file), Some(current)) = (layered.file(&name), built_in(&name)) else { continue };
        let Some(stamp) = &file.stamp else { continue };
        if stamp.hash == digest(current) && stamp.view == VIEW_VERSION {
            continue;
        }
        any = true;
        match upgrade(&name, file, stamp, current) {
            Ok(Merged::Whole) => output::line(&format!("merged {}", file.display)),
            Ok(Merged::WithConflicts) => {
                ended = Ended::Faults;
                output::say(&format!(
                    "error: {} is merged but for conflicts: look for `<<<<<<<` in it and choose",
                    file.display
                ));
            }
            Err(message) => {
                ended = Ended::Faults;
                output::say(&format!("error: {message}"));
            }
        }
    }
    if !any {
        output::line("every template is made from the built-in one of this version");
    }
    Ok(ended)
}

enum Merged {
    Whole,
    WithConflicts,
}

/// Merges what changed in a built-in template into the one that was made from it.
fn upgrade(name: &str, file: &TemplateFile, stamp: &Stamp, current: &str) -> Result<Merged, String> {
    let depth = name.split('/').count();
    let folder = file.path.ancestors().nth(depth).unwrap_or(Path::new(""));
    let base_file = base_path(folder, name);
    let base = std::fs::read_to_string(&base_file).map(|text| text.replace("\r\n", "\n"));
    let base = base.map_err(|error| {
        format!(
            "{}: {error}. It holds the text that {} was ejected from; get it back from version control, or compare \
             with `cofferdam templates diff {name}`",
            base_file.display(),
            file.display
        )
    })?;
    if digest(&base) != stamp.hash {
        let shown = base_file.display();
        return Err(format!("{shown} is not what {} was ejected from: get it back from version control", file.display));
    }
    let (merged, outcome) = match diffy::merge(&base, file.own(), current) {
        Ok(merged) => (merged, Merged::Whole),
        Err(marked) => (marked, Merged::WithConflicts),
    };
    let whole = Stamp::of(name, current).line() + &merged;
    // The base last: a run that is cut off in between is told of the next time.
    write_if_changed(&file.path, &whole).map_err(|error| error.to_string())?;
    write_if_changed(&base_file, current).map_err(|error| error.to_string())?;
    Ok(outcome)
}
