//! Texts on their way to the disk: they wait in a folder of their own until all are there, and are renamed to their
//! places. A run that is killed leaves what it staged behind, and the next one sweeps it away.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::WriteError;
use super::steps::{self, Step};
use crate::receipt::RECEIPTS;

/// How temporary files are called.
const PREFIX: &str = ".cofferdam-";

/// The folder of a root in which texts wait. One run at a time has it.
pub(super) struct Staging {
    folder: PathBuf,
    /// Held as long as the run writes; the system lets go of it when the process ends, however it ends.
    _held: Option<File>,
}

/// A text that is on disk already, under a name of its own, and waits for its rename.
pub(super) struct Staged {
    target: PathBuf,
    waiting: TempPath,
}

impl Staging {
    /// Whether a run that did not come to its end left something.
    pub(super) fn is_left(root: &Path) -> bool {
        root.join(RECEIPTS).join("staging").exists()
    }

    /// Waits until no other run writes below the root, and sweeps away what killed ones left.
    pub(super) fn open(root: &Path) -> Result<Self, WriteError> {
        let home = root.join(RECEIPTS);
        let folder = home.join("staging");
        let failed = |error| WriteError::Write(folder.clone(), error);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let ignore = home.join(".gitignore");
        if !ignore.exists() {
            std::fs::write(&ignore, "*\n").map_err(failed)?;
        }
        // Where the file system knows no locks, nothing is swept: another run may be at work.
        let held = File::create(home.join("writing")).and_then(|file| file.lock().map(|()| file)).ok();
        if held.is_some() {
            sweep(&folder);
            sweep(&home);
        }
        Ok(Self { folder, _held: held })
    }

    /// Writes a text to a temporary file.
    pub(super) fn stage(&self, target: &Path, text: &str) -> Result<Staged, WriteError> {
        steps::before(Step::Stage);
        check_place(target)?;
        let failed = |error| WriteError::Write(target.to_owned(), error);
        Ok(Staged { target: target.to_owned(), waiting: written(target, &self.folder, text).map_err(failed)? })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Refused when something is in it, which the next run sweeps away.
        let _ = std::fs::remove_dir(&self.folder);
    }
}

impl Staged {
    /// Takes its place, whatever stands there.
    pub(super) fn replace(self) -> Result<(), WriteError> {
        steps::before(Step::Rename);
        let Self { target, waiting } = self;
        create_folder(&target)?;
        match waiting.persist(&target) {
            Ok(()) => Ok(()),
            Err(error) if error.error.kind() == std::io::ErrorKind::CrossesDevices => {
                let failed = |error| WriteError::Write(target.clone(), error);
                let text = std::fs::read_to_string(&error.path).map_err(failed)?;
                beside(&target, &text)?.persist(&target).map_err(|error| failed(error.error))
            }
            Err(error) => Err(WriteError::Write(target, error.error)),
        }
    }

    /// Takes its place if nothing stands there: what does is theirs.
    pub(super) fn create(self) -> Result<(), WriteError> {
        if self.target.exists() {
            return Ok(());
        }
        let text =
            std::fs::read_to_string(&self.waiting).map_err(|error| WriteError::Read(self.target.clone(), error))?;
        steps::before(Step::Rename);
        create_folder(&self.target)?;
        match self.waiting.persist_noclobber(&self.target) {
            Ok(()) => Ok(()),
            Err(error) if error.error.kind() == std::io::ErrorKind::CrossesDevices => {
                create_beside(&self.target, &text)
            }
            Err(error) => unless_taken(&self.target, error.error),
        }
    }
}

/// Creates a file through a temporary one beside it; one that is there stays as it is.
pub(super) fn create_beside(target: &Path, text: &str) -> Result<(), WriteError> {
    match beside(target, text)?.persist_noclobber(target) {
        Ok(()) => Ok(()),
        Err(error) => unless_taken(target, error.error),
    }
}

/// Replaces a file through a temporary one beside it.
pub(super) fn replace_beside(target: &Path, text: &str) -> Result<(), WriteError> {
    beside(target, text)?.persist(target).map_err(|error| WriteError::Write(target.to_owned(), error.error))
}

/// Somebody was quicker: it is theirs.
fn unless_taken(target: &Path, error: std::io::Error) -> Result<(), WriteError> {
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => Ok(()),
        _ => Err(WriteError::Write(target.to_owned(), error)),
    }
}

fn beside(target: &Path, text: &str) -> Result<TempPath, WriteError> {
    create_folder(target)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    written(target, folder, text).map_err(|error| WriteError::Write(target.to_owned(), error))
}

fn written(target: &Path, folder: &Path, text: &str) -> std::io::Result<TempPath> {
    let mut file = temporary(target, folder)?;
    file.write_all(text.as_bytes())?;
    // Closed: a run may have more files than a process may have open.
    Ok(file.into_temp_path())
}

fn create_folder(target: &Path) -> Result<(), WriteError> {
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| WriteError::Write(target.to_owned(), error))
}

/// Whether a file can stand there: known before anything is renamed.
fn check_place(target: &Path) -> Result<(), WriteError> {
    let existing = target.ancestors().skip(1).find(|folder| folder.as_os_str().is_empty() || folder.exists());
    match existing {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(WriteError::Write(target.to_owned(), std::io::ErrorKind::NotADirectory.into()))
        }
        _ if target.is_dir() => Err(WriteError::Write(target.to_owned(), std::io::ErrorKind::IsADirectory.into())),
        _ => Ok(()),
    }
}

/// A temporary file with the permissions of the file it replaces, or those of any new file.
fn temporary(target: &Path, folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    let new_file = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(new_file);
    let file = builder.tempfile_in(folder)?;
    if let Ok(existing) = std::fs::metadata(target) {
        file.as_file().set_permissions(existing.permissions())?;
    }
    Ok(file)
}

/// Removes temporary files of ours from a folder of ours.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && entry.path().is_file() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
