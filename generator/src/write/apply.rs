//! Doing what was decided: temporary files first, then renames, the lock before and after.

use std::path::{Path, PathBuf};

use super::changes::{Action, Changes};
use super::lock::{FileKind, LOCK_FILE, Lock};
use super::staging::{self, Staging};
use super::steps::{self, Step};

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

pub(super) fn apply(changes: &Changes) -> Result<(), WriteError> {
    if !changes.conflicts.is_empty() {
        return Err(WriteError::Conflicts(changes.conflicts.iter().map(|c| c.path.clone()).collect()));
    }
    let touched = !changes.texts.is_empty() || changes.with(Action::Remove).next().is_some();
    let root = &changes.root;
    if !touched && changes.lock_before == changes.lock_after {
        // A run that was killed at its very end leaves nothing to do but to clean up after it.
        return if Staging::is_left(root) { Staging::open(root).map(drop) } else { Ok(()) };
    }
    let staging = Staging::open(root)?;
    let mut staged = Vec::with_capacity(changes.texts.len());
    for (path, text) in &changes.texts {
        staged.push((path, staging.stage(&root.join(path), text)?));
    }
    if touched {
        // Whatever moment the run is cut off at, the next one recognises both the old files and the new ones.
        write_lock(&staging, root, &between(changes))?;
    }
    for (path, file) in staged {
        let theirs = changes.lock_after.files.get(path).is_some_and(|file| file.kind == FileKind::HandWritten);
        if theirs { file.create()? } else { file.replace()? }
    }
    for path in changes.with(Action::Remove) {
        steps::before(Step::Remove);
        remove(root, path)?;
    }
    write_lock(&staging, root, &changes.lock_after)?;
    for path in changes.lock_before.files.keys().filter(|path| !changes.lock_after.files.contains_key(*path)) {
        remove_empty_folders(root, &root.join(path));
    }
    steps::before(Step::Done);
    Ok(())
}

/// Creates what is absent of a tree of hand-written files, without a lock: the files are theirs from then on.
pub(super) fn create(changes: &Changes) -> Result<(), WriteError> {
    changes.texts.iter().try_for_each(|(path, text)| staging::create_beside(&changes.root.join(path), text))
}

/// Writes a file if its text is another one.
///
/// # Errors
/// When the disk refuses.
pub fn write_if_changed(target: &Path, text: &str) -> Result<bool, WriteError> {
    if std::fs::read_to_string(target).is_ok_and(|current| current == text) {
        return Ok(false);
    }
    staging::replace_beside(target, text).map(|()| true)
}

/// The lock for the time between: new hashes, old hashes beside them, stale files still listed, with the names of their
/// systems.
pub(super) fn between(changes: &Changes) -> Lock {
    let mut lock = changes.lock_after.clone();
    for (system, names) in &changes.lock_before.names {
        lock.names.entry(system.clone()).or_insert_with(|| names.clone());
    }
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

fn write_lock(staging: &Staging, root: &Path, lock: &Lock) -> Result<(), WriteError> {
    let (target, text) = (root.join(LOCK_FILE), lock.text());
    if std::fs::read_to_string(&target).is_ok_and(|current| current == text) {
        return Ok(());
    }
    staging.stage(&target, &text)?.replace()
}

/// Removes a stale file, and the folders that are empty without it.
fn remove(root: &Path, path: &str) -> Result<(), WriteError> {
    let full = root.join(path);
    match std::fs::remove_file(&full) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(WriteError::Write(full, error)),
    }
    remove_empty_folders(root, &full);
    Ok(())
}

/// Removes the folders that are empty without a file of ours.
fn remove_empty_folders(root: &Path, file: &Path) {
    let mut folder = file.parent();
    while let Some(empty) = folder.filter(|folder| folder.starts_with(root) && *folder != root) {
        // Refused when something else is in it, which is the point. One that is gone already leaves those above it.
        if std::fs::remove_dir(empty).is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound) {
            break;
        }
        folder = empty.parent();
    }
}
