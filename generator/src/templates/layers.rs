//! The files of a team's folders: for each name the first folder that has it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{OWN, POINTS, Stamp, built_in};
use crate::diagnose::{Location, Report, Severity, nearest};
use crate::load::Sources;
use crate::project::{Declared, TemplateSettings};
use crate::render::templates::BUILT_IN;
use crate::view::VIEW_VERSION;

/// How deep folders of templates may be.
const MAX_DEPTH: usize = 16;

/// A template in a team's folder.
#[derive(Debug, Clone)]
pub struct TemplateFile {
    /// Its path, as it can be opened.
    pub path: PathBuf,
    /// Its path, as messages show it.
    pub display: String,
    /// What it was ejected from, if it says so.
    pub stamp: Option<Stamp>,
    /// What is rendered: its text without the stamp. What stands in an insertion point begins on a line of its own.
    pub text: String,
    /// Whether it stands in an insertion point, so that a line end was put in front.
    is_point: bool,
    /// How many more lines the file has before a place than the text.
    shift: isize,
    /// Files of the same name in later folders.
    pub hides: Vec<PathBuf>,
}

impl TemplateFile {
    fn new(name: &str, path: &Path, whole: &str) -> Self {
        let whole = whole.replace("\r\n", "\n");
        let (stamp, rest) = Stamp::split(&whole);
        let mut shift = isize::from(stamp.is_some());
        let mut text = rest.to_owned();
        let is_point = name.starts_with(POINTS);
        if is_point {
            text.insert(0, '\n');
            shift -= 1;
        }
        let display = path.display().to_string();
        Self { path: path.to_owned(), display, stamp, text, is_point, shift, hides: Vec::new() }
    }

    /// Its text as it stands in the file, without the stamp.
    #[must_use]
    pub fn own(&self) -> &str {
        self.text.strip_prefix('\n').filter(|_| self.is_point).unwrap_or(&self.text)
    }

    /// The place in the file of a line of its text.
    #[must_use]
    pub fn place(&self, line: usize, col: usize) -> Location {
        let line = line.saturating_add_signed(self.shift).max(1);
        Location { file: self.display.clone(), line, col: col.max(1), pointer: String::new() }
    }
}

/// The templates of a team by name.
#[derive(Debug, Clone, Default)]
pub struct Layered {
    files: BTreeMap<String, TemplateFile>,
}

impl Layered {
    /// Reads folders: the first that has a template wins. Every fault goes to the report.
    pub fn read(folders: &[Declared<PathBuf>], sources: &mut Sources, report: &mut Report) -> Self {
        let mut layered = Self::default();
        for folder in folders {
            let mut found = Vec::new();
            if let Err((path, error)) = walk(&folder.value, "", 0, &mut found) {
                let message = format!("cannot read {}: {error}", path.display());
                report.at(Severity::Error, "CD-TEMPLATE-FILE", folder.at.clone(), message, "");
            }
            found.sort();
            for (name, path) in found {
                layered.take(name, &path, sources, report);
            }
        }
        layered
    }

    fn take(&mut self, name: String, path: &Path, sources: &mut Sources, report: &mut Report) {
        match place_of(&name) {
            Place::Known => {}
            Place::Other => return,
            Place::Unknown => {
                let help = match nearest_built_in(&name) {
                    Some(near) => format!("`{near}` is meant? Templates for outputs of your own stand in `{OWN}`"),
                    None => format!(
                        "`cofferdam templates list` shows what can be overridden; templates for outputs of your own stand in `{OWN}`"
                    ),
                };
                let at = Location::file(path.display().to_string());
                let message = format!("there is no built-in template `{name}` that this file could override");
                report.at(Severity::Error, "CD-TEMPLATE-NAME", at, message, help);
                return;
            }
        }
        if let Some(first) = self.files.get_mut(&name) {
            first.hides.push(path.to_owned());
            return;
        }
        let Some(text) = sources.read_template(path, report) else { return };
        let file = TemplateFile::new(&name, path, &text);
        if let Some(line) = conflict_marker(&file.text) {
            let help = "choose between both sides, and remove the marks";
            let message = "the file holds the mark of a conflict that is not resolved";
            report.at(Severity::Error, "CD-TEMPLATE-SYNTAX", file.place(line, 1), message, help);
        }
        self.files.insert(name, file);
    }

    /// The file of a name, if the team has one.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&TemplateFile> {
        self.files.get(name)
    }

    /// The files by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &TemplateFile)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// The text of a template: the team's, or the built-in one.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(|file| file.text.as_str()).or_else(|| built_in(name))
    }

    /// Every name that a template can be included by.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.files.keys().map(String::as_str).filter(|name| built_in(name).is_none());
        BUILT_IN.iter().map(|(name, _)| *name).chain(own)
    }

    /// The file of a template as a whole, for messages.
    #[must_use]
    pub fn location(&self, name: &str) -> Location {
        match self.files.get(name) {
            Some(file) => Location::file(&file.display),
            None => Location::file(format!("{name} (built in)")),
        }
    }

    /// The place of a line of a template's text.
    #[must_use]
    pub fn place(&self, name: &str, line: usize, col: usize) -> Location {
        match self.files.get(name) {
            Some(file) => file.place(line, col),
            None => Location { line, col: col.max(1), ..self.location(name) },
        }
    }

    /// Tells of templates whose built-in one is no longer what they were made from.
    pub fn tell_changed(&self, report: &mut Report) {
        for (name, file) in &self.files {
            let (Some(stamp), Some(current)) = (&file.stamp, built_in(name)) else { continue };
            let at = Location { file: file.display.clone(), line: 1, col: 1, pointer: String::new() };
            if stamp.name != *name {
                let message = format!("this was ejected from `{}`, and stands in the place of `{name}`", stamp.name);
                report.at(
                    Severity::Warning,
                    "CD-TEMPLATE-STALE",
                    at,
                    message,
                    "rename the file, or remove its first line",
                );
            } else if stamp.hash != crate::write::digest(current) {
                let message =
                    format!("the built-in template has changed since this was ejected (version {})", stamp.version);
                let help = format!(
                    "`cofferdam templates diff {name}` shows how, `cofferdam templates upgrade {name}` merges it"
                );
                report.at(Severity::Warning, "CD-TEMPLATE-STALE", at, message, help);
            } else if stamp.view != VIEW_VERSION {
                let message =
                    format!("this was made for version {} of the views, which is {VIEW_VERSION} now", stamp.view);
                let help = format!("docs/templates.md lists what changed; then `cofferdam templates upgrade {name}`");
                report.at(Severity::Warning, "CD-TEMPLATE-STALE", at, message, help);
            }
        }
    }
}

enum Place {
    /// A built-in template has this name, or it is the team's own.
    Known,
    /// No template.
    Other,
    /// It looks like an override, and overrides nothing.
    Unknown,
}

fn place_of(name: &str) -> Place {
    let is_template = name.ends_with(".jinja");
    if built_in(name).is_some() || (name.starts_with(OWN) && is_template) {
        return Place::Known;
    }
    let folder = name.split('/').next().unwrap_or_default();
    let is_ours = name.contains('/') && BUILT_IN.iter().any(|(known, _)| known.split('/').next() == Some(folder));
    if is_template || is_ours { Place::Unknown } else { Place::Other }
}

/// The built-in template that a name is nearest to.
#[must_use]
pub fn nearest_built_in(name: &str) -> Option<&'static str> {
    let names = || BUILT_IN.iter().map(|(known, _)| *known);
    let last = name.rsplit('/').next().unwrap_or(name);
    let last = last.strip_suffix(".jinja").unwrap_or(last);
    // The right file in the wrong folder is meant more often than a slip in the folder's name.
    let same =
        names().find(|known| known.rsplit('/').next().is_some_and(|file| file.trim_end_matches(".jinja") == last));
    let short = || names().find(|known| known.rsplit('/').next().and_then(|file| file.split('.').next()) == Some(last));
    same.or_else(short).or_else(|| nearest(name, names()))
}

/// The line of a mark that a merge has left.
fn conflict_marker(text: &str) -> Option<usize> {
    text.lines().position(|line| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")).map(|index| index + 1)
}

/// The paths of all files in the folders of templates: what is added or removed counts, not only what is read.
#[must_use]
pub fn listing(settings: &TemplateSettings) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in &settings.folders {
        // A folder that cannot be read is told of when it is.
        let _ = walk(&folder.value, "", 0, &mut found);
    }
    let mut paths: Vec<PathBuf> = found.into_iter().map(|(_, path)| path).collect();
    paths.sort();
    paths
}

/// The same, with the digest of each.
#[must_use]
pub fn contents(settings: &TemplateSettings) -> Vec<(PathBuf, Option<String>)> {
    listing(settings).into_iter().map(|path| (path.clone(), crate::write::digest_of_file(&path))).collect()
}

/// The files below a folder, by their path from there with `/` between names. Hidden ones are none of them.
fn walk(
    folder: &Path,
    prefix: &str,
    depth: usize,
    found: &mut Vec<(String, PathBuf)>,
) -> Result<(), (PathBuf, std::io::Error)> {
    let fault = |error| (folder.to_owned(), error);
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let (path, name) = (entry.path(), format!("{prefix}{name}"));
        if !path.is_dir() {
            found.push((name, path));
        } else if depth < MAX_DEPTH {
            walk(&path, &format!("{name}/"), depth + 1, found)?;
        }
    }
    Ok(())
}
