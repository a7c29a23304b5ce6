//! What the end of an attempt says about the system, and whether it may be tried again. Pure decisions.

use std::time::Duration;

use http::StatusCode;

use crate::retry::retry_after;
use crate::settings::RetrySettings;
use crate::{ClientError, Verdict};

/// What a failed attempt says about the system's health.
///
/// Broken exchanges, timeouts, 5xx and answers nobody can use are its fault. A no (4xx) is a healthy answer, and what
/// never left us says nothing.
pub(super) fn health<R>(error: &ClientError<R>, in_callers_haste: bool) -> Verdict {
    match error {
        ClientError::NotSent(_) | ClientError::Rejected { .. } => Verdict::Ignored,
        // A caller with little time left says nothing about the system, unless it was slow by its own measure.
        ClientError::TimedOut { .. } if in_callers_haste => Verdict::Ignored,
        ClientError::Transport { .. } | ClientError::TimedOut { .. } | ClientError::Server { .. } => Verdict::Failure,
        ClientError::Unexpected { reply } | ClientError::Undecodable { reply, .. } => {
            if reply.status.is_client_error() { Verdict::Ignored } else { Verdict::Failure }
        }
    }
}

/// Whether an attempt may be tried again, and the wait the server asks for (R-RES-RE-2, RE-X2).
///
/// Only broken exchanges, timeouts and 5xx are: never a no, an answer nobody can read. 429 and 408 are where the
/// settings say so.
pub(super) fn may_repeat<R>(error: &ClientError<R>, settings: &RetrySettings) -> Option<Asked> {
    let asked = Asked(error.reply().and_then(|reply| retry_after(&reply.headers)));
    match error {
        ClientError::Transport { fault, .. } => fault.is_transient().then_some(asked),
        ClientError::TimedOut { .. } | ClientError::Server { .. } => Some(asked),
        ClientError::NotSent(_) => None,
        ClientError::Rejected { reply, .. }
        | ClientError::Unexpected { reply }
        | ClientError::Undecodable { reply, .. } => opted_in(reply.status, settings).then_some(asked),
    }
}

/// How a logical call ended, as its retry sees it (and Resilience4j's counts it).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// With an answer that the mapper does not call a failure, after so many attempts.
    Well(u32),
    /// With a failure of the kind that is tried again: attempts, time or budget were used up.
    Spent,
    /// With anything else: a no, a refusal.
    Unretried,
}

/// The wait a server asks for, if it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asked(pub(crate) Option<Duration>);

pub(super) fn opted_in(status: StatusCode, settings: &RetrySettings) -> bool {
    match status {
        StatusCode::TOO_MANY_REQUESTS => settings.on_429,
        StatusCode::REQUEST_TIMEOUT => settings.on_408,
        _ => false,
    }
}
