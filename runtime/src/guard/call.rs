use std::time::Duration;

use super::attempt::{Answered, Judged, Refused, Stop};
use super::classify::Asked;
use super::engine;
use super::judge::Judge;
use super::terms::Terms;
use crate::deadline::{Deadline, MARGIN, attempt_end};
use crate::error::{CallSite, Delivery};
use crate::moment::{Moment, nanos};
use crate::settings::RetrySettings;
use crate::{OperationMeta, Verdict};

/// One logical call: what holds for it, read once when it begins, and how far it got. Times are nanoseconds.
///
/// Every call fills this in, so it holds no more than every call needs: how calls are repeated is looked up by those
/// that are.
#[derive(Debug)]
pub(crate) struct Call<'m> {
    pub(super) meta: &'m OperationMeta,
    pub(super) terms: Terms,
    /// Up to when the caller's deadline lets an attempt take; the last moment of all where there is none.
    last: Moment,
    /// When the present attempt began …
    pub(super) now: Moment,
    /// … and must have ended.
    pub(super) end: Moment,
    /// Whether it may be repeated at all, where its operation may be.
    pub(super) repeats: bool,
    attempts: u32,
    /// Made up when somebody first asks for it, for requests that are part of no other trace; 0 until then.
    pub(super) trace: u128,
    delivery: Delivery,
    /// Whether what the last attempt sent could be sent again.
    repeatable: bool,
    /// Why the last attempt ended without the client's word, if it did.
    stopped: Option<Stop>,
}

impl<'m> Call<'m> {
    /// A call that has not begun. It is filled in where it is: copying it would cost more than all that is done with it.
    #[inline(always)]
    pub(super) fn idle(meta: &'m OperationMeta) -> Self {
        Self {
            meta,
            terms: Terms::UNREAD,
            last: Moment::LAST,
            now: Moment::FIRST,
            end: Moment::FIRST,
            repeats: true,
            attempts: 0,
            trace: 0,
            delivery: Delivery::NotSent,
            repeatable: true,
            stopped: None,
        }
    }

    /// It is to have ended by the earlier of this deadline and the one around the task.
    #[inline]
    pub(super) fn ends_by(&mut self, deadline: Option<Deadline>) {
        for deadline in [deadline, Deadline::current()].into_iter().flatten() {
            self.last = self.last.min(deadline.last_moment());
        }
    }

    /// An attempt begins at `now`: this is the time it has. Refused if too little is left of the caller's.
    #[inline]
    pub(super) fn begins_attempt(&mut self, now: Moment) -> Result<(), Refused> {
        self.now = now;
        self.end = attempt_end(self.now, self.terms.limit, self.last).ok_or(Refused::OutOfTime)?;
        Ok(())
    }

    /// Longest attempt.
    pub(super) fn limit(&self) -> Duration {
        Duration::from_nanos(self.terms.limit)
    }

    /// What is left of the caller's budget, if there is one.
    pub(super) fn time_left(&self) -> Duration {
        match self.last {
            Moment::LAST => Duration::ZERO,
            last => Duration::from_nanos(last.plus(nanos(MARGIN)).since(Moment::now())),
        }
    }

    /// Whether an attempt could still begin after a wait (R-RES-TO-3: no wait that cannot finish).
    pub(super) fn has_time_after(&self, wait: Duration) -> bool {
        let then = Moment::now().plus(nanos(wait));
        attempt_end(then, self.terms.limit, self.last).is_some()
    }

    /// The longest wait after which an attempt could still begin.
    pub(super) fn longest_wait(&self) -> u64 {
        // An attempt has to begin before the last moment.
        self.last.since(self.now).saturating_sub(1)
    }

    /// Whether the attempt was cut short by the caller's budget before it could be called slow.
    pub(super) fn was_in_haste(&self, elapsed: u64) -> bool {
        self.end.since(self.now) < self.terms.limit && elapsed <= self.terms.slow
    }

    #[inline]
    pub(super) fn attempt_begins(&mut self) {
        self.attempts += 1;
    }

    #[inline]
    pub(super) fn attempt_ended(&mut self, delivery: Delivery, repeatable: bool) {
        self.delivery = self.delivery.then(delivery);
        self.repeatable = repeatable;
    }

    /// The present attempt as an engine sees it.
    pub(super) fn as_attempt(&self, number: u32) -> engine::Attempt<'m> {
        engine::Attempt::new(self.meta, number, Duration::from_nanos(self.end.since(self.now)))
    }

    #[inline]
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Goes on with a call that so many attempts were made for already, all of them answered.
    pub(super) fn after_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self.delivery = Delivery::Answered;
        self
    }

    /// An attempt did not begin: that says nothing about the system.
    pub(super) fn refused(&mut self, refused: Refused) -> Judged {
        self.stop(Stop::Refused(refused));
        Judged { verdict: Verdict::Ignored, counted: Verdict::Ignored }
    }

    /// The last attempt ended without the client's word.
    pub(super) fn stop(&mut self, stop: Stop) {
        self.stopped = Some(stop);
    }

    /// Whether the call is over before it reached a layer.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Why the last attempt ended without the client's word, if it did.
    pub(crate) fn stopped(&mut self) -> Option<Stop> {
        self.stopped.take()
    }

    /// Whether the first question about a repetition is to be asked at all.
    ///
    /// Never after a refusal: an open breaker, a full bulkhead, a used up quota (R-RES-RE order).
    #[inline]
    pub(super) fn may_have_to_be_repeated<T, E>(&self, answer: Option<&Result<T, E>>, verdict: Verdict) -> bool {
        match answer {
            Some(Ok(_)) => verdict != Verdict::Success && self.repeats,
            Some(Err(_)) => self.repeats,
            None => matches!(self.stopped, Some(Stop::OutOfTime { .. })) && self.repeats,
        }
    }

    /// Whether there may be another attempt after one that ended so, and the wait the server asks for before it.
    pub(super) fn may_repeat<J: Judge>(
        &self,
        judge: &J,
        answer: &Answered<J>,
        verdict: Verdict,
        retry: &RetrySettings,
    ) -> Option<Asked> {
        if self.attempts >= retry.max_attempts {
            return None;
        }
        self.asks_for_another(judge, answer, verdict, retry)
    }

    /// The same, however many attempts were made.
    pub(super) fn asks_for_another<J: Judge>(
        &self,
        judge: &J,
        answer: &Answered<J>,
        verdict: Verdict,
        retry: &RetrySettings,
    ) -> Option<Asked> {
        if !self.repeatable {
            return None;
        }
        match answer {
            Some(Err(error)) => judge.repeats(error, retry),
            Some(Ok(reply)) => judge.repeats_reply(reply, verdict, retry),
            None => Some(Asked(None)),
        }
    }

    /// Where an error happened. `code` is the kind's own number.
    pub(super) fn site(&self, code: u32) -> CallSite {
        CallSite {
            system: self.meta.system,
            operation: self.meta.id,
            attempts: self.attempts,
            delivery: self.delivery,
            code: self.terms.code_base().saturating_add(code),
        }
    }
}
