//! What need not be done again: after a run a receipt is kept of each system, which says what it was made from and what
//! it became. The next run checks it first: where nothing is different, on either side, there is nothing to do.
//!
//! A receipt is about this machine and this program, so it is kept beside the lock in a folder that version control
//! passes over. It is never needed: without one, everything is done as if for the first time. `cofferdam check` does not
//! ask it.

mod fingerprint;
mod told;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use fingerprint::Fingerprint;

use crate::diagnose::Located;
use crate::load::Opened;
use crate::stubs::Mappable;
use crate::write::{self, WriteError, digest_of_file};

/// The folder of the receipts, beside the lock.
pub const RECEIPTS: &str = ".cofferdam";

/// What a system was made from, what it became, and what there was to say.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// All that is in no file of the document: the program, the project's declarations, the options, earlier names.
    pub fingerprint: Fingerprint,
    /// Every file that was read, as it was asked for, with what it held.
    pub read: Vec<Opened>,
    /// The generated files by path below the root, with the [`digest`](write::digest()) of each.
    pub written: BTreeMap<String, String>,
    /// One line about the operations.
    pub summary: String,
    /// The operations, for those who want to know which are not mapped.
    pub operations: Vec<Mappable>,
    /// What there is to say of the documents.
    #[serde(with = "told")]
    pub found: Vec<Located>,
}

impl Receipt {
    /// The receipt of a system, if it still holds: it was made by the same program from the same declarations
    /// (`fingerprint`), every file it was made from is what it was, and so is every file that it became. `listed` are
    /// the generated files of the system by path and digest, where something else than the receipt knows them.
    #[must_use]
    pub fn valid(
        root: &Path,
        system: &str,
        fingerprint: &Fingerprint,
        listed: Option<&BTreeMap<String, String>>,
    ) -> Option<Self> {
        let text = std::fs::read_to_string(path(root, system)).ok()?;
        let receipt: Self = serde_json::from_str(&text).ok()?;
        let holds = receipt.fingerprint == *fingerprint
            && listed.is_none_or(|listed| receipt.written == *listed)
            && receipt.read.iter().all(Opened::is_as_it_was)
            && receipt.written.iter().all(|(path, hash)| digest_of_file(&root.join(path)).as_ref() == Some(hash));
        holds.then_some(receipt)
    }

    /// Keeps it for the next run. One that is there and says the same is not touched.
    ///
    /// # Errors
    /// When the disk refuses. A run that could not keep its receipt is a good one all the same.
    pub fn keep(&self, root: &Path, system: &str) -> Result<(), WriteError> {
        // A path that is no text cannot be kept: the next run does everything again.
        let Ok(mut text) = serde_json::to_string(self) else { return Ok(()) };
        text.push('\n');
        write::write_if_changed(&root.join(RECEIPTS).join(".gitignore"), "*\n")?;
        write::write_if_changed(&path(root, system), &text).map(|_| ())
    }
}

fn path(root: &Path, system: &str) -> PathBuf {
    root.join(RECEIPTS).join(format!("{system}.json"))
}

#[cfg(test)]
mod tests;
