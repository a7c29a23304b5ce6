//! Why a call gave nothing, in the words that the ports share.

use std::fmt;

use cofferdam_runtime::{CallError, Delivery};

/// Why there is no answer. `R` is the domain's word for a no.
///
/// The stubs of a first run give each port such a type of its own. Where a service has ten systems one is enough, and its
/// handlers turn every failure into an answer in one place.
#[derive(Debug)]
pub enum Failure<R> {
    /// The system said no.
    Refused {
        /// What it said.
        why: R,
        /// The number of the error for one's own clients.
        code: u32,
    },
    /// Nothing was sent: it is not to be reached now, or too many calls are under way. It may work later.
    Unavailable(CallError<R>),
    /// The request may have arrived, its answer did not: find out before it is repeated.
    InDoubt(CallError<R>),
    /// The system failed, or its answer makes no sense.
    Failed(CallError<R>),
}

impl<R> Failure<R> {
    /// The number of the error for one's own clients: stable, and within the range of the system.
    pub fn code(&self) -> u32 {
        match self {
            Self::Refused { code, .. } => *code,
            Self::Unavailable(error) | Self::InDoubt(error) | Self::Failed(error) => error.code(),
        }
    }

    /// The no, if it is one.
    pub fn refusal(&self) -> Option<&R> {
        match self {
            Self::Refused { why, .. } => Some(why),
            Self::Unavailable(_) | Self::InDoubt(_) | Self::Failed(_) => None,
        }
    }
}

impl<R> From<CallError<R>> for Failure<R> {
    fn from(error: CallError<R>) -> Self {
        let code = error.code();
        match error {
            CallError::Rejected { rejection, .. } => Self::Refused { why: rejection, code },
            other => match other.delivery() {
                Delivery::NotSent => Self::Unavailable(other),
                Delivery::MaybeSent => Self::InDoubt(other),
                Delivery::Answered => Self::Failed(other),
            },
        }
    }
}

impl<R: fmt::Debug> fmt::Display for Failure<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { why, .. } => write!(f, "refused: {why:?}"),
            Self::Unavailable(cause) => write!(f, "not available now: {cause}"),
            Self::InDoubt(cause) => write!(f, "it is not known whether it was done: {cause}"),
            Self::Failed(cause) => write!(f, "failed: {cause}"),
        }
    }
}

impl<R: fmt::Debug> std::error::Error for Failure<R> {}
