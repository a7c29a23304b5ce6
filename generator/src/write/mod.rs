//! The last stage: a tree of texts in memory becomes files, and only those that changed are touched.
//!
//! Nothing is written before everything is known: [`changes()`] compares the tree with the disk and with
//! `cofferdam.lock`, and says what would happen; [`Changes::apply`] does it, through temporary files and renames. An
//! edited generated file is a [`Conflict`], never a loss.

mod apply;
mod changes;
mod lock;
mod staging;
mod steps;
mod tree;

pub use apply::{WriteError, write_if_changed};
pub use changes::{Action, Change, Changes, Conflict, ConflictCause, Scope, changes};
pub use lock::{FileKind, LOCK_FILE, Lock, LockError, LockedFile, digest, digest_of_file};
pub use tree::{FileBody, Ownership, Tree};

#[cfg(test)]
mod tests;
