use std::error::Error;
use std::fmt;
use std::time::Duration;

use http::StatusCode;

use super::{CallSite, Delivery, NotSentCause, TimeoutPhase, TransportFault};
use crate::MappingError;
use crate::http::RawReply;
use crate::wire::DecodeError;

/// What a protected call answers when there is no outcome. `R` is the domain's own word for a no.
#[non_exhaustive]
pub enum CallError<R> {
    /// The breaker is open: nothing was sent (R-RES-CB-6).
    CircuitOpen {
        /// The call.
        at: CallSite,
        /// When it may be worth trying again: after the rest of the wait, or when the probes that are out have ended.
        retry_after: Duration,
    },
    /// Too many calls to the system are under way: nothing was sent.
    BulkheadFull {
        /// The call.
        at: CallSite,
        /// How long it waited for a place.
        waited: Duration,
    },
    /// The system's quota is used up by our own count: nothing was sent.
    RateLimited {
        /// The call.
        at: CallSite,
        /// When there is room again.
        retry_after: Duration,
    },
    /// It took too long.
    TimedOut {
        /// The call.
        at: CallSite,
        /// What was going on.
        phase: TimeoutPhase,
        /// The limit that was hit.
        limit: Duration,
    },
    /// The exchange broke.
    Transport {
        /// The call.
        at: CallSite,
        /// Where it broke.
        fault: TransportFault,
    },
    /// The system failed (5xx).
    ServerError {
        /// The call.
        at: CallSite,
        /// The status.
        status: StatusCode,
        /// The domain's word for it, if the failure is documented and could be read.
        rejection: Option<R>,
        /// The reply as it came.
        reply: Box<RawReply>,
    },
    /// The system said no.
    Rejected {
        /// The call.
        at: CallSite,
        /// The status; `None` if the no stood in the body of a success.
        status: Option<StatusCode>,
        /// The domain's word for it.
        rejection: R,
    },
    /// A status the document does not know.
    Unexpected {
        /// The call.
        at: CallSite,
        /// The status.
        status: StatusCode,
        /// The reply as it came.
        reply: Box<RawReply>,
    },
    /// A documented status whose reply is not what the document says.
    Undecodable {
        /// The call.
        at: CallSite,
        /// The status.
        status: StatusCode,
        /// What is wrong with it; it may quote the reply, so it is not part of this error's text.
        cause: Box<DecodeError>,
        /// The reply as it came.
        reply: Box<RawReply>,
    },
    /// The mapper found no place for a value.
    Mapping {
        /// The call. Its delivery tells whether it was the request or the reply.
        at: CallSite,
        /// The mapper's words.
        error: MappingError,
    },
    /// The request could not be made: an argument that cannot be sent, a credential that is missing.
    NotSent {
        /// The call.
        at: CallSite,
        /// Why.
        cause: NotSentCause,
    },
}

/// What is added to a system's first code, by kind of error. Stable: never renumber.
pub(crate) mod code {
    pub(crate) const CIRCUIT_OPEN: u32 = 1;
    pub(crate) const BULKHEAD_FULL: u32 = 2;
    pub(crate) const RATE_LIMITED: u32 = 3;
    pub(crate) const TIMED_OUT: u32 = 4;
    pub(crate) const TRANSPORT: u32 = 5;
    pub(crate) const SERVER_ERROR: u32 = 6;
    pub(crate) const REJECTED: u32 = 7;
    pub(crate) const UNEXPECTED: u32 = 8;
    pub(crate) const UNDECODABLE: u32 = 9;
    pub(crate) const MAPPING: u32 = 10;
    pub(crate) const NOT_SENT: u32 = 11;
}

impl<R> CallError<R> {
    /// The call this is about.
    pub fn at(&self) -> &CallSite {
        match self {
            Self::CircuitOpen { at, .. }
            | Self::BulkheadFull { at, .. }
            | Self::RateLimited { at, .. }
            | Self::TimedOut { at, .. }
            | Self::Transport { at, .. }
            | Self::ServerError { at, .. }
            | Self::Rejected { at, .. }
            | Self::Unexpected { at, .. }
            | Self::Undecodable { at, .. }
            | Self::Mapping { at, .. }
            | Self::NotSent { at, .. } => at,
        }
    }

    /// The system.
    pub fn system(&self) -> &'static str {
        self.at().system
    }

    /// The operation's id.
    pub fn operation(&self) -> &'static str {
        self.at().operation
    }

    /// Attempts that were begun.
    pub fn attempts(&self) -> u32 {
        self.at().attempts
    }

    /// Whether the system may have got the request, over all attempts.
    pub fn delivery(&self) -> Delivery {
        self.at().delivery
    }

    /// A word for spans, logs and metrics: `circuit_open`, `timed_out`, `connect`, `rejected`, ….
    pub fn kind(&self) -> &'static str {
        match self {
            Self::CircuitOpen { .. } => "circuit_open",
            Self::BulkheadFull { .. } => "bulkhead_full",
            Self::RateLimited { .. } => "rate_limited",
            Self::TimedOut { .. } => "timed_out",
            Self::Transport { fault, .. } => fault.kind().as_str(),
            Self::ServerError { .. } => "server_error",
            Self::Rejected { .. } => "rejected",
            Self::Unexpected { .. } => "unexpected",
            Self::Undecodable { .. } => "undecodable",
            Self::Mapping { .. } => "mapping",
            Self::NotSent { .. } => "not_sent",
        }
    }

    /// Stable number for one's own clients, within the range the settings give the system.
    pub fn code(&self) -> u32 {
        self.at().code
    }

    /// The system's own status, if it answered.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::ServerError { status, .. } | Self::Unexpected { status, .. } | Self::Undecodable { status, .. } => {
                Some(*status)
            }
            Self::Rejected { status, .. } => *status,
            _ => None,
        }
    }

    /// The reply as it came, where the domain has no word for it.
    pub fn reply(&self) -> Option<&RawReply> {
        match self {
            Self::ServerError { reply, .. } | Self::Unexpected { reply, .. } | Self::Undecodable { reply, .. } => {
                Some(reply)
            }
            _ => None,
        }
    }

    /// The no itself.
    pub fn rejection(&self) -> Option<&R> {
        match self {
            Self::Rejected { rejection, .. } => Some(rejection),
            Self::ServerError { rejection, .. } => rejection.as_ref(),
            _ => None,
        }
    }

    /// Whether the system could not answer, at this moment or at all: it is not there, too slow or failing, or we keep
    /// away from it. A no is an answer, and so is one that makes no sense to us.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::CircuitOpen { .. }
            | Self::BulkheadFull { .. }
            | Self::RateLimited { .. }
            | Self::TimedOut { .. }
            | Self::Transport { .. }
            | Self::ServerError { .. } => true,
            Self::Rejected { .. }
            | Self::Unexpected { .. }
            | Self::Undecodable { .. }
            | Self::Mapping { .. }
            | Self::NotSent { .. } => false,
        }
    }

    /// When it may be worth trying again, if that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::CircuitOpen { retry_after, .. } | Self::RateLimited { retry_after, .. } => Some(*retry_after),
            Self::ServerError { reply, .. } | Self::Unexpected { reply, .. } => {
                crate::retry::retry_after(&reply.headers)
            }
            _ => None,
        }
    }

    /// The HTTP status a service might answer its own caller with.
    pub fn suggested_status(&self) -> u16 {
        match self {
            Self::CircuitOpen { .. } | Self::BulkheadFull { .. } | Self::RateLimited { .. } => 503,
            Self::TimedOut { .. } => 504,
            Self::Transport { .. } | Self::ServerError { .. } | Self::Unexpected { .. } | Self::Undecodable { .. } => {
                502
            }
            Self::Rejected { status, .. } => suggested_for_a_no(*status),
            Self::Mapping { .. } | Self::NotSent { .. } => 500,
        }
    }
}

/// A no is about what was asked, so most become 422; 404 and 409 say more. That *we* are not allowed, or ask too
/// often, is no fault of our own caller's.
fn suggested_for_a_no(status: Option<StatusCode>) -> u16 {
    match status.map(|status| status.as_u16()) {
        Some(status @ (404 | 409 | 410 | 412)) => status,
        Some(401 | 403 | 407) => 502,
        Some(429) => 503,
        _ => 422,
    }
}

impl<R> fmt::Display for CallError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.at())?;
        match self {
            Self::CircuitOpen { retry_after, .. } => {
                write!(f, "the circuit breaker is open, next try in {retry_after:?}")?;
            }
            Self::BulkheadFull { waited, .. } => {
                write!(f, "too many calls at once, no place within {waited:?}")?;
            }
            Self::RateLimited { retry_after, .. } => write!(f, "quota used up, next in {retry_after:?}")?,
            Self::TimedOut { phase, limit, .. } => write!(f, "timed out after {limit:?} {phase}")?,
            Self::Transport { fault, .. } => fault.fmt(f)?,
            Self::ServerError { status, .. } => write!(f, "the system failed with {status}")?,
            Self::Rejected { status: Some(status), .. } => write!(f, "rejected with {status}")?,
            Self::Rejected { status: None, .. } => f.write_str("rejected by the reply's body")?,
            Self::Unexpected { status, .. } => write!(f, "answered {status}, which is not documented")?,
            Self::Undecodable { status, .. } => {
                write!(f, "answered {status} with something else than documented")?;
            }
            Self::Mapping { error, .. } => write!(f, "mapping: {error}")?,
            Self::NotSent { cause, .. } => write!(f, "not sent: {cause}")?,
        }
        match self.attempts() {
            0 | 1 => Ok(()),
            attempts => write!(f, " ({attempts} attempts)"),
        }
    }
}

impl<R> fmt::Debug for CallError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallError({self}; {:?}, code {})", self.delivery(), self.code())
    }
}

impl<R> Error for CallError<R> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Transport { fault, .. } => Some(fault),
            Self::Undecodable { cause, .. } => Some(cause.as_ref()),
            Self::Mapping { error, .. } => Some(error),
            _ => None,
        }
    }
}
