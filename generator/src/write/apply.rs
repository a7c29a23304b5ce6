//! Doing what was decided: temporary files first, then renames, the lock before and after.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::changes::{Action, Changes};
use super::lock::{LOCK_FILE, Lock};

/// Why the disk could not be brought up to date.
#[derive(Debug)]
pub enum WriteError {
    /// A file could not be read.
    Read(PathBuf, std::io::Error),
    /// A file could not be written.
    Write(PathBuf, std::io::Error),
    /// A hand-written file was removed while the run was under way.
    Vanished(PathBuf),
    /// Edited or foreign files are in the way: their paths.
    Conflicts(Vec<String>),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Self::Vanished(path) => write!(f, "{} was removed during the run: run again", path.display()),
            Self::Conflicts(paths) => write!(f, "edited or foreign files are in the way: {}", paths.join(", ")),
        }
    }
}

impl std::error::Error for WriteError {}

/// A text that is on disk already, under a name of its own, and waits for its rename.
struct Staged {
    target: PathBuf,
    file: NamedTempFile,
}

pub(super) fn apply(changes: &Changes) -> Result<(), WriteError> {
    if !changes.conflicts.is_empty() {
        return Err(WriteError::Conflicts(changes.conflicts.iter().map(|c| c.path.clone()).collect()));
    }
    let root = &changes.root;
    let staged =
        changes.texts.iter().map(|(path, text)| stage(&root.join(path), text)).collect::<Result<Vec<_>, _>>()?;
    let touched = !staged.is_empty() || changes.with(Action::Remove).next().is_some();
    if touched {
        // Whatever moment the run is cut off at, the next one recognises both the old files and the new ones.
        write_lock(root, &between(changes))?;
    }
    for Staged { target, file } in staged {
        file.persist(&target).map_err(|error| WriteError::Write(target, error.error))?;
    }
    for path in changes.with(Action::Remove) {
        remove(root, path)?;
    }
    if touched || changes.lock_before != changes.lock_after {
        write_lock(root, &changes.lock_after)?;
    }
    Ok(())
}

/// Creates what is absent of a tree of hand-written files, without a lock: the files are theirs from then on.
pub(super) fn create(changes: &Changes) -> Result<(), WriteError> {
    let staged = changes
        .texts
        .iter()
        .map(|(path, text)| stage(&changes.root.join(path), text))
        .collect::<Result<Vec<_>, _>>()?;
    for Staged { target, file } in staged {
        match file.persist_noclobber(&target) {
            Ok(_) => {}
            // Somebody was quicker: it is theirs.
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(WriteError::Write(target, error.error)),
        }
    }
    Ok(())
}

/// Writes a file if its text is another one.
///
/// # Errors
/// When the disk refuses.
pub fn write_if_changed(target: &Path, text: &str) -> Result<bool, WriteError> {
    if std::fs::read_to_string(target).is_ok_and(|current| current == text) {
        return Ok(false);
    }
    let Staged { target, file } = stage(target, text)?;
    file.persist(&target).map_err(|error| WriteError::Write(target, error.error))?;
    Ok(true)
}

/// The lock for the time between: new hashes, old hashes beside them, stale files still listed.
pub(super) fn between(changes: &Changes) -> Lock {
    let mut lock = changes.lock_after.clone();
    for (path, old) in &changes.lock_before.files {
        match lock.files.get_mut(path) {
            Some(new) => {
                new.previous.extend(
                    old.hash.iter().chain(&old.previous).filter(|&hash| new.hash.as_ref() != Some(hash)).cloned(),
                );
            }
            None => {
                lock.files.insert(path.clone(), old.clone());
            }
        }
    }
    lock
}

fn write_lock(root: &Path, lock: &Lock) -> Result<(), WriteError> {
    write_if_changed(&root.join(LOCK_FILE), &lock.text()).map(|_| ())
}

fn stage(target: &Path, text: &str) -> Result<Staged, WriteError> {
    let failed = |error| WriteError::Write(target.to_owned(), error);
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = temporary(target, folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    Ok(Staged { target: target.to_owned(), file })
}

/// A temporary file with the permissions of the file it replaces, or those of any new file.
fn temporary(target: &Path, folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cofferdam-");
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

/// Removes a stale file, and the folders that are empty without it.
fn remove(root: &Path, path: &str) -> Result<(), WriteError> {
    let full = root.join(path);
    match std::fs::remove_file(&full) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(WriteError::Write(full, error)),
    }
    let mut folder = full.parent();
    while let Some(empty) = folder.filter(|folder| folder.starts_with(root) && *folder != root) {
        // Refused when something else is in it, which is the point.
        if std::fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(())
}
