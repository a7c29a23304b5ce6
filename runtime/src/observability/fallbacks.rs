//! Answers that do not come from the system: each is told and counted, so that none passes for a success (R-RES-FB-X2).

#[cfg(feature = "metrics")]
use metrics::{Counter, counter, describe_counter};

#[cfg(feature = "metrics")]
use super::names;

/// What stood in for the system's answer (R-RES-FB-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FallbackKind {
    /// An earlier answer to the same read.
    Stale,
    /// A neutral value for a read.
    Default,
    /// A write that was put into a queue.
    Queued,
    /// A write of which nobody knows whether it was done, told as that.
    Unconfirmed,
}

impl FallbackKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Stale, Self::Default, Self::Queued, Self::Unconfirmed];

    /// The word in metrics and events.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::Default => "default",
            Self::Queued => "queued",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

/// Tells and counts the fallbacks of one system. Its series are registered when it is made.
pub struct Fallbacks {
    system: Box<str>,
    #[cfg(feature = "metrics")]
    counters: [Counter; FallbackKind::ALL.len()],
}

impl Fallbacks {
    /// Those of this system, none so far.
    pub fn new(system: &str) -> Self {
        #[cfg(feature = "metrics")]
        describe_counter!(names::FALLBACK_CALLS, "Total number of calls answered by a fallback, by its kind");
        Self {
            system: system.into(),
            #[cfg(feature = "metrics")]
            counters: FallbackKind::ALL.map(
                |kind| counter!(names::FALLBACK_CALLS, names::NAME => system.to_owned(), names::KIND => kind.as_str()),
            ),
        }
    }

    /// An operation's call was answered by a fallback.
    pub fn used(&self, operation: &str, kind: FallbackKind) {
        #[cfg(feature = "metrics")]
        for (counter, own) in self.counters.iter().zip(FallbackKind::ALL) {
            counter.increment(u64::from(own == kind));
        }
        let kind = kind.as_str();
        tracing::warn!(external.system = &*self.system, external.operation = operation, kind, "answered by a fallback");
    }
}

impl std::fmt::Debug for Fallbacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fallbacks").field("system", &self.system).finish_non_exhaustive()
    }
}
