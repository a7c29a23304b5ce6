use std::error::Error;
use std::fmt;

/// An exchange that broke before a whole reply was there.
#[derive(Debug)]
pub struct TransportFault {
    kind: FaultKind,
    source: Box<dyn Error + Send + Sync>,
}

/// Where an exchange broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The host name led nowhere.
    Dns,
    /// No connection: refused, unreachable.
    Connect,
    /// The connection stands, TLS does not: a certificate, a version.
    Tls,
    /// The connection ended before the reply began, or the request could not be written.
    Closed,
    /// The system sent the request back without having done anything with it (HTTP/2: REFUSED_STREAM, or a GOAWAY that
    /// names an earlier stream as the last).
    Unprocessed,
    /// The system broke the exchange off, the connection stands (HTTP/2: RST_STREAM).
    Reset,
    /// The connection ended within the reply.
    Truncated,
    /// What came back is no HTTP.
    Protocol,
    /// The reply is longer than the settings allow.
    ReplyTooLarge,
    /// The token for the call could not be had.
    Token,
    /// Anything else.
    Other,
}

impl FaultKind {
    /// A word for metrics and spans: `dns`, `reply_too_large`, ….
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Closed => "closed",
            Self::Unprocessed => "unprocessed",
            Self::Reset => "reset",
            Self::Truncated => "truncated",
            Self::Protocol => "protocol",
            Self::ReplyTooLarge => "reply_too_large",
            Self::Token => "token",
            Self::Other => "other",
        }
    }
}

impl TransportFault {
    /// A fault with its cause. The cause may be logged: it must not contain a URL with a query.
    pub fn new(kind: FaultKind, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, source: source.into() }
    }

    /// Where it broke.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// Whether the same request might go through a moment later.
    pub(crate) fn is_transient(&self) -> bool {
        self.kind != FaultKind::ReplyTooLarge
    }
}

impl fmt::Display for TransportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            FaultKind::Dns => "the host name was not found",
            FaultKind::Connect => "no connection",
            FaultKind::Tls => "no TLS session",
            FaultKind::Closed => "the connection ended before the reply",
            FaultKind::Unprocessed => "the system sent the request back unprocessed",
            FaultKind::Reset => "the system broke the exchange off",
            FaultKind::Truncated => "the connection ended within the reply",
            FaultKind::Protocol => "the reply is no HTTP",
            FaultKind::ReplyTooLarge => "the reply is longer than allowed",
            FaultKind::Token => "no access token",
            FaultKind::Other => "the exchange failed",
        })?;
        // Causes wrap each other, and only the innermost says what happened ("Connection refused").
        let mut innermost: &(dyn Error + 'static) = self.source.as_ref();
        while let Some(deeper) = innermost.source() {
            innermost = deeper;
        }
        write!(f, ": {innermost}")
    }
}

impl Error for TransportFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.source.as_ref())
    }
}

/// What was going on when the time ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeoutPhase {
    /// Nothing yet: the caller's budget left no time for an attempt.
    Deadline,
    /// Waiting for a place in the bulkhead.
    Bulkhead,
    /// Waiting for a connection, or for the access token that the call needs.
    Connect,
    /// Waiting for the first byte of the reply.
    Reply,
    /// Waiting for more of the reply.
    Body,
    /// Somewhere in the attempt.
    Attempt,
}

impl fmt::Display for TimeoutPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deadline => "before an attempt could begin",
            Self::Bulkhead => "waiting for a place in the bulkhead",
            Self::Connect => "connecting",
            Self::Reply => "waiting for the reply",
            Self::Body => "reading the reply",
            Self::Attempt => "in the attempt",
        })
    }
}
