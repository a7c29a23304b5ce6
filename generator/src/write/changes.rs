//! What a run would do to the disk, decided before anything is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::TextDiff;

use super::lock::{FileKind, Lock, LockedFile, digest};
use crate::diagnose::Location;
use crate::output::relative;

use super::tree::{FileBody, Ownership, Tree};
use super::{WriteError, apply};

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is not there yet.
    Create,
    /// Ours, and its text is another one now.
    Replace,
    /// Ours, and its text is what it should be.
    Unchanged,
    /// Theirs, and there: not touched.
    Keep,
    /// Ours, no longer part of the output, and as we left it.
    Remove,
    /// Ours once, no longer part of the output, but edited since: left where it is.
    Leave,
}

/// A file and what happens to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its path relative to the root.
    pub path: String,
    /// What happens.
    pub action: Action,
}

/// A generated file that somebody edited, or a foreign file in the place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Its path relative to the root.
    pub path: String,
    /// What kind of conflict it is.
    pub cause: ConflictCause,
    /// From the file on disk to the text that would be written, as a unified diff.
    pub diff: String,
}

/// Why a file may not be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictCause {
    /// The lock lists it, with another hash.
    Edited,
    /// The lock does not list it.
    Foreign,
}

/// The systems a run is about: files of other systems in the lock are none of its business.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// All of them; systems the lock knows and the run does not are gone.
    All,
    /// Only these.
    Systems(&'a [String]),
    /// All but these: they are as they should be.
    AllBut(&'a [String]),
}

impl Scope<'_> {
    fn holds(self, system: &str) -> bool {
        match self {
            Self::All => true,
            Self::Systems(names) => names.iter().any(|name| name == system),
            Self::AllBut(names) => !names.iter().any(|name| name == system),
        }
    }
}

/// All a run would do.
#[derive(Debug)]
pub struct Changes {
    pub(super) root: PathBuf,
    /// Each file of the tree and each stale one, in the order of their paths.
    pub files: Vec<Change>,
    /// What stands in the way; nothing is written when there is any.
    pub conflicts: Vec<Conflict>,
    pub(super) texts: BTreeMap<String, Arc<str>>,
    pub(super) lock_before: Lock,
    pub(super) lock_after: Lock,
}

impl Changes {
    /// Whether the disk already is what it should be.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
            && self.lock_before == self.lock_after
            && self.files.iter().all(|change| matches!(change.action, Action::Unchanged | Action::Keep))
    }

    /// Files with a certain action.
    pub fn with(&self, action: Action) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |change| change.action == action).map(|change| change.path.as_str())
    }

    /// Whether a file is created, by its path as it can be opened.
    #[must_use]
    pub fn creates(&self, file: &Path) -> bool {
        self.with(Action::Create).any(|path| same_file(&self.root.join(path), file))
    }

    /// The generated files of a system as they will be, by path, with the digest of each.
    #[must_use]
    pub fn written(&self, system: &str) -> BTreeMap<String, String> {
        self.lock_after.written(system)
    }

    /// The names that the next run will remember of a system.
    #[must_use]
    pub fn names_of(&self, system: &str) -> BTreeMap<String, String> {
        self.lock_after.names_of(system)
    }

    /// A file as a place of a message.
    #[must_use]
    pub fn location(&self, path: &str) -> Location {
        let root = if self.root == Path::new(".") { Path::new("") } else { &self.root };
        Location::file(root.join(path).display().to_string())
    }

    /// From a file that is replaced to what it becomes, as a unified diff; `None` for a file that is not replaced.
    #[must_use]
    pub fn difference(&self, path: &str) -> Option<String> {
        if !self.with(Action::Replace).any(|replaced| replaced == path) {
            return None;
        }
        let wanted = self.texts.get(path)?;
        let current = read(&self.root, path).ok().flatten()?;
        Some(unified_diff(&format!("a/{path}"), &current, &format!("b/{path}"), wanted))
    }

    /// Does it. A run with nothing to change touches no file.
    ///
    /// # Errors
    /// When there are conflicts, or when the disk refuses.
    pub fn apply(&self) -> Result<(), WriteError> {
        apply::apply(self)
    }

    /// Creates the hand-written files that are absent, and does nothing else.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create_hand_written(&self) -> Result<(), WriteError> {
        apply::create(self)
    }
}

/// Compares a tree with the disk. `names` are the names to remember, by system; `force` replaces edited and foreign
/// files in the place of generated ones.
///
/// # Errors
/// When a file that is there cannot be read.
pub fn changes(
    root: &Path,
    tree: &Tree,
    lock: Lock,
    names: BTreeMap<String, BTreeMap<String, String>>,
    scope: Scope<'_>,
    force: bool,
) -> Result<Changes, WriteError> {
    let mut found = Changes {
        root: root.to_owned(),
        files: Vec::new(),
        conflicts: Vec::new(),
        texts: BTreeMap::new(),
        lock_after: next_lock(&lock, names, scope),
        lock_before: lock,
    };
    for (path, body) in tree.iter() {
        compare(&mut found, path, body, force)?;
    }
    stale(&mut found, tree, scope)?;
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The lock after the run, before its own files are entered: what belongs to other systems stays.
fn next_lock(lock: &Lock, names: BTreeMap<String, BTreeMap<String, String>>, scope: Scope<'_>) -> Lock {
    let mut next = Lock::default();
    let others = lock.files.iter().filter(|(_, file)| !scope.holds(&file.system));
    next.files.extend(others.map(|(path, file)| (path.clone(), file.clone())));
    if matches!(scope, Scope::AllBut(_)) {
        // They are as they should be: what a run that was cut off remembered of them is done with.
        next.files.values_mut().for_each(|file| file.previous.clear());
    }
    next.names.extend(
        lock.names
            .iter()
            .filter(|(system, _)| !scope.holds(system))
            .map(|(system, list)| (system.clone(), list.clone())),
    );
    next.names.extend(names);
    next
}

fn compare(found: &mut Changes, path: &str, body: &FileBody, force: bool) -> Result<(), WriteError> {
    let current = read(&found.root, path)?;
    let (action, kind, hash) = match (body.ownership, &body.text) {
        (Ownership::HandWritten, text) => {
            let action = if current.is_some() { Action::Keep } else { Action::Create };
            if action == Action::Create && text.is_none() {
                return Err(WriteError::Vanished(found.root.join(path)));
            }
            (action, FileKind::HandWritten, None)
        }
        (Ownership::Generated, None) => return Err(WriteError::Vanished(found.root.join(path))),
        (Ownership::Generated, Some(text)) => {
            (generated(found, path, text, current, force), FileKind::Generated, Some(digest(text)))
        }
    };
    if let (Action::Create | Action::Replace, Some(text)) = (action, &body.text) {
        found.texts.insert(path.to_owned(), Arc::clone(text));
    }
    let entry =
        LockedFile { system: body.system.clone(), kind, template: body.template.clone(), hash, previous: Vec::new() };
    found.lock_after.files.insert(path.to_owned(), entry);
    found.files.push(Change { path: path.to_owned(), action });
    Ok(())
}

/// What happens to a generated file; what stands in the way is noted.
fn generated(found: &mut Changes, path: &str, wanted: &str, current: Option<String>, force: bool) -> Action {
    let Some(text) = current else { return Action::Create };
    // Where only the line ends differ a checkout did that, and writing would fight it on every run.
    if text == wanted || digest(&text) == digest(wanted) {
        return Action::Unchanged;
    }
    if let Some(cause) = conflict(found.lock_before.files.get(path), &text).filter(|_| !force) {
        let diff = unified_diff(&format!("{path} (on disk)"), &text, &format!("{path} (generated)"), wanted);
        found.conflicts.push(Conflict { path: path.to_owned(), cause, diff });
    }
    Action::Replace
}

/// Whether the text on disk is one we may replace: it is only if we wrote it.
fn conflict(listed: Option<&LockedFile>, text: &str) -> Option<ConflictCause> {
    match listed {
        Some(file) if file.kind == FileKind::Generated => (!is_ours(file, text)).then_some(ConflictCause::Edited),
        _ => Some(ConflictCause::Foreign),
    }
}

fn is_ours(file: &LockedFile, text: &str) -> bool {
    let hash = digest(text);
    file.hash.as_ref() == Some(&hash) || file.previous.contains(&hash)
}

fn stale(found: &mut Changes, tree: &Tree, scope: Scope<'_>) -> Result<(), WriteError> {
    let listed: Vec<(String, LockedFile)> = found
        .lock_before
        .files
        .iter()
        .filter(|(path, file)| scope.holds(&file.system) && tree.get(path).is_none())
        .map(|(path, file)| (path.clone(), file.clone()))
        .collect();
    for (path, file) in listed {
        // A hand-written file is theirs: the lock forgets it, the disk keeps it.
        if file.kind == FileKind::HandWritten {
            continue;
        }
        let Some(text) = read(&found.root, &path)? else { continue };
        let action = if is_ours(&file, &text) { Action::Remove } else { Action::Leave };
        if action == Action::Leave {
            found.lock_after.files.insert(path.clone(), file);
        }
        found.files.push(Change { path, action });
    }
    Ok(())
}

/// Whether two paths lead to the same place, as far as their texts tell.
fn same_file(one: &Path, other: &Path) -> bool {
    relative(Path::new("."), one) == relative(Path::new("."), other)
}

fn read(root: &Path, path: &str) -> Result<Option<String>, WriteError> {
    let full = root.join(path);
    match std::fs::read(&full) {
        // What is not text is surely not ours: the lossy text can only serve the diff.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(WriteError::Read(full, error)),
    }
}

fn unified_diff(old: &str, from: &str, new: &str, to: &str) -> String {
    TextDiff::from_lines(from, to).unified_diff().context_radius(2).header(old, new).to_string()
}
