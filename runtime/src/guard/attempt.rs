use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Instrument;

use super::call::Call;
use super::vote::Vote;
use super::{Shared, classify, telemetry};
use crate::attempt_scope;
use crate::breaker::NotPermitted;
use crate::bulkhead::NoPlace;
use crate::error::{ClientError, Delivery, TimeoutPhase};
use crate::{Mapping, Operation, Verdict};

/// Why an attempt ended without a reply.
#[derive(Debug)]
pub(super) enum Stop<R> {
    /// It did not begin.
    Refused(Refused),
    /// The client's own word.
    Client(ClientError<R>),
}

/// Why an attempt did not begin.
#[derive(Debug)]
pub(super) enum Refused {
    /// The caller's budget leaves no time for it.
    OutOfTime,
    /// The breaker did not let it through.
    NotPermitted(NotPermitted),
    /// The bulkhead had no place for it.
    NoPlace { why: NoPlace, waited: Duration },
}

/// An attempt that is over, and what it says about the system.
pub(super) struct Judged<T, R> {
    pub(super) result: Result<T, Stop<R>>,
    pub(super) verdict: Verdict,
}

impl<T, R> Judged<T, R> {
    /// One that never began.
    pub(super) fn not_begun(refused: Refused) -> Self {
        Self { result: Err(Stop::Refused(refused)), verdict: Verdict::Ignored }
    }
}

/// The time an attempt has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) now: Instant,
    pub(super) end: Instant,
}

impl Shared {
    /// One attempt with a vote of its own: breaker ▸ time limit ▸ bulkhead ▸ client.
    pub(super) async fn recorded<Op, M, F, Fut>(
        &self,
        call: &mut Call,
        mapping: &M,
        begin: F,
    ) -> Judged<Op::Reply, Op::Rejection>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        let Some(span) = call.next_span() else { return Judged::not_begun(Refused::OutOfTime) };
        let mut vote = match self.admit() {
            Ok(vote) => vote,
            Err(refused) => return Judged::not_begun(refused),
        };
        let judged = self.attempt::<Op, M, F, Fut>(call, span, &mut vote, mapping, begin).await;
        self.record(vote, judged.verdict);
        judged
    }

    /// One attempt whose outcome is noted in a vote that others share: time limit ▸ bulkhead ▸ client.
    pub(super) async fn attempt<Op, M, F, Fut>(
        &self,
        call: &mut Call,
        span: Span,
        vote: &mut Vote<'_>,
        mapping: &M,
        begin: F,
    ) -> Judged<Op::Reply, Op::Rejection>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        let result = self.exchange(call, span, vote, begin).await;
        let elapsed = vote.exchange_ended();
        let verdict = match &result {
            Ok(reply) => mapping.verdict(reply),
            Err(stop) => classify::health(stop, call.was_in_haste(span, elapsed)),
        };
        Judged { result, verdict }
    }

    /// Asks the breaker.
    pub(super) fn admit(&self) -> Result<Vote<'_>, Refused> {
        match self.breaker.try_acquire() {
            Ok(permit) => Ok(Vote::new(permit, &self.meters)),
            Err(refused) => {
                self.meters.not_permitted();
                Err(Refused::NotPermitted(refused))
            }
        }
    }

    /// Tells the breaker how it went.
    pub(super) fn record(&self, vote: Vote<'_>, verdict: Verdict) {
        if let Some(now) = vote.record(verdict)
            && self.meters.is_due(now)
        {
            self.publish();
        }
    }

    async fn exchange<T, R, F, Fut>(
        &self,
        call: &mut Call,
        span: Span,
        vote: &mut Vote<'_>,
        begin: F,
    ) -> Result<T, Stop<R>>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let Span { now, end } = span;
        let place = match call.bulkhead.enabled {
            true => match self.bulkhead.enter(call.bulkhead.max_wait, end).await {
                Ok(place) => Some(place),
                Err(why) => {
                    self.meters.no_place();
                    return Err(Stop::Refused(Refused::NoPlace { why, waited: now.elapsed() }));
                }
            },
            false => None,
        };
        let started = if place.as_ref().is_some_and(|place| place.waited) { Instant::now() } else { now };
        vote.exchange_begins(started);
        call.attempt_begins();
        let span = telemetry::attempt(call);
        let attempt = begin().instrument(span.clone());
        let ended = attempt_scope::run(end, call.trace(), attempt).await;
        let result = ended.output.unwrap_or_else(|| {
            let limit = end.saturating_duration_since(now);
            Err(ClientError::TimedOut { phase: TimeoutPhase::Attempt, limit, delivery: Delivery::MaybeSent })
        });
        telemetry::attempt_ended(&span, &result);
        let delivery = result.as_ref().map_or_else(ClientError::delivery, |_| Delivery::Answered);
        call.attempt_ended(delivery, ended.repeatable);
        result.map_err(Stop::Client)
    }
}
