use std::time::Duration;

use crate::observability::FallbackKind;

/// What a read was answered with. The same type whether the system answered or a fallback did (R-RES-FB-2).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a degraded value is none of the system's"]
pub enum Served<T> {
    /// The system's own answer.
    Fresh(T),
    /// What stands in for it.
    Degraded(Degraded<T>),
}

/// A value that stands in for the system's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degraded<T> {
    /// The value.
    pub value: T,
    /// What it is.
    pub kind: FallbackKind,
    /// How long ago the system gave it; `None`: it is not the system's.
    pub age: Option<Duration>,
    /// Why the system's own answer is missing: the word of [`CallError::kind`](crate::CallError::kind).
    pub cause: &'static str,
}

impl<T> Served<T> {
    /// Whether something stands in for the system's answer.
    pub fn is_degraded(&self) -> bool {
        matches!(self, Self::Degraded(_))
    }

    /// The value, whoever gave it.
    pub fn value(&self) -> &T {
        match self {
            Self::Fresh(value) | Self::Degraded(Degraded { value, .. }) => value,
        }
    }

    /// The value, whoever gave it, for one who has looked or has decided not to.
    pub fn into_value(self) -> T {
        match self {
            Self::Fresh(value) | Self::Degraded(Degraded { value, .. }) => value,
        }
    }

    /// The system's own answer only.
    pub fn fresh(self) -> Option<T> {
        match self {
            Self::Fresh(value) => Some(value),
            Self::Degraded(_) => None,
        }
    }

    /// The same with the value turned into another: it stays as degraded as it was.
    pub fn map<U>(self, turn: impl FnOnce(T) -> U) -> Served<U> {
        match self {
            Self::Fresh(value) => Served::Fresh(turn(value)),
            Self::Degraded(Degraded { value, kind, age, cause }) => {
                Served::Degraded(Degraded { value: turn(value), kind, age, cause })
            }
        }
    }
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a queued write has not happened yet"]
pub enum Submitted<T, Q> {
    /// The system did it, and this is its answer.
    Done(T),
    /// It waits in the queue: as a 202 says, not done yet.
    Queued {
        /// What the queue gave for it.
        ticket: Q,
        /// Why it was not sent at once: the word of [`CallError::kind`](crate::CallError::kind).
        cause: &'static str,
    },
}

impl<T, Q> Submitted<T, Q> {
    /// Whether it waits in the queue.
    pub fn is_queued(&self) -> bool {
        matches!(self, Self::Queued { .. })
    }
}
