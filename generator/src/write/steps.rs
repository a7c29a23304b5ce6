//! The moments between which a run may be cut off. Tests end the process at each of them; a release build has none.

/// What is about to be done to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A text goes to its temporary file.
    Stage,
    /// A temporary file takes its place.
    Rename,
    /// A stale file goes.
    Remove,
    /// Everything is done.
    Done,
}

/// Ends the process as a kill would, when a test asks for it: the variable holds how many steps are still taken.
#[cfg(debug_assertions)]
pub(super) fn before(step: Step) {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    let Some(wanted) = std::env::var("COFFERDAM_DIE_AFTER").ok().and_then(|text| text.parse::<usize>().ok()) else {
        return;
    };
    if TAKEN.fetch_add(1, Ordering::Relaxed) == wanted {
        // No destructor runs, nothing is cleaned up.
        eprintln!("died before {step:?}");
        std::process::abort();
    }
}

/// Nothing, in a release build.
#[cfg(not(debug_assertions))]
pub(super) fn before(_: Step) {}
