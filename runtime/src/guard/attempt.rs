use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout_at};
use tracing::Span;

use super::call::Call;
use super::engine::{Denied, Engine};
use super::judge::{Class, InHand, Judge};
use super::shared::Shared;
use super::telemetry;
use super::terms::Flag;
use super::vote::Vote;
use crate::Verdict;
use crate::attempt_scope;
use crate::breaker::{BreakerState, NotPermitted};
use crate::bulkhead::{NoPlace, Sample};
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

/// What an attempt says about the system, and what of that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Judged {
    /// By the rules and the mapping: it decides about a repetition.
    pub(super) verdict: Verdict,
    /// By the settings as well: it is what the breaker hears.
    pub(super) counted: Verdict,
}

/// An attempt whose exchange has ended.
struct Ended<'a> {
    repeatable: bool,
    /// Nanoseconds.
    elapsed: u64,
    span: &'a Span,
    in_hand: InHand<'a>,
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
    pub(crate) async fn attempt<J, F, Fut>(
        &self,
        call: &mut Call<'_>,
        vote: &mut Vote<'_>,
        judge: &J,
        begin: F,
        answer: &mut Answered<J>,
    ) -> Judged
    where
        J: Judge,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        *answer = None;
        if let Some(engine) = &self.engine {
            // Boxed, so that a call without one carries no more than a pointer for it.
            return Box::pin(self.attempt_through(engine, call, judge, begin, answer)).await;
        }
        if let Err(refused) = vote.open(call.now) {
            self.meters.not_permitted();
            return call.refused(Refused::NotPermitted(refused));
        }
        if let Some(longest) = call.terms.quota_wait()
            && let Err(refused) = self.within_quota(call, longest).await
        {
            if matches!(refused, Refused::RateLimited(_)) {
                self.meters.over_quota();
            }
            return call.refused(refused);
        }
        // Waiting for a place is part of the attempt's time, but not of the system's.
        let (mut began, mut place) = (call.now, None);
        if call.terms.has(Flag::Bulkhead) {
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
        let crowded = call.terms.has(Flag::Adaptive) && self.bulkhead.available() == 0;
        vote.exchange_begins(began);
        call.attempt_begins();
        let span = telemetry::attempt(call);
        let repeatable = {
            let attempt = pin!(begin());
            attempt_scope::run(call.end, &mut call.trace, &span, attempt, answer).await
        };
        let elapsed = vote.exchange_ended(Moment::now());
        let in_hand = InHand { place, admission: vote.admission() };
        let ended = Ended { repeatable, elapsed, span: &span, in_hand };
        let judged = self.judged(call, judge, answer, ended);
        if call.terms.has(Flag::Adaptive) {
            let ended = began.plus(elapsed);
            let answered = answer.is_some();
            self.learn(Sample { began, ended, verdict: judged.counted, answered, reached: crowded });
        }
        judged
    }

    /// One attempt by the leave of another engine.
    #[cold]
    async fn attempt_through<J, F, Fut>(
        &self,
        engine: &Arc<dyn Engine>,
        call: &mut Call<'_>,
        judge: &J,
        begin: F,
        answer: &mut Answered<J>,
    ) -> Judged
    where
        J: Judge,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        let asking = engine.admit(call.as_attempt(call.attempts() + 1));
        let admitted = match timeout_at(call.end.instant(), asking).await {
            Ok(Ok(admitted)) => admitted,
            Ok(Err(denied)) => return call.refused(self.denied(denied, call.now)),
            Err(_) => return call.refused(Refused::OutOfTime),
        };
        let began = Moment::now();
        call.attempt_begins();
        let span = telemetry::attempt(call);
        let repeatable = {
            let attempt = pin!(begin());
            attempt_scope::run(call.end, &mut call.trace, &span, attempt, answer).await
        };
        let elapsed = Moment::now().since(began);
        let in_hand = InHand { place: None, admission: None };
        let judged = self.judged(call, judge, answer, Ended { repeatable, elapsed, span: &span, in_hand });
        self.meters.call(judged.counted, elapsed);
        admitted.ended(judged.counted, Duration::from_nanos(elapsed));
        judged
    }

    fn denied(&self, denied: Denied, since: Moment) -> Refused {
        match denied {
            Denied::CircuitOpen { retry_after } => {
                self.meters.not_permitted();
                let retry_after = Some(retry_after);
                Refused::NotPermitted(NotPermitted { state: BreakerState::Open, retry_after })
            }
            Denied::BulkheadFull => {
                self.meters.no_place();
                Refused::NoPlace { why: NoPlace::Full, waited: Duration::from_nanos(Moment::now().since(since)) }
            }
            Denied::RateLimited { retry_after } => {
                self.meters.over_quota();
                Refused::RateLimited(RateLimited { retry_after })
            }
        }
    }

    /// What the end of an attempt says.
    #[inline(always)]
    fn judged<J: Judge>(&self, call: &mut Call<'_>, judge: &J, answer: &mut Answered<J>, ended: Ended<'_>) -> Judged {
        let Ended { repeatable, elapsed, span, in_hand } = ended;
        let delivery = match answer {
            Some(Ok(_)) => Delivery::Answered,
            Some(Err(error)) => judge.delivery(error),
            None => Delivery::MaybeSent,
        };
        call.attempt_ended(delivery, repeatable);
        let in_haste = call.was_in_haste(elapsed);
        let verdict = match answer {
            Some(Ok(reply)) => judge.reply(reply, in_hand),
            Some(Err(error)) => {
                if !span.is_disabled() {
                    judge.tell(error, span);
                }
                judge.error(error, in_haste)
            }
            None => {
                telemetry::attempt_timed_out(span);
                call.stop(Stop::OutOfTime { limit: Duration::from_nanos(call.end.since(call.now)) });
                // A caller with little time left says nothing about the system, unless it was slow by its own measure.
                if in_haste { Verdict::Ignored } else { Verdict::Failure }
            }
        };
        match verdict {
            Verdict::Success => Judged { verdict, counted: verdict },
            _ => Judged { verdict, counted: self.counted(judge, answer, verdict, in_haste) },
        }
    }

    /// What an end that is no plain success counts as, by the settings.
    #[cold]
    fn counted<J: Judge>(&self, judge: &J, answer: &Answered<J>, verdict: Verdict, in_haste: bool) -> Verdict {
        const TIMED_OUT: Class = Class::Error { kind: "timed_out", status: None };
        let class = answer.as_ref().map_or(TIMED_OUT, |end| judge.class(end));
        let failure = self.with_settings(|settings| match class {
            Class::Verdict => (!settings.breaker.counting.verdict()).then_some(false),
            // That the caller had no time is nothing the settings could blame the system for.
            TIMED_OUT if in_haste => None,
            Class::Error { kind, status } => settings.breaker.counting.error(kind, status),
        });
        match failure {
            None => verdict,
            Some(false) => Verdict::Ignored,
            Some(true) => Verdict::Failure,
        }
    }

    /// Tells the breaker how it went, if it let it through.
    #[inline]
    pub(crate) fn record(&self, vote: &mut Vote<'_>, verdict: Verdict) {
        if let Some(now) = vote.record(verdict)
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
