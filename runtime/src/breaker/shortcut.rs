//! What can be told of the breaker without its lock.
//!
//! In a healthy system nearly every call meets a closed breaker whose window is full of quick successes. Permitting
//! such a call changes nothing, and neither does one more quick success. One word, written under the lock and read
//! without it, says so; then a call writes no shared memory at all, and threads do not slow each other.
//!
//! An open breaker has one answer until its wait is over; a refusal only counts itself. Counts that are not under the
//! lock yet are added to the machine's by whoever next holds it, before anything else.
//!
//! Whoever reads the word acts as of the moment of reading, which is one order the lock could have given as well.

use std::time::Duration;

use super::machine::{Machine, Phase};
use super::permit::NotPermitted;
use super::state::BreakerState;
use crate::moment::nanos;
use crate::sync::{AtomicU64, Ordering};

/// Calls are permitted without account.
const ADMITS: u64 = 0b01;
/// A quick success changes nothing.
const STEADY: u64 = 0b10;
/// Calls are refused up to a time.
const REFUSES: u64 = 0b100;
/// The number of the state period stands above the flags.
const GENERATION_SHIFT: u32 = 3;
/// Refused until an operator says otherwise.
const FOR_EVER: u64 = u64::MAX;

/// On a cache line of its own, away from the lock that others write to.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Shortcut {
    word: AtomicU64,
    slow_nanos: AtomicU64,
    /// Before this time everything is refused; one not before it needs the lock.
    refuse_until: AtomicU64,
    /// Refusals that the machine has not counted yet.
    refused: AtomicU64,
}

/// The answer to a call that asks for permission.
pub(super) enum QuickAnswer {
    /// In this state period.
    Permitted(u64),
    /// Not before the wait is over.
    Refused(NotPermitted),
    /// It takes the lock to say.
    Ask,
    /// The same, and this is the time it was asked.
    AskAt(u64),
}

/// An open breaker's refusal: for so many nanoseconds more, or until an operator says otherwise. One word, and no more
/// until somebody wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StaysOpen(u64);

impl StaysOpen {
    /// The rest of the wait, if there is one.
    #[inline]
    pub(crate) fn retry_after(self) -> Option<Duration> {
        (self.0 != FOR_EVER).then(|| Duration::from_nanos(self.0))
    }
}

impl From<StaysOpen> for NotPermitted {
    fn from(open: StaysOpen) -> Self {
        let retry_after = open.retry_after();
        let state = if retry_after.is_some() { BreakerState::Open } else { BreakerState::ForcedOpen };
        Self { state, retry_after }
    }
}

/// What the shortcut says; kept under the lock, so that whoever holds it need not read the shortcut itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Published {
    word: u64,
    slow_nanos: u64,
    refuse_until: u64,
}

impl Shortcut {
    /// Says what is true of the machine, and notes that with it.
    pub(super) fn new(machine: &mut Machine) -> Self {
        let now = published(machine);
        machine.published = now;
        Self {
            word: AtomicU64::new(now.word),
            slow_nanos: AtomicU64::new(now.slow_nanos),
            refuse_until: AtomicU64::new(now.refuse_until),
            refused: AtomicU64::new(0),
        }
    }

    /// Call it under the lock, after each change of the machine.
    pub(super) fn update(&self, machine: &mut Machine) {
        let (before, now) = (machine.published, published(machine));
        if before == now {
            return;
        }
        if (before.slow_nanos, before.refuse_until) != (now.slow_nanos, now.refuse_until) {
            // Whoever sees the new numbers also sees that the word promised nothing meanwhile, or the new word.
            self.word.store(machine.generation << GENERATION_SHIFT, Ordering::Release);
            self.slow_nanos.store(now.slow_nanos, Ordering::Release);
            self.refuse_until.store(now.refuse_until, Ordering::Release);
        }
        self.word.store(now.word, Ordering::Release);
        machine.published = now;
    }

    /// What a call that asks for permission can be told at once. `now` is only asked for where it matters.
    #[inline]
    pub(super) fn admission(&self, now: impl FnOnce() -> u64) -> QuickAnswer {
        let word = self.word.load(Ordering::Acquire);
        if word & ADMITS != 0 {
            QuickAnswer::Permitted(word >> GENERATION_SHIFT)
        } else if word & REFUSES != 0 {
            let now = now();
            self.refusal(word, now).map_or(QuickAnswer::AskAt(now), |open| QuickAnswer::Refused(open.into()))
        } else {
            QuickAnswer::Ask
        }
    }

    /// The refusal of a call at `now`, counted, if it needs no lock.
    #[inline]
    fn refusal(&self, word: u64, now: u64) -> Option<StaysOpen> {
        let until = self.refuse_until.load(Ordering::Acquire);
        // The word is read again, so that it and the time belong to the same state period.
        if now >= until || self.word.load(Ordering::Acquire) != word {
            return None;
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        Some(StaysOpen(if until == FOR_EVER { FOR_EVER } else { until - now }))
    }

    /// The refusal of a call at `now`, counted, if the breaker is open and will be for a while.
    #[cfg(feature = "http")]
    #[inline]
    pub(super) fn refuses_at(&self, now: u64) -> Option<StaysOpen> {
        let word = self.word.load(Ordering::Acquire);
        if word & REFUSES == 0 { None } else { self.refusal(word, now) }
    }

    /// Counts the refusals that were given without the lock. Call it under the lock, before the machine is looked at.
    /// One that is given at the same moment may be counted with the next time the breaker is open.
    pub(super) fn count_refused(&self, machine: &mut Machine) {
        if machine.published.word & REFUSES != 0 {
            machine.window.not_permitted += self.refused.swap(0, Ordering::Relaxed);
        }
    }

    /// Whether such a vote of the state period `generation` can be left out.
    #[inline]
    pub(super) fn vote_changes_nothing(&self, generation: u64, failed: bool, elapsed: u64) -> bool {
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
    pub(super) fn is_slow(&self, elapsed: u64) -> bool {
        elapsed > self.slow_nanos.load(Ordering::Acquire)
    }
}

impl Machine {
    /// Before which time every call is refused, whatever else happens: as a number of the breaker's clock.
    fn refuses_until(&self) -> Option<u64> {
        match self.phase {
            Phase::Open(opened) => {
                // A wait that ends with the clock itself must not be taken for one without end.
                let until = opened.timer.map_or(opened.until, |timer| timer.min(opened.until));
                Some(nanos(until).min(FOR_EVER - 1))
            }
            Phase::ForcedOpen => Some(FOR_EVER),
            Phase::Closed | Phase::HalfOpen(_) | Phase::Disabled | Phase::MetricsOnly => None,
        }
    }
}

fn published(machine: &Machine) -> Published {
    let refuses_until = machine.refuses_until();
    let flags = [
        (machine.admits_freely(), ADMITS),
        (machine.quick_success_changes_nothing(), STEADY),
        (refuses_until.is_some(), REFUSES),
    ];
    let flags = flags.into_iter().filter(|(holds, _)| *holds).fold(0, |word, (_, flag)| word | flag);
    Published {
        word: machine.generation << GENERATION_SHIFT | flags,
        slow_nanos: nanos(machine.config.slow_call),
        refuse_until: refuses_until.unwrap_or(0),
    }
}
