//! What the end of an attempt means for its task.

use std::time::Duration;

use super::job::Finish;
use crate::{CallError, Delivery, NotSentCause, TimeoutPhase};

/// How an attempt ended.
#[derive(Debug)]
pub(super) enum End {
    /// It is done.
    Done(Finish),
    /// The answer is not there yet: ask again.
    Again(Duration),
    /// It was not tried, and that is nobody's failure.
    Postponed { after: Option<Duration>, reason: Reason, may_have_arrived: bool },
    /// It failed, and may be tried again: nothing arrived, or the system knows a repetition.
    Failed { after: Option<Duration>, reason: Reason, may_have_arrived: bool },
    /// It will never succeed: the system said no, or nothing could be sent.
    Refused(Reason),
    /// It may have arrived, and must not be sent again.
    Unconfirmed(Reason),
}

/// Why, for people and for one's own clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) text: String,
    pub(super) code: Option<u32>,
}

impl Reason {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), code: None }
    }

    /// The error's own text: it holds nothing of the system's words.
    fn of<R>(error: &CallError<R>) -> Self {
        Self { text: error.to_string(), code: Some(error.code()) }
    }
}

/// The end of a write that is sent at most once (R-RES-RE-X1): only what surely never left may be tried again. What left and
/// was answered with a no has failed; everything else that left is unconfirmed, a 5xx included, since a gateway that timed
/// out says the same.
pub(super) fn of_once<R>(error: &CallError<R>) -> End {
    let reason = Reason::of(error);
    if error.delivery() == Delivery::NotSent {
        return unsent(error, reason);
    }
    match is_a_no(error) {
        true => End::Refused(reason),
        false => End::Unconfirmed(reason),
    }
}

/// The end of a read, or of a write whose repetition the system knows by its key.
pub(super) fn of_repeatable<R>(error: &CallError<R>) -> End {
    let reason = Reason::of(error);
    if is_kept_away(error) || error.delivery() == Delivery::NotSent {
        return unsent(error, reason);
    }
    match error {
        // What was answered cannot be understood; it will not be the next time.
        CallError::Mapping { .. } => End::Refused(reason),
        _ if is_a_no(error) && !asks_for_time(error) => End::Refused(reason),
        _ => End::Failed { after: error.retry_after(), reason, may_have_arrived: true },
    }
}

fn unsent<R>(error: &CallError<R>, reason: Reason) -> End {
    match error {
        _ if is_kept_away(error) => {
            // A repeatable call may have been kept away from its second attempt.
            let may_have_arrived = error.delivery() != Delivery::NotSent;
            End::Postponed { after: error.retry_after(), reason, may_have_arrived }
        }
        // The request itself is wrong, and will be the next time. A credential may be mended meanwhile.
        CallError::Mapping { .. } => End::Refused(reason),
        CallError::NotSent { cause: NotSentCause::Argument(_) | NotSentCause::Request(_), .. } => End::Refused(reason),
        _ => End::Failed { after: error.retry_after(), reason, may_have_arrived: false },
    }
}

/// Whether we keep away from the system at this moment: no failure of the task's.
fn is_kept_away<R>(error: &CallError<R>) -> bool {
    match error {
        CallError::CircuitOpen { .. } | CallError::BulkheadFull { .. } | CallError::RateLimited { .. } => true,
        CallError::TimedOut { phase, .. } => matches!(phase, TimeoutPhase::Bulkhead | TimeoutPhase::Deadline),
        _ => false,
    }
}

/// Whether the system said no: a documented one, or a 4xx it does not document. A 408 is none: who gave up on a request may
/// have done it all the same.
fn is_a_no<R>(error: &CallError<R>) -> bool {
    let status = error.status().map(|status| status.as_u16());
    match error {
        CallError::Rejected { .. } => status != Some(408),
        CallError::Unexpected { .. } => status.is_some_and(|status| (400..500).contains(&status) && status != 408),
        _ => false,
    }
}

/// Whether the no says that a later moment may be better.
fn asks_for_time<R>(error: &CallError<R>) -> bool {
    error.status().is_some_and(|status| matches!(status.as_u16(), 425 | 429))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, StatusCode};

    use super::*;
    use crate::http::RawReply;
    use crate::{CallSite, FaultKind, MappingError, TransportFault};

    fn at(delivery: Delivery) -> CallSite {
        CallSite { system: "acme", operation: "pay", attempts: 1, delivery, code: 7 }
    }

    fn word(end: &End) -> &'static str {
        match end {
            End::Done(_) => "done",
            End::Again(_) => "again",
            End::Postponed { .. } => "postponed",
            End::Failed { may_have_arrived: true, .. } => "failed, may have arrived",
            End::Failed { may_have_arrived: false, .. } => "failed",
            End::Refused(_) => "refused",
            End::Unconfirmed(_) => "unconfirmed",
        }
    }

    fn reply(status: u16) -> Box<RawReply> {
        let status = StatusCode::from_u16(status).unwrap();
        Box::new(RawReply { status, headers: HeaderMap::new(), body: bytes::Bytes::new() })
    }

    fn errors() -> Vec<(CallError<()>, &'static str, &'static str)> {
        use Delivery::{Answered, MaybeSent, NotSent};
        let second = Duration::from_secs(1);
        let fault = || TransportFault::new(FaultKind::Connect, "gone");
        let timed_out = |phase, delivery| CallError::TimedOut { at: at(delivery), phase, limit: second };
        let server = |status: u16| {
            let reply = reply(status);
            CallError::ServerError { at: at(Answered), status: reply.status, rejection: None, reply }
        };
        let unexpected = |status: u16| {
            let reply = reply(status);
            CallError::Unexpected { at: at(Answered), status: reply.status, reply }
        };
        let rejected = |status: Option<u16>| CallError::Rejected {
            at: at(Answered),
            status: status.map(|status| StatusCode::from_u16(status).unwrap()),
            rejection: (),
        };
        let mapping = |delivery| CallError::Mapping { at: at(delivery), error: MappingError::new("odd") };
        let request = NotSentCause::Request("odd".to_owned());
        vec![
            // The error, what becomes of a write without a key, and of a repeatable call.
            (CallError::CircuitOpen { at: at(NotSent), retry_after: second }, "postponed", "postponed"),
            (CallError::CircuitOpen { at: at(MaybeSent), retry_after: second }, "unconfirmed", "postponed"),
            (CallError::BulkheadFull { at: at(NotSent), waited: second }, "postponed", "postponed"),
            (CallError::RateLimited { at: at(NotSent), retry_after: second }, "postponed", "postponed"),
            (timed_out(TimeoutPhase::Bulkhead, NotSent), "postponed", "postponed"),
            (timed_out(TimeoutPhase::Connect, NotSent), "failed", "failed"),
            (timed_out(TimeoutPhase::Reply, MaybeSent), "unconfirmed", "failed, may have arrived"),
            (CallError::Transport { at: at(NotSent), fault: fault() }, "failed", "failed"),
            (CallError::Transport { at: at(MaybeSent), fault: fault() }, "unconfirmed", "failed, may have arrived"),
            (server(500), "unconfirmed", "failed, may have arrived"),
            (server(504), "unconfirmed", "failed, may have arrived"),
            (rejected(Some(422)), "refused", "refused"),
            (rejected(None), "refused", "refused"),
            (rejected(Some(408)), "unconfirmed", "failed, may have arrived"),
            (rejected(Some(429)), "refused", "failed, may have arrived"),
            (unexpected(404), "refused", "refused"),
            (unexpected(408), "unconfirmed", "failed, may have arrived"),
            (unexpected(302), "unconfirmed", "failed, may have arrived"),
            (unexpected(204), "unconfirmed", "failed, may have arrived"),
            (mapping(NotSent), "refused", "refused"),
            (mapping(Answered), "unconfirmed", "refused"),
            (CallError::NotSent { at: at(NotSent), cause: request }, "refused", "refused"),
        ]
    }

    #[test]
    fn r_res_re_x1_only_what_surely_never_left_is_tried_again_without_a_key() {
        for (error, once, repeatable) in errors() {
            assert_eq!(word(&of_once(&error)), once, "{error:?}");
            assert_eq!(word(&of_repeatable(&error)), repeatable, "{error:?}");
            let tried_again = matches!(of_once(&error), End::Postponed { .. } | End::Failed { .. });
            assert!(!tried_again || error.delivery() == Delivery::NotSent, "{error:?}");
        }
    }

    #[test]
    fn an_open_breaker_says_when_it_is_worth_trying_again() {
        let error: CallError<()> =
            CallError::CircuitOpen { at: at(Delivery::NotSent), retry_after: Duration::from_secs(30) };
        let End::Postponed { after, reason, .. } = of_once(&error) else { panic!("{error:?}") };
        assert_eq!((after, reason.code), (Some(Duration::from_secs(30)), Some(7)));
    }
}
