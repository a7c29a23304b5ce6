use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Instrument;

use super::call::Call;
use super::vote::Vote;
use super::{Shared, classify, telemetry};
use crate::Verdict;
use crate::attempt_scope;
use crate::breaker::{Admission, NotPermitted};
use crate::bulkhead::{NoPlace, Place};
use crate::error::{ClientError, Delivery, TimeoutPhase};

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

/// What an attempt that got its reply still has in its hands.
pub(super) struct InHand<'s> {
    pub(super) place: Option<Place<'s>>,
    pub(super) admission: Option<Admission>,
}

impl Shared {
    /// One attempt with a vote of its own: breaker ▸ time limit ▸ bulkhead ▸ client. `judge` says what a reply means for
    /// the system's health, and may keep what the attempt has in its hands.
    pub(super) async fn recorded<T, R, J, F, Fut>(&self, call: &mut Call, judge: J, begin: F) -> Judged<T, R>
    where
        J: FnOnce(&mut T, InHand<'_>) -> Verdict,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let Some(span) = call.next_span() else { return Judged::not_begun(Refused::OutOfTime) };
        let mut vote = match self.admit() {
            Ok(vote) => vote,
            Err(refused) => return Judged::not_begun(refused),
        };
        let judged = self.attempt(call, span, &mut vote, judge, begin).await;
        self.record(vote, judged.verdict);
        judged
    }

    /// One attempt whose outcome is noted in a vote that others share: time limit ▸ bulkhead ▸ client.
    pub(super) async fn attempt<T, R, J, F, Fut>(
        &self,
        call: &mut Call,
        span: Span,
        vote: &mut Vote<'_>,
        judge: J,
        begin: F,
    ) -> Judged<T, R>
    where
        J: FnOnce(&mut T, InHand<'_>) -> Verdict,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let mut place = None;
        let mut result = self.exchange(call, span, vote, &mut place, begin).await;
        let elapsed = vote.exchange_ended();
        let verdict = match &mut result {
            Ok(reply) => judge(reply, InHand { place, admission: vote.admission() }),
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

    async fn exchange<'s, T, R, F, Fut>(
        &'s self,
        call: &mut Call,
        span: Span,
        vote: &mut Vote<'_>,
        place: &mut Option<Place<'s>>,
        begin: F,
    ) -> Result<T, Stop<R>>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let Span { now, end } = span;
        if call.bulkhead.enabled {
            match self.bulkhead.enter(call.bulkhead.max_wait, end).await {
                Ok(taken) => *place = Some(taken),
                Err(why) => {
                    self.meters.no_place();
                    return Err(Stop::Refused(Refused::NoPlace { why, waited: now.elapsed() }));
                }
            }
        }
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
