//! Ends of the durable queue's tasks, counted.

#[cfg(feature = "metrics")]
use metrics::{Counter, counter, describe_counter};

#[cfg(feature = "metrics")]
use super::names;

/// Counts what becomes of one system's queued tasks. Its series are registered when it is made.
pub struct QueueEnds {
    #[cfg(feature = "metrics")]
    ends: [Counter; 3],
    #[cfg(feature = "metrics")]
    waits: [Counter; 2],
}

impl QueueEnds {
    /// Those of this system. All of the same name count together.
    pub fn new(system: &str) -> Self {
        #[cfg(not(feature = "metrics"))]
        let _ = system;
        #[cfg(feature = "metrics")]
        describe_counter!(names::QUEUE_TASKS, "Total number of queued tasks that ended, by how");
        #[cfg(feature = "metrics")]
        describe_counter!(names::QUEUE_WAITS, "Total number of attempts after which a queued task waits, by why");
        #[cfg(feature = "metrics")]
        let series = |name: &'static str, kind: &'static str| counter!(name, names::NAME => system.to_owned(), names::KIND => kind);
        Self {
            #[cfg(feature = "metrics")]
            ends: ["completed", "failed", "unconfirmed"].map(|kind| series(names::QUEUE_TASKS, kind)),
            #[cfg(feature = "metrics")]
            waits: ["retried", "postponed"].map(|kind| series(names::QUEUE_WAITS, kind)),
        }
    }

    /// A task is done.
    pub fn completed(&self) {
        #[cfg(feature = "metrics")]
        self.ends[0].increment(1);
    }

    /// A task was given up.
    pub fn failed(&self) {
        #[cfg(feature = "metrics")]
        self.ends[1].increment(1);
    }

    /// A write may have arrived, and is not sent again.
    pub fn unconfirmed(&self) {
        #[cfg(feature = "metrics")]
        self.ends[2].increment(1);
    }

    /// An attempt failed, and there will be another.
    pub fn retried(&self) {
        #[cfg(feature = "metrics")]
        self.waits[0].increment(1);
    }

    /// The system was kept away from: no attempt.
    pub fn postponed(&self) {
        #[cfg(feature = "metrics")]
        self.waits[1].increment(1);
    }
}

impl std::fmt::Debug for QueueEnds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueueEnds").finish_non_exhaustive()
    }
}
