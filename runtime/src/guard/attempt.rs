use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep;

use super::call::Call;
use super::judge::{InHand, Judge};
use super::shared::Shared;
use super::telemetry;
use super::vote::Vote;
use crate::Verdict;
use crate::attempt_scope;
use crate::breaker::NotPermitted;
use crate::bulkhead::NoPlace;
use crate::error::Delivery;
use crate::moment::Moment;
use crate::rate_limit::RateLimited;

/// Why an attempt ended without the client's word.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It did not begin.
    Refused(Refused),
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

/// The client's word on the last attempt; none if the call was [stopped](Call::stopped) before there was one.
///
/// It stays in one place, is written there by the innermost layer and read there by all others: handing a large value
/// up through several layers costs more than these layers do.
pub(crate) type Answered<J> = Option<Result<<J as Judge>::Reply, <J as Judge>::Error>>;

impl Shared {
    /// One attempt: breaker ▸ rate limit ▸ time limit ▸ bulkhead ▸ client. What it says about the system.
    ///
    /// The call has been given the [time](Call::begins_attempt) for it. Whoever gives no vote of its own finds the
    /// breaker's here afterwards, if it let the attempt through, and has to [`record`](Self::record) the verdict. One function, not one a layer: every async function within another costs
    /// each call its share.
    pub(crate) async fn attempt<'b, J, F, Fut>(
        &'b self,
        call: &mut Call<'_>,
        vote: &mut Option<Vote<'b>>,
        judge: &J,
        begin: F,
        answer: &mut Answered<J>,
    ) -> Verdict
    where
        J: Judge,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        *answer = None;
        if vote.is_none() {
            match self.breaker.try_acquire_at(call.now) {
                Ok(permit) => *vote = Some(Vote::new(permit, &self.meters)),
                Err(refused) => {
                    self.meters.not_permitted();
                    return call.refused(Refused::NotPermitted(refused));
                }
            }
        }
        if let Some(longest) = call.quota_wait
            && let Err(refused) = self.within_quota(call, longest).await
        {
            return call.refused(refused);
        }
        // Waiting for a place is part of the attempt's time, but not of the system's.
        let (mut began, mut place) = (call.now, None);
        if call.bulkhead {
            place = self.bulkhead.try_enter();
            if place.is_none() {
                let max_wait = self.with_settings(|settings| settings.bulkhead.max_wait);
                let entered = self.bulkhead.wait(max_wait, call.end.instant()).await;
                began = Moment::now();
                match entered {
                    Ok(entered) => place = Some(entered),
                    Err(why) => {
                        self.meters.no_place();
                        let waited = Duration::from_nanos(began.since(call.now));
                        return call.refused(Refused::NoPlace { why, waited });
                    }
                }
            }
        }
        if let Some(vote) = vote {
            vote.exchange_begins(began);
        }
        call.attempt_begins();
        let span = telemetry::attempt(call);
        let repeatable = {
            let attempt = pin!(begin());
            attempt_scope::run(call.end, &mut call.trace, &span, attempt, answer).await
        };
        let elapsed = vote.as_mut().map_or(0, |vote| vote.exchange_ended(Moment::now()));
        let delivery = match answer {
            Some(Ok(_)) => Delivery::Answered,
            Some(Err(error)) => judge.delivery(error),
            None => Delivery::MaybeSent,
        };
        call.attempt_ended(delivery, repeatable);
        match answer {
            Some(Ok(reply)) => {
                let admission = vote.as_ref().and_then(Vote::admission);
                judge.reply(reply, InHand { place, admission })
            }
            Some(Err(error)) => {
                if !span.is_disabled() {
                    judge.tell(error, &span);
                }
                judge.error(error, call.was_in_haste(elapsed))
            }
            None => {
                telemetry::attempt_timed_out(&span);
                call.stop(Stop::OutOfTime { limit: Duration::from_nanos(call.end.since(call.now)) });
                // A caller with little time left says nothing about the system, unless it was slow by its own measure.
                if call.was_in_haste(elapsed) { Verdict::Ignored } else { Verdict::Failure }
            }
        }
    }

    /// Tells the breaker how it went, if it let it through.
    #[inline]
    pub(crate) fn record(&self, vote: &mut Option<Vote<'_>>, verdict: Verdict) {
        if let Some(mut vote) = vote.take()
            && let Some(now) = vote.record(verdict)
            && self.meters.is_due(now)
        {
            self.publish();
        }
    }

    /// Waits until the quota has room for an attempt, if that is soon enough. The attempt's time begins then.
    async fn within_quota(&self, call: &mut Call<'_>, longest: u64) -> Result<(), Refused> {
        let longest = longest.min(call.longest_wait());
        let wait = self.rate_limiter.reserve_at(call.now, longest).map_err(Refused::RateLimited)?;
        if wait > 0 {
            sleep(Duration::from_nanos(wait)).await;
            call.begins_attempt(Moment::now())?;
        }
        Ok(())
    }
}
