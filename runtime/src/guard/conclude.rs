use std::time::Duration;

use tracing::Span;

use super::attempt::{Refused, Stop};
use super::call::Call;
use super::telemetry;
use crate::bulkhead::NoPlace;
use crate::error::{CallError, ClientError, FaultKind, TimeoutPhase, TransportFault, code};
use crate::http::{ByteStream, StreamError};
use crate::{Answer, Mapping, MappingError, Operation, Refusal};

impl Call<'_> {
    /// Turns what the last attempt brought into the domain's words. No layer is around this any more.
    #[inline(always)]
    pub(super) fn conclude<Op, M>(
        &mut self,
        span: &Span,
        mapping: &M,
        answer: Option<Result<Op::Reply, ClientError<Op::Rejection>>>,
    ) -> Answer<M, Op>
    where
        Op: Operation,
        M: Mapping<Op>,
    {
        let error = match answer {
            Some(Ok(reply)) => match span.in_scope(|| mapping.outcome(reply)) {
                Ok(outcome) => return Ok(outcome),
                Err(refusal) => self.refusal(refusal),
            },
            Some(Err(error)) => span.in_scope(|| self.no_reply::<Op, M>(mapping, Some(error))),
            None => self.no_reply::<Op, M>(mapping, None),
        };
        telemetry::ended(span, &error);
        Err(error)
    }

    /// A reply that is no outcome.
    pub(super) fn refusal<R>(&self, refusal: Refusal<R>) -> CallError<R> {
        match refusal {
            Refusal::Rejected(rejection) => {
                CallError::Rejected { at: self.site(code::REJECTED), status: None, rejection }
            }
            Refusal::Unmappable(error) => self.unmapped(error),
        }
    }

    /// Why there is no reply, in the domain's words: the client's own, or why the call was stopped.
    pub(super) fn no_reply<Op, M>(
        &mut self,
        mapping: &M,
        error: Option<ClientError<Op::Rejection>>,
    ) -> CallError<M::Rejection>
    where
        Op: Operation,
        M: Mapping<Op>,
    {
        match error {
            Some(error) => self.client_error::<Op, M>(mapping, error),
            None => self.not_answered(),
        }
    }

    /// Why the call was stopped before the client had a word.
    pub(super) fn not_answered<R>(&mut self) -> CallError<R> {
        match self.stopped() {
            Some(Stop::OutOfTime { limit }) => self.timed_out(TimeoutPhase::Attempt, limit),
            Some(Stop::Refused(refused)) => self.not_begun(refused),
            None => self.not_begun(Refused::OutOfTime),
        }
    }

    /// What ended a stream, or spoiled an item of it.
    pub(super) fn within_stream<R>(&self, bytes: &ByteStream, error: StreamError) -> CallError<R> {
        match error {
            StreamError::Transport(fault) => CallError::Transport { at: self.site(code::TRANSPORT), fault },
            StreamError::TimedOut { limit } => self.timed_out(TimeoutPhase::Body, limit),
            StreamError::OutOfTime => self.timed_out(TimeoutPhase::Body, self.time_left()),
            StreamError::TooLarge { .. } => {
                let fault = TransportFault::new(FaultKind::ReplyTooLarge, error.to_string());
                CallError::Transport { at: self.site(code::TRANSPORT), fault }
            }
            StreamError::Undecodable { cause, item } => {
                let reply = Box::new(bytes.reply_with(item));
                CallError::Undecodable { at: self.site(code::UNDECODABLE), status: reply.status, cause, reply }
            }
        }
    }

    pub(super) fn unmapped<R>(&self, error: MappingError) -> CallError<R> {
        CallError::Mapping { at: self.site(code::MAPPING), error }
    }

    fn client_error<Op, M>(&self, mapping: &M, error: ClientError<Op::Rejection>) -> CallError<M::Rejection>
    where
        Op: Operation,
        M: Mapping<Op>,
    {
        match error {
            ClientError::NotSent(cause) => CallError::NotSent { at: self.site(code::NOT_SENT), cause },
            ClientError::Transport { fault, .. } => CallError::Transport { at: self.site(code::TRANSPORT), fault },
            ClientError::TimedOut { phase, limit, .. } => self.timed_out(phase, limit),
            ClientError::Server { rejection, reply } => {
                let status = reply.status;
                let rejection = rejection.map(|body| mapping.rejection(status, *body));
                CallError::ServerError { at: self.site(code::SERVER_ERROR), status, rejection, reply }
            }
            ClientError::Rejected { rejection, reply } => {
                let rejection = mapping.rejection(reply.status, *rejection);
                CallError::Rejected { at: self.site(code::REJECTED), status: Some(reply.status), rejection }
            }
            ClientError::Unexpected { reply } => {
                CallError::Unexpected { at: self.site(code::UNEXPECTED), status: reply.status, reply }
            }
            ClientError::Undecodable { cause, reply } => {
                CallError::Undecodable { at: self.site(code::UNDECODABLE), status: reply.status, cause, reply }
            }
        }
    }

    /// The attempt did not begin.
    fn not_begun<R>(&self, refused: Refused) -> CallError<R> {
        match refused {
            Refused::NotPermitted(refused) => CallError::CircuitOpen {
                at: self.site(code::CIRCUIT_OPEN),
                // In half-open there is room again when the probes have ended, which takes them no longer than this.
                retry_after: refused.retry_after.unwrap_or_else(|| self.limit()),
            },
            Refused::RateLimited(limited) => {
                CallError::RateLimited { at: self.site(code::RATE_LIMITED), retry_after: limited.retry_after }
            }
            Refused::NoPlace { why: NoPlace::Full, waited } => {
                CallError::BulkheadFull { at: self.site(code::BULKHEAD_FULL), waited }
            }
            Refused::NoPlace { why: NoPlace::TimedOut, waited } => self.timed_out(TimeoutPhase::Bulkhead, waited),
            Refused::OutOfTime => self.timed_out(TimeoutPhase::Deadline, self.time_left()),
        }
    }

    fn timed_out<R>(&self, phase: TimeoutPhase, limit: Duration) -> CallError<R> {
        CallError::TimedOut { at: self.site(code::TIMED_OUT), phase, limit }
    }
}
