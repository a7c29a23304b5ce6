//! Loading: the text of a document becomes a value. Positions cost nothing here; see [`locate`](crate::diagnose::locate).

mod before;
mod faults;
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
}

/// Every file read in a run: the root document first, then its overlays and the parts it refers to.
#[derive(Debug, Default)]
pub struct Sources {
    /// The files; [`Origin::file`] is an index into them.
    pub files: Vec<SourceFile>,
    /// What overlays changed in the root document.
    pub patches: Patches,
}

impl Sources {
    /// Reads the root document. Faults go to the report.
    pub fn open_root(path: &Path, report: &mut Report) -> Option<Self> {
        let display = path.display().to_string();
        let text = read_text(path, &display, report)?;
        let value = document(&text, path, &display, report)?;
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Some(Self { files: vec![SourceFile { path, display, value }], patches: Patches::default() })
    }

    /// Reads an overlay of the root document and gives its index. Faults go to the report.
    pub(crate) fn open_overlay(&mut self, path: &Path, report: &mut Report) -> Option<usize> {
        let display = path.display().to_string();
        let text = read_text(path, &display, report)?;
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Some(known) = self.files.iter().position(|file| file.path == path) {
            return Some(known);
        }
        let value = document(&text, &path, &display, report)?;
        self.files.push(SourceFile { path, display, value });
        Some(self.files.len() - 1)
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
        let path = joined.canonicalize().unwrap_or(joined);
        if let Some(known) = self.files.iter().position(|file| file.path == path) {
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
        self.files.push(SourceFile { path, display, value });
        Some(self.files.len() - 1)
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
