use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::read;

/// A file that was read: how it was asked for, where that led, and what it held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// The path it was asked for by: links in it may lead elsewhere another time.
    pub asked: PathBuf,
    /// Its real path.
    pub real: PathBuf,
    /// The hash of its text.
    hash: String,
}

impl Opened {
    pub(super) fn new(asked: &Path, real: &Path, hash: &str) -> Self {
        Self { asked: asked.to_owned(), real: real.to_owned(), hash: hash.to_owned() }
    }

    /// Whether the path leads to the same file, and that holds the same.
    #[must_use]
    pub fn is_as_it_was(&self) -> bool {
        self.asked.canonicalize().is_ok_and(|real| real == self.real)
            && read::whole(&self.real).is_ok_and(|text| hash(&text) == self.hash)
    }
}

/// The hash of a text.
pub(super) fn hash(text: &str) -> String {
    let mut hash = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}
