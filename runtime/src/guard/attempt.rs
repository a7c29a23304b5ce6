use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::call::Call;
use super::judge::Judge;
use super::shared::Shared;
use super::telemetry;
use super::vote::Vote;
use crate::Verdict;
use crate::attempt_scope;
use crate::breaker::NotPermitted;
use crate::bulkhead::NoPlace;
use crate::error::Delivery;
use crate::rate_limit::RateLimited;

/// Why an attempt ended without a reply.
#[derive(Debug)]
pub(crate) enum Stop<E> {
    /// It did not begin.
    Refused(Refused),
    /// The client's own word.
    Client(E),
    /// Its time ran out, and the client could not say where.
    OutOfTime {
        /// The time it had.
        limit: Duration,
    },
}

/// Why an attempt did not begin.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The caller's budget leaves no time for it.
    OutOfTime,
    /// The breaker did not let it through.
    NotPermitted(NotPermitted),
    /// The quota is used up.
    RateLimited(RateLimited),
    /// The bulkhead had no place for it.
    NoPlace {
        /// Whether it was full, or the attempt's time ran out.
        why: NoPlace,
        /// How long it was waited for.
        waited: Duration,
    },
}

/// An attempt that is over, and what it says about the system.
pub(crate) struct Judged<T, E> {
    pub(crate) result: Result<T, Stop<E>>,
    pub(crate) verdict: Verdict,
}

impl<T, E> Judged<T, E> {
    /// One that never began.
    pub(super) fn not_begun(refused: Refused) -> Self {
        Self { result: Err(Stop::Refused(refused)), verdict: Verdict::Ignored }
    }
}

/// The time an attempt has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(super) now: Instant,
    pub(super) end: Instant,
}

impl Shared {
    /// One attempt: breaker ▸ rate limit ▸ time limit ▸ bulkhead ▸ client. Whoever gives no vote of its own finds the
    /// breaker's here afterwards, if it let the attempt through, and has to [`record`](Self::record) the verdict.
    ///
    /// One function, not one a layer: every async function within another costs each call its share.
    pub(crate) async fn attempt<'b, J, F, Fut>(
        &'b self,
        call: &mut Call<'_>,
        mut span: Span,
        vote: &mut Option<Vote<'b>>,
        judge: &J,
        begin: F,
    ) -> Judged<J::Reply, J::Error>
    where
        J: Judge,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        if vote.is_none() {
            match self.breaker.try_acquire_at(span.now) {
                Ok(permit) => *vote = Some(Vote::new(permit)),
                Err(refused) => return Judged::not_begun(Refused::NotPermitted(refused)),
            }
        }
        if let Some(longest) = call.quota_wait {
            span = match self.within_quota(call, span, longest).await {
                Ok(span) => span,
                Err(refused) => return Judged::not_begun(refused),
            };
        }
        // Waiting for a place is part of the attempt's time, but not of the system's.
        let (mut began, mut place) = (span.now, None);
        if call.bulkhead.enabled {
            place = self.bulkhead.try_enter();
            if place.is_none() {
                let entered = self.bulkhead.wait(call.bulkhead.max_wait, span.end).await;
                began = Instant::now();
                match entered {
                    Ok(entered) => place = Some(entered),
                    Err(why) => {
                        let waited = began.saturating_duration_since(span.now);
                        return Judged::not_begun(Refused::NoPlace { why, waited });
                    }
                }
            }
        }
        if let Some(vote) = vote {
            vote.exchange_begins(began);
        }
        call.attempt_begins();
        let ended = attempt_scope::run(span.end, telemetry::attempt(call), begin()).await;
        drop(place);
        let elapsed = vote.as_mut().map_or(Duration::ZERO, Vote::exchange_ended);
        match ended.output {
            Some(Ok(reply)) => {
                call.attempt_ended(Delivery::Answered, ended.repeatable);
                let verdict = judge.reply(&reply);
                Judged { result: Ok(reply), verdict }
            }
            Some(Err(error)) => {
                call.attempt_ended(judge.delivery(&error), ended.repeatable);
                let verdict = judge.error(&error, call.was_in_haste(span, elapsed));
                Judged { result: Err(Stop::Client(error)), verdict }
            }
            None => {
                call.attempt_ended(Delivery::MaybeSent, ended.repeatable);
                // A caller with little time left says nothing about the system, unless it was slow by its own measure.
                let in_haste = call.was_in_haste(span, elapsed);
                let limit = span.end.saturating_duration_since(span.now);
                let verdict = if in_haste { Verdict::Ignored } else { Verdict::Failure };
                Judged { result: Err(Stop::OutOfTime { limit }), verdict }
            }
        }
    }

    /// Tells the breaker how it went, if it let it through.
    #[inline]
    pub(crate) fn record(&self, vote: Option<Vote<'_>>, verdict: Verdict) {
        if let Some(vote) = vote {
            vote.record(verdict);
        }
    }

    /// Waits until the quota has room for an attempt, if that is soon enough. The time the attempt has from then on.
    async fn within_quota(&self, call: &Call<'_>, span: Span, longest: Duration) -> Result<Span, Refused> {
        let longest = longest.min(call.longest_wait(span.now));
        let wait = self.rate_limiter.reserve_within(1, longest).map_err(Refused::RateLimited)?;
        if wait.is_zero() {
            return Ok(span);
        }
        sleep(wait).await;
        call.next_span().ok_or(Refused::OutOfTime)
    }
}
