//! What can be told of the breaker without its lock.
//!
//! In a healthy system nearly every call meets a closed breaker whose window is full of quick successes. Permitting
//! such a call changes nothing, and neither does one more quick success. One word, written under the lock and read
//! without it, says so; then a call writes no shared memory at all, and threads do not slow each other.
//!
//! Whoever reads the word acts as of the moment of reading, which is one order the lock could have given as well.

use std::time::Duration;

use super::machine::Machine;
use crate::sync::{AtomicU64, Ordering};

/// Calls are permitted without account.
const ADMITS: u64 = 0b01;
/// A quick success changes nothing.
const STEADY: u64 = 0b10;
/// The number of the state period stands above the flags.
const GENERATION_SHIFT: u32 = 2;

/// On a cache line of its own, away from the lock that others write to.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Shortcut {
    word: AtomicU64,
    slow_nanos: AtomicU64,
}

impl Shortcut {
    pub(super) fn new(machine: &Machine) -> Self {
        Self { word: AtomicU64::new(word(machine)), slow_nanos: AtomicU64::new(slow_nanos(machine)) }
    }

    /// Call it under the lock, after each change of the machine.
    pub(super) fn update(&self, machine: &Machine) {
        let slow_nanos = slow_nanos(machine);
        if self.slow_nanos.load(Ordering::Relaxed) != slow_nanos {
            // Whoever sees the new duration also sees that the word promised nothing meanwhile, or the new word.
            self.word.store(machine.generation << GENERATION_SHIFT, Ordering::Release);
            self.slow_nanos.store(slow_nanos, Ordering::Release);
        }
        let word = word(machine);
        if self.word.load(Ordering::Relaxed) != word {
            self.word.store(word, Ordering::Release);
        }
    }

    /// The current state period, if calls are permitted in it without account.
    #[inline]
    pub(super) fn admission(&self) -> Option<u64> {
        let word = self.word.load(Ordering::Acquire);
        (word & ADMITS != 0).then_some(word >> GENERATION_SHIFT)
    }

    /// Whether such a vote of the state period `generation` can be left out.
    #[inline]
    pub(super) fn vote_changes_nothing(&self, generation: u64, failed: bool, elapsed: Duration) -> bool {
        let word = self.word.load(Ordering::Acquire);
        let stale = word >> GENERATION_SHIFT != generation;
        // The word is read again, so that it and the slow call duration belong to the same settings.
        let steady = || word & STEADY != 0 && !self.is_slow(elapsed) && self.word.load(Ordering::Acquire) == word;
        stale || (!failed && steady())
    }

    /// Whether a permit of the state period `generation` can be forgotten.
    #[inline]
    pub(super) fn release_changes_nothing(&self, generation: u64) -> bool {
        let word = self.word.load(Ordering::Acquire);
        word & ADMITS != 0 || word >> GENERATION_SHIFT != generation
    }

    #[inline]
    pub(super) fn is_slow(&self, elapsed: Duration) -> bool {
        nanos(elapsed) > self.slow_nanos.load(Ordering::Acquire)
    }
}

fn word(machine: &Machine) -> u64 {
    let admits = if machine.admits_freely() { ADMITS } else { 0 };
    let steady = if machine.quick_success_changes_nothing() { STEADY } else { 0 };
    machine.generation << GENERATION_SHIFT | admits | steady
}

fn slow_nanos(machine: &Machine) -> u64 {
    nanos(machine.config.slow_call)
}

/// Saturates after 584 years.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
