use std::error::Error;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use crate::error::TransportFault;
use crate::wire::DecodeError;

/// An event or item that is longer than the settings allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// What can go wrong within a stream, once it has begun.
///
/// [`Undecodable`](Self::Undecodable) is about one item, and the next may be fine; after any other the stream is over.
#[non_exhaustive]
pub enum StreamError {
    /// The connection broke.
    Transport(TransportFault),
    /// Nothing came for too long.
    TimedOut {
        /// The longest silence the settings allow.
        limit: Duration,
    },
    /// The caller's time budget is used up.
    OutOfTime,
    /// An item is longer than the settings allow.
    TooLarge {
        /// Bytes that an item may have.
        limit: usize,
    },
    /// An item is not what the document says.
    Undecodable {
        /// What is wrong with it; it may quote the item, so it is not part of this error's text.
        cause: Box<DecodeError>,
        /// The item as it came.
        item: Bytes,
    },
}

impl StreamError {
    /// Whether the stream is over.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !matches!(self, Self::Undecodable { .. })
    }

    /// Whether the stream ended before its end: the connection broke, or the system fell silent.
    pub(crate) fn is_break(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::TimedOut { .. })
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(fault) => fault.fmt(f),
            Self::TimedOut { limit } => write!(f, "nothing came for {limit:?}"),
            Self::OutOfTime => f.write_str("the caller's time is used up"),
            Self::TooLarge { limit } => write!(f, "an item of more than {limit} bytes"),
            Self::Undecodable { .. } => f.write_str("an item is something else than documented"),
        }
    }
}

/// Shows no item: it may be a secret.
impl fmt::Debug for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StreamError({self})")
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Transport(fault) => Some(fault),
            Self::Undecodable { cause, .. } => Some(cause.as_ref()),
            _ => None,
        }
    }
}
