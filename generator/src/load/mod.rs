//! Loading: the text of a document becomes a value. Positions cost nothing here; see [`locate`](crate::diagnose).

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::diagnose::Report;
use crate::model::Origin;

/// One file that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path, as it can be opened.
    pub path: PathBuf,
    /// Its path as messages show it.
    pub display: String,
    /// Its value; mappings keep the document's order.
    pub value: Value,
}

/// Every file read in a run: the root document first, then the parts it refers to.
#[derive(Debug, Default)]
pub struct Sources {
    /// The files; [`Origin::file`] is an index into them.
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// Reads the root document. Faults go to the report.
    pub fn open_root(_path: &Path, _report: &mut Report) -> Option<Self> {
        None
    }

    /// Reads a file that `from` refers to by a relative path (each file once, by canonical path) and gives its index.
    /// A missing or unreadable file is an error at `at`, the place of the reference.
    pub fn open_part(&mut self, _from: usize, _relative: &str, _at: &Origin, _report: &mut Report) -> Option<usize> {
        None
    }
}
