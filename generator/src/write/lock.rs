//! `cofferdam.lock`: which files are ours, and the names that were given.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The name of the lock, beside the project file (or in the output folder of a run without one).
pub const LOCK_FILE: &str = "cofferdam.lock";

/// The version of the lock's own format.
const LOCK_VERSION: u32 = 1;

/// What the last run left behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The version of this format.
    pub lock_version: u32,
    /// The version of Cofferdam that wrote it.
    pub cofferdam: String,
    /// Files by path, relative to the lock.
    pub files: BTreeMap<String, LockedFile>,
    /// Names by system: the place of a schema in its document, and the type it became; an operation by its id, and the
    /// method and type it became. What comes later never takes a name from what was there before.
    #[serde(default)]
    pub names: BTreeMap<String, BTreeMap<String, String>>,
}

/// A file as the last run left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedFile {
    /// The system it belongs to.
    pub system: String,
    /// Whose it is.
    pub kind: FileKind,
    /// What made it.
    pub template: String,
    /// Hash of its text; see [`digest`]. Absent for hand-written files: theirs to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// While a run is replacing files: the hashes from before, so that a run that was cut off is not taken for an edit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previous: Vec<String>,
}

/// Whose a listed file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// Replaced on every run.
    Generated,
    /// Created once.
    HandWritten,
}

/// Why a lock could not be used.
#[derive(Debug)]
pub enum LockError {
    /// It could not be read.
    Read(PathBuf, std::io::Error),
    /// It is not what Cofferdam writes.
    Malformed(PathBuf, String),
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Malformed(path, cause) => write!(
                f,
                "{} cannot be used: {cause}. Restore it from version control, or delete it and run `cofferdam generate --force`",
                path.display()
            ),
        }
    }
}

impl std::error::Error for LockError {}

impl Default for Lock {
    fn default() -> Self {
        Self {
            lock_version: LOCK_VERSION,
            cofferdam: env!("CARGO_PKG_VERSION").to_owned(),
            files: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }
}

impl Lock {
    /// Reads the lock of a root folder; an absent one is empty.
    ///
    /// # Errors
    /// When it is there but cannot be read or understood.
    pub fn read(root: &Path) -> Result<Self, LockError> {
        let path = root.join(LOCK_FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(LockError::Read(path, error)),
        };
        let lock: Self =
            serde_json::from_str(&text).map_err(|error| LockError::Malformed(path.clone(), error.to_string()))?;
        if lock.lock_version != LOCK_VERSION {
            let cause =
                format!("its format is version {}, this is a Cofferdam of version {LOCK_VERSION}", lock.lock_version);
            return Err(LockError::Malformed(path, cause));
        }
        Ok(lock)
    }

    /// The names an earlier run gave the types of a system.
    #[must_use]
    pub fn names_of(&self, system: &str) -> BTreeMap<String, String> {
        self.names.get(system).cloned().unwrap_or_default()
    }

    /// The generated files of a system by path, with the [`digest`] of each.
    #[must_use]
    pub fn written(&self, system: &str) -> BTreeMap<String, String> {
        let own = self.files.iter().filter(|(_, file)| file.system == system && file.kind == FileKind::Generated);
        own.filter_map(|(path, file)| Some((path.clone(), file.hash.clone()?))).collect()
    }

    /// The hand-written files of a system.
    pub fn hand_written(&self, system: &str) -> impl Iterator<Item = &str> {
        let own = self.files.iter().filter(move |(_, file)| file.system == system);
        own.filter(|(_, file)| file.kind == FileKind::HandWritten).map(|(path, _)| path.as_str())
    }

    /// The text of the lock: the same lock gives the same bytes.
    #[must_use]
    pub fn text(&self) -> String {
        // Maps with text keys and plain fields always serialise.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The hash that the lock keeps of a text. Line ends do not count, so that a checkout on another system is no edit.
#[must_use]
pub fn digest(text: &str) -> String {
    let mut hasher = Sha256::new();
    // Texts that stand as they were written are the rule, and long: they are hashed in one go.
    let mut rest = text;
    while let Some(at) = rest.find('\r') {
        let (before, after) = rest.split_at(at);
        hasher.update(before.as_bytes());
        if !(after.starts_with("\r\n") || after.len() == 1) {
            hasher.update(b"\r");
        }
        rest = after.get(1..).unwrap_or_default();
    }
    hasher.update(rest.as_bytes());
    let mut hash = String::with_capacity(71);
    hash.push_str("sha256:");
    for byte in hasher.finalize() {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

/// The [`digest`] of a file; `None` when it is not there, or is no text.
#[must_use]
pub fn digest_of_file(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| digest(&text))
}
