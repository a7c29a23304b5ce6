//! Loading: the text of a document becomes a value. Positions cost nothing here; see [`locate`](crate::diagnose::locate).

mod before;
mod faults;
mod opened;
mod parse;
mod patches;
mod path;
mod read;
mod reference;
mod value;
mod version;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub use version::{OpenApiVersion, openapi_version};

pub use opened::Opened;
pub use patches::Patches;
pub(crate) use patches::{Found, Written, pointer, tokens};

use crate::diagnose::{Location, Report, Severity};
use crate::model::Origin;

/// One file that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path, as it can be opened: canonical, so that a file reached in two ways is read once.
    pub path: PathBuf,
    /// Its path as messages show it.
    pub display: String,
    /// Its value; mappings keep the document's order.
    pub value: Value,
    /// The hash of its text.
    hash: String,
}

/// Every file read in a run: the root document first, then its overlays and the parts it refers to.
#[derive(Debug, Default)]
pub struct Sources {
    /// The files; [`Origin::file`] is an index into them.
    pub files: Vec<SourceFile>,
    /// What overlays changed in the root document.
    pub patches: Patches,
    /// Each way in which a file was asked for, and what it held then.
    pub opened: Vec<Opened>,
}

impl Sources {
    /// Reads the root document. Faults go to the report.
    pub fn open_root(path: &Path, report: &mut Report) -> Option<Self> {
        let display = path.display().to_string();
        let text = read_text(path, &display, report)?;
        let value = document(&text, path, &display, report)?;
        let mut sources = Self::default();
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        sources.take(path, SourceFile { path: real, display, value, hash: opened::hash(&text) });
        Some(sources)
    }

    /// Lets go of the values of all files. Who asks for examples, or plans again, needs them; nobody else does.
    pub fn release(&mut self) {
        for file in &mut self.files {
            file.value = Value::Null;
        }
    }

    /// Takes in a file that was asked for by a path, and gives its index.
    fn take(&mut self, asked: &Path, file: SourceFile) -> usize {
        self.opened.push(Opened::new(asked, &file.path, &file.hash));
        self.files.push(file);
        self.files.len() - 1
    }

    /// The index of a file that is there already, by its real path.
    fn known(&mut self, asked: &Path, real: &Path) -> Option<usize> {
        let known = self.files.iter().position(|file| file.path == real)?;
        let opened = Opened::new(asked, real, &self.files.get(known)?.hash);
        if !self.opened.contains(&opened) {
            self.opened.push(opened);
        }
        Some(known)
    }

    /// Reads an overlay of the root document and gives its index. Faults go to the report.
    pub(crate) fn open_overlay(&mut self, path: &Path, report: &mut Report) -> Option<usize> {
        let display = path.display().to_string();
        let text = read_text(path, &display, report)?;
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Some(known) = self.known(path, &real) {
            return Some(known);
        }
        let value = document(&text, &real, &display, report)?;
        Some(self.take(path, SourceFile { path: real, display, value, hash: opened::hash(&text) }))
    }

    /// Reads a template: a text that is no document. An empty one is a text too. Faults go to the report.
    pub(crate) fn read_template(&mut self, path: &Path, report: &mut Report) -> Option<String> {
        let display = path.display().to_string();
        let text = match read::whole(path) {
            Ok(text) => text,
            Err(_) => return read_text(path, &display, report),
        };
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.opened.push(Opened::new(path, &real, &opened::hash(&text)));
        Some(text)
    }

    /// Where a place of a file is written, and what was taken from it: overlays change the root document.
    pub(crate) fn find(&self, origin: &Origin) -> Found {
        if origin.file == 0 { self.patches.find(&origin.pointer) } else { Found::default() }
    }

    /// Reads a file that `from` refers to by a relative path (each file once, by canonical path) and gives its index.
    /// A missing or unreadable file is an error at `at`, the place of the reference.
    pub fn open_part(&mut self, from: usize, relative: &str, at: &Origin, report: &mut Report) -> Option<usize> {
        let relative = match reference::relative_path(relative) {
            Ok(relative) => relative,
            Err(refused) => {
                report.error(refused.code, at.clone(), refused.message, refused.help);
                return None;
            }
        };
        let referring = self.files.get(from)?;
        let joined = referring.path.parent().unwrap_or(Path::new("")).join(&relative);
        let shown = Path::new(&referring.display).parent().unwrap_or(Path::new("")).join(&relative);
        let display = reference::tidy(&shown).display().to_string();
        let path = joined.canonicalize().unwrap_or_else(|_| joined.clone());
        if let Some(known) = self.known(&joined, &path) {
            return Some(known);
        }
        let text = match read::text(&path) {
            Ok(text) => text,
            Err(fault) => {
                let place = fault.at.map(|at| format!(" (line {}, column {})", at.line, at.col)).unwrap_or_default();
                let message = format!("cannot read `{display}`: {}{place}", fault.message);
                report.error("CD-REF-FILE", at.clone(), message, fault.help);
                return None;
            }
        };
        let value = document(&text, &path, &display, report)?;
        Some(self.take(&joined, SourceFile { path, display, value, hash: opened::hash(&text) }))
    }
}

/// Reads a file that messages show as `display`; a fault goes to the report, at the file itself.
pub(crate) fn read_text(path: &Path, display: &str, report: &mut Report) -> Option<String> {
    match read::text(path) {
        Ok(text) => Some(text),
        Err(fault) => {
            let place = match fault.at {
                Some(at) => Location::at(display, at),
                None => Location::file(display),
            };
            report.at(Severity::Error, fault.code, place, fault.message, fault.help);
            None
        }
    }
}

/// Parses a text; faults are reported at their places in the file.
fn document(text: &str, path: &Path, display: &str, report: &mut Report) -> Option<Value> {
    let faults = match parse::parse(text, path) {
        Ok(value) => return Some(value),
        Err(faults) => faults,
    };
    for fault in faults {
        let place = match fault.at {
            Some(at) => Location::at(display, at),
            None => Location::file(display),
        };
        report.at(Severity::Error, fault.code, place.named(fault.pointer), fault.message, fault.help);
    }
    None
}
