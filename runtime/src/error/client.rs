use std::error::Error;
use std::fmt;
use std::time::Duration;

use http::StatusCode;

use super::{Delivery, TimeoutPhase, TransportFault};
use crate::http::{BuildError, CredentialError, RawReply};
use crate::settings::MissingSystem;
use crate::wire::DecodeError;

/// What the bare client answers when there is no documented success. `R` is the operation's documented failure.
///
/// Everything large is boxed: a `Result` of it is passed up through several layers.
#[non_exhaustive]
pub enum ClientError<R> {
    /// Nothing was sent.
    NotSent(NotSentCause),
    /// The exchange broke.
    Transport {
        /// Where.
        fault: TransportFault,
        /// Whether the system may have got the request.
        delivery: Delivery,
    },
    /// It took too long.
    TimedOut {
        /// What was going on.
        phase: TimeoutPhase,
        /// The limit that was hit.
        limit: Duration,
        /// Whether the system may have got the request.
        delivery: Delivery,
    },
    /// The system failed (5xx).
    Server {
        /// Its documented body, if it has one and it could be read.
        rejection: Option<Box<R>>,
        /// The reply as it came.
        reply: Box<RawReply>,
    },
    /// A documented no.
    Rejected {
        /// What it says.
        rejection: Box<R>,
        /// The reply as it came.
        reply: Box<RawReply>,
    },
    /// A status the document does not know.
    Unexpected {
        /// The reply as it came.
        reply: Box<RawReply>,
    },
    /// A documented status whose reply is not what the document says.
    Undecodable {
        /// What is wrong with it.
        cause: Box<DecodeError>,
        /// The reply as it came.
        reply: Box<RawReply>,
    },
}

/// Why a request was not sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotSentCause {
    /// An argument cannot be sent.
    Argument(BuildError),
    /// A credential is missing or does not fit.
    Credential(CredentialError),
    /// The request cannot be put into HTTP; the text says why.
    Request(String),
}

impl fmt::Display for NotSentCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(error) => error.fmt(f),
            Self::Credential(error) => error.fmt(f),
            Self::Request(reason) => f.write_str(reason),
        }
    }
}

impl<R> ClientError<R> {
    /// Whether the system may have got the request.
    pub fn delivery(&self) -> Delivery {
        match self {
            Self::NotSent(_) => Delivery::NotSent,
            Self::Transport { delivery, .. } | Self::TimedOut { delivery, .. } => *delivery,
            Self::Server { .. } | Self::Rejected { .. } | Self::Unexpected { .. } | Self::Undecodable { .. } => {
                Delivery::Answered
            }
        }
    }

    /// The reply, if there was one.
    pub fn reply(&self) -> Option<&RawReply> {
        match self {
            Self::NotSent(_) | Self::Transport { .. } | Self::TimedOut { .. } => None,
            Self::Server { reply, .. }
            | Self::Rejected { reply, .. }
            | Self::Unexpected { reply }
            | Self::Undecodable { reply, .. } => Some(reply),
        }
    }

    /// A word for spans and logs: `timed_out`, `connect`, `rejected`, ….
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotSent(_) => "not_sent",
            Self::Transport { fault, .. } => fault.kind().as_str(),
            Self::TimedOut { .. } => "timed_out",
            Self::Server { .. } => "server_error",
            Self::Rejected { .. } => "rejected",
            Self::Unexpected { .. } => "unexpected",
            Self::Undecodable { .. } => "undecodable",
        }
    }

    /// Its status, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        self.reply().map(|reply| reply.status)
    }
}

impl<R> fmt::Display for ClientError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSent(cause) => write!(f, "not sent: {cause}"),
            Self::Transport { fault, .. } => fault.fmt(f),
            Self::TimedOut { phase, limit, .. } => write!(f, "timed out after {limit:?} {phase}"),
            Self::Server { reply, .. } => write!(f, "the system failed with {}", reply.status),
            Self::Rejected { reply, .. } => write!(f, "rejected with {}", reply.status),
            Self::Unexpected { reply } => write!(f, "answered {}, which is not documented", reply.status),
            Self::Undecodable { reply, .. } => {
                write!(f, "answered {} with something else than documented", reply.status)
            }
        }
    }
}

impl<R> fmt::Debug for ClientError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClientError({self})")
    }
}

impl<R> Error for ClientError<R> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Transport { fault, .. } => Some(fault),
            Self::Undecodable { cause, .. } => Some(cause.as_ref()),
            _ => None,
        }
    }
}

/// Why an adapter or a client could not be made.
#[derive(Debug)]
pub struct ConnectError {
    system: String,
    reason: String,
}

impl ConnectError {
    /// The system it is about and what is wrong.
    pub fn new(system: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { system: system.into(), reason: reason.into() }
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.system, self.reason)
    }
}

impl Error for ConnectError {}

impl From<MissingSystem> for ConnectError {
    fn from(missing: MissingSystem) -> Self {
        Self::new(missing.system(), missing.to_string())
    }
}
