//! `cofferdam templates eject`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use cofferdam::templates::{POINTS, Stamp, base_path, built_in};

use super::{EjectArguments, all_known};
use crate::cli::{Ended, output};

pub(super) fn run(arguments: &EjectArguments) -> Result<Ended, Ended> {
    all_known(&arguments.names)?;
    let folder = folder(arguments)?;
    let mut taken = false;
    for path in arguments.names.iter().map(|name| folder.join(name)).filter(|path| path.exists()) {
        taken = true;
        output::say(&format!("error: {} is there already: it is yours, and stays as it is", path.display()));
    }
    if taken {
        output::say("nothing was written");
        return Err(Ended::Faults);
    }
    for name in &arguments.names {
        let text = built_in(name).unwrap_or_default();
        // There is nothing in a point that could change.
        let stamp = if name.starts_with(POINTS) { String::new() } else { Stamp::of(name, text).line() };
        if !stamp.is_empty() {
            write(&base_path(&folder, name), text, true)?;
        }
        write(&folder.join(name), &format!("{stamp}{text}"), false)?;
        output::line(&format!("created {}", folder.join(name).display()));
    }
    if arguments.to.is_some() && !is_named(arguments, &folder) {
        let key = format!("templates = {:?}", folder.display().to_string());
        output::line(&format!(
            "`{key}` in the project file takes the folder into use (the path is relative to that file)"
        ));
    }
    Ok(Ended::Well)
}

fn folder(arguments: &EjectArguments) -> Result<PathBuf, Ended> {
    if let Some(folder) = &arguments.to {
        return Ok(folder.clone());
    }
    let settings = arguments.place.settings()?;
    settings.folders.first().map(|folder| folder.value.clone()).ok_or_else(|| {
        output::say("error: the project file names no folder of templates; say where to: `--to DIR`");
        Ended::Usage
    })
}

/// Whether the project file names a folder already.
fn is_named(arguments: &EjectArguments, folder: &Path) -> bool {
    let mut report = cofferdam::diagnose::Report::default();
    let Some(project) = cofferdam::project::Project::load(&arguments.place.project, &mut report) else { return false };
    let of_systems = project.systems.iter().map(|system| &system.templates);
    let all = of_systems.chain([&project.templates]).flat_map(|settings| &settings.folders);
    let real = folder.canonicalize().ok();
    all.map(|folder| folder.value.canonicalize().ok()).any(|named| named == real)
}

/// Writes a new file. A base that was left behind is no work of anybody, and is replaced.
fn write(path: &Path, text: &str, replace: bool) -> Result<(), Ended> {
    let write = || {
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        let mut options = std::fs::File::options();
        options.write(true).create(true).truncate(replace).create_new(!replace);
        options.open(path)?.write_all(text.as_bytes())
    };
    write().map_err(|error: std::io::Error| {
        output::say(&format!("error: cannot write {}: {error}", path.display()));
        Ended::Faults
    })
}
