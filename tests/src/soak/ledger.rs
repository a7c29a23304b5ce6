//! What arrived, by logical call, in memory that is taken once.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most attempts that any settings of the run allow.
pub(super) const MOST_ATTEMPTS: u8 = 4;
/// Violations that are kept in words.
const TOLD: usize = 20;

/// The books of a run.
pub(super) struct Ledger {
    /// Arrivals of each write.
    arrivals: Box<[AtomicU8]>,
    /// A number that stands for the key that each keyed write arrived with; 0: none did yet.
    keys: Box<[AtomicU64]>,
    unkeyed: AtomicU64,
    keyed: AtomicU64,
    violations: Mutex<Vec<String>>,
}

impl Ledger {
    pub(super) fn new(calls: u64) -> Self {
        Self {
            arrivals: (0..calls).map(|_| AtomicU8::new(0)).collect(),
            keys: (0..calls).map(|_| AtomicU64::new(0)).collect(),
            unkeyed: AtomicU64::new(0),
            keyed: AtomicU64::new(0),
            violations: Mutex::default(),
        }
    }

    /// A write arrived, with this key or without one. `id` is the logical call that the body names.
    pub(super) fn arrived(&self, id: Option<u64>, key: Option<&str>) {
        let place = id.and_then(|id| usize::try_from(id).ok());
        let Some((count, kept)) = place.and_then(|place| Some((self.arrivals.get(place)?, self.keys.get(place)?)))
        else {
            return self.violated(format!("a write of a call that was never made: {id:?}"));
        };
        let earlier = count.fetch_add(1, Ordering::SeqCst);
        let Some(key) = key else {
            self.unkeyed.fetch_add(1, Ordering::Relaxed);
            if earlier > 0 {
                self.violated(format!("call {id:?}: a write without a key arrived {} times", earlier + 1));
            }
            return;
        };
        self.keyed.fetch_add(1, Ordering::Relaxed);
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(key) | 1;
        match kept.compare_exchange(0, hash, Ordering::SeqCst, Ordering::SeqCst) {
            Err(other) if other != hash => self.violated(format!("call {id:?}: a write arrived with two keys")),
            _ if earlier >= MOST_ATTEMPTS => {
                self.violated(format!("call {id:?}: arrived {} times, allowed {MOST_ATTEMPTS}", earlier + 1));
            }
            _ => {}
        }
    }

    /// Writes that arrived without a key, and with one.
    pub(super) fn writes(&self) -> (u64, u64) {
        (self.unkeyed.load(Ordering::Relaxed), self.keyed.load(Ordering::Relaxed))
    }

    pub(super) fn violations(&self) -> Vec<String> {
        self.violations.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn violated(&self, what: String) {
        let mut violations = self.violations.lock().unwrap_or_else(PoisonError::into_inner);
        if violations.len() < TOLD {
            violations.push(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_not_happen_is_found_out() {
        let ledger = Ledger::new(4);
        ledger.arrived(Some(0), None);
        ledger.arrived(Some(1), Some("a"));
        ledger.arrived(Some(1), Some("a"));
        assert!(ledger.violations().is_empty());
        ledger.arrived(Some(0), None);
        ledger.arrived(Some(1), Some("b"));
        ledger.arrived(Some(7), None);
        ledger.arrived(None, Some("a"));
        (0..=MOST_ATTEMPTS).for_each(|_| ledger.arrived(Some(2), Some("c")));
        assert_eq!(ledger.violations().len(), 5, "{:?}", ledger.violations());
    }
}
