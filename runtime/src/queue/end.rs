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
}

/// Why a task's call gave no outcome, as far as the queue must know it. Every [`CallError`] becomes one.
#[derive(Debug)]
pub struct TaskError {
    what: What,
    delivery: Delivery,
    after: Option<Duration>,
    reason: Reason,
}

/// What the error says about another attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// We keep away from the system at this moment: no failure of the task's.
    KeptAway,
    /// The request itself cannot be sent, and will not be the next time.
    Wrong,
    /// The system said no: a documented one, or a 4xx it does not document.
    No,
    /// The same, but a later moment may be better.
    NotNow,
    /// What it answered makes no sense to the domain, and will not the next time.
    Unmapped,
    /// Anything else: nobody knows, or it was not there.
    Trouble,
}

impl<R> From<CallError<R>> for TaskError {
    fn from(error: CallError<R>) -> Self {
        // The error's own text holds nothing of the system's words.
        let reason = Reason { text: error.to_string(), code: Some(error.code()) };
        Self { what: what(&error), delivery: error.delivery(), after: error.retry_after(), reason }
    }
}

impl TaskError {
    /// For a no that is none: the system failed on its side and says so in a reply, so that nobody knows whether the work was
    /// done. It is then judged as a 5xx is: a write without a key becomes unconfirmed, everything else is tried again.
    #[must_use]
    pub fn in_doubt(error: impl Into<Self>) -> Self {
        let error = error.into();
        match error.what {
            What::No | What::NotNow | What::Unmapped => Self { what: What::Trouble, ..error },
            What::KeptAway | What::Wrong | What::Trouble => error,
        }
    }

    /// The end of a write that is sent at most once (R-RES-RE-X1): only what surely never left may be tried again. What left
    /// and was answered with a no has failed; everything else that left is unconfirmed, a 5xx included, since a gateway that
    /// timed out says the same.
    pub(super) fn of_once(self) -> End {
        if self.delivery == Delivery::NotSent {
            return self.unsent();
        }
        match self.what {
            What::No | What::NotNow => End::Refused(self.reason),
            What::KeptAway | What::Wrong | What::Unmapped | What::Trouble => End::Unconfirmed(self.reason),
        }
    }

    /// The end of a read, or of a write whose repetition the system knows by its key.
    pub(super) fn of_repeatable(self) -> End {
        if self.delivery == Delivery::NotSent {
            return self.unsent();
        }
        let Self { what, after, reason, .. } = self;
        match what {
            // From another attempt than its first.
            What::KeptAway => End::Postponed { after, reason, may_have_arrived: true },
            What::Wrong | What::No | What::Unmapped => End::Refused(reason),
            What::NotNow | What::Trouble => End::Failed { after, reason, may_have_arrived: true },
        }
    }

    fn unsent(self) -> End {
        let Self { what, after, reason, .. } = self;
        match what {
            What::KeptAway => End::Postponed { after, reason, may_have_arrived: false },
            What::Wrong | What::No | What::Unmapped => End::Refused(reason),
            What::NotNow | What::Trouble => End::Failed { after, reason, may_have_arrived: false },
        }
    }
}

fn what<R>(error: &CallError<R>) -> What {
    let status = error.status().map(|status| status.as_u16());
    match error {
        CallError::CircuitOpen { .. } | CallError::BulkheadFull { .. } | CallError::RateLimited { .. } => {
            What::KeptAway
        }
        CallError::TimedOut { phase: TimeoutPhase::Bulkhead | TimeoutPhase::Deadline, .. } => What::KeptAway,
        CallError::Mapping { at, .. } if at.delivery == Delivery::NotSent => What::Wrong,
        CallError::Mapping { .. } => What::Unmapped,
        // A credential may be mended meanwhile.
        CallError::NotSent { cause: NotSentCause::Argument(_) | NotSentCause::Request(_), .. } => What::Wrong,
        CallError::Rejected { .. } => a_no(status),
        CallError::Unexpected { .. } if status.is_some_and(|status| (400..500).contains(&status)) => a_no(status),
        _ => What::Trouble,
    }
}

fn a_no(status: Option<u16>) -> What {
    match status {
        // Who gave up on a request may have done it all the same.
        Some(408) => What::Trouble,
        Some(425 | 429) => What::NotNow,
        _ => What::No,
    }
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
        Box::new(RawReply::new(status, HeaderMap::new(), bytes::Bytes::new()))
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
        for ((error, once, repeatable), (same, ..)) in errors().into_iter().zip(errors()) {
            let (shown, delivery) = (format!("{error:?}"), error.delivery());
            let end = TaskError::from(error).of_once();
            assert_eq!(word(&end), once, "{shown}");
            let tried_again = matches!(end, End::Postponed { .. } | End::Failed { .. });
            assert!(!tried_again || delivery == Delivery::NotSent, "{shown}");
            assert_eq!(word(&TaskError::from(same).of_repeatable()), repeatable, "{shown}");
        }
    }

    #[test]
    fn a_no_in_doubt_is_judged_as_a_failure_of_the_system_and_nothing_else_changes() {
        for ((error, once, repeatable), (same, ..)) in errors().into_iter().zip(errors()) {
            let shown = format!("{error:?}");
            let answered = error.delivery() == Delivery::Answered;
            let once = if answered { "unconfirmed" } else { once };
            let repeatable = if answered { "failed, may have arrived" } else { repeatable };
            assert_eq!(word(&TaskError::in_doubt(error).of_once()), once, "{shown}");
            assert_eq!(word(&TaskError::in_doubt(same).of_repeatable()), repeatable, "{shown}");
        }
    }

    #[test]
    fn an_open_breaker_says_when_it_is_worth_trying_again() {
        let error: CallError<()> =
            CallError::CircuitOpen { at: at(Delivery::NotSent), retry_after: Duration::from_secs(30) };
        let End::Postponed { after, reason, .. } = TaskError::from(error).of_once() else { panic!("not postponed") };
        assert_eq!((after, reason.code), (Some(Duration::from_secs(30)), Some(7)));
    }
}
