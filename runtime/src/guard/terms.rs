//! What every call reads of the settings: a few numbers that can be read without counting a reference.
//!
//! They are written under a lock, by whoever first meets a new edition of the settings, and read without one: a number
//! that is odd while they are written, and another one afterwards, tells the reader whether what it read belongs
//! together.

use crate::sync::{AtomicU64, Ordering, fence};

/// What holds for the calls of a system. Times are nanoseconds.
///
/// Whole words only: one that is made of smaller parts is copied in others, and reading it back right after waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terms {
    /// Longest attempt.
    pub(crate) limit: u64,
    /// A longer one is slow.
    pub(crate) slow: u64,
    quota_wait: u64,
    /// Flags, and the base of the codes below them.
    flags: u64,
}

/// What is said by one bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Flag {
    /// The breaker is the outer layer.
    BreakerOutside = 1 << 32,
    /// There is a bulkhead.
    Bulkhead = 1 << 33,
    /// The number of calls at once follows the system.
    Adaptive = 1 << 34,
    /// Operations have settings of their own: then these here are not all that is to be asked.
    Own = 1 << 35,
    /// There is a quota.
    Quota = 1 << 36,
}

impl Terms {
    /// None yet.
    pub(crate) const UNREAD: Self = Self { limit: 0, slow: 0, quota_wait: 0, flags: 0 };

    /// The terms with these flags. `quota_wait`: the longest wait for the quota, if there is one.
    pub(crate) fn new(limit: u64, slow: u64, quota_wait: Option<u64>, code_base: u32, flags: &[(Flag, bool)]) -> Self {
        let quota = (Flag::Quota, quota_wait.is_some());
        let held = flags.iter().chain([&quota]).filter(|(_, holds)| *holds);
        let flags = held.fold(u64::from(code_base), |word, (flag, _)| word | *flag as u64);
        Self { limit, slow, quota_wait: quota_wait.unwrap_or(0), flags }
    }

    #[inline]
    pub(crate) fn has(self, flag: Flag) -> bool {
        self.flags & flag as u64 != 0
    }

    /// Longest wait for the quota, if there is one.
    #[inline]
    pub(crate) fn quota_wait(self) -> Option<u64> {
        self.has(Flag::Quota).then_some(self.quota_wait)
    }

    /// First number of the system's error codes.
    #[inline]
    pub(crate) fn code_base(self) -> u32 {
        self.flags as u32
    }

    fn to_words(self) -> [u64; 4] {
        [self.limit, self.slow, self.quota_wait, self.flags]
    }
}

/// The terms of the latest edition that was taken over.
#[derive(Debug)]
pub(crate) struct SharedTerms {
    /// Twice the edition; odd while the words are written.
    edition: AtomicU64,
    words: [AtomicU64; 4],
}

impl SharedTerms {
    pub(crate) fn new(edition: u64, terms: Terms) -> Self {
        Self { edition: AtomicU64::new(edition << 1), words: terms.to_words().map(AtomicU64::new) }
    }

    /// Reads the terms of this edition to where they are wanted, word by word: copied from elsewhere they would be
    /// waited for. Says whether they stand here; if not, what was read means nothing.
    #[inline]
    pub(crate) fn read(&self, edition: u64, terms: &mut Terms) -> bool {
        if self.edition.load(Ordering::Acquire) != edition << 1 {
            return false;
        }
        let [limit, slow, quota_wait, flags] = &self.words;
        terms.limit = limit.load(Ordering::Relaxed);
        terms.slow = slow.load(Ordering::Relaxed);
        terms.quota_wait = quota_wait.load(Ordering::Relaxed);
        terms.flags = flags.load(Ordering::Relaxed);
        // Who reads a word of a later edition also sees that one was begun.
        fence(Ordering::Acquire);
        self.edition.load(Ordering::Relaxed) == edition << 1
    }

    /// Whether the terms of this edition stand here.
    #[inline]
    pub(crate) fn is(&self, edition: u64) -> bool {
        self.edition.load(Ordering::Acquire) == edition << 1
    }

    /// Puts the terms of an edition here. One at a time: call it under a lock.
    pub(crate) fn write(&self, edition: u64, terms: Terms) {
        self.edition.store(edition << 1 | 1, Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, new) in self.words.iter().zip(terms.to_words()) {
            word.store(new, Ordering::Relaxed);
        }
        self.edition.store(edition << 1, Ordering::Release);
    }
}
