use std::time::Duration;

use tokio::time::Instant;

use super::attempt::{Judged, Span, Stop};
use super::classify::Asked;
use super::judge::Judge;
use crate::deadline::{Deadline, attempt_end};
use crate::error::{CallSite, Delivery};
use crate::settings::{BulkheadSettings, LayerOrder, RetrySettings, SystemSettings};
use crate::{OperationMeta, Verdict};

/// One logical call: what holds for it, read once when it begins, and how far it got.
#[derive(Debug)]
pub(crate) struct Call<'m> {
    pub(super) meta: &'m OperationMeta,
    pub(super) retry: RetrySettings,
    pub(super) order: LayerOrder,
    pub(super) bulkhead: BulkheadSettings,
    /// Longest wait for the quota, if there is one.
    pub(super) quota_wait: Option<Duration>,
    /// Longest attempt.
    pub(super) limit: Duration,
    slow: Duration,
    code_base: u32,
    deadline: Option<Deadline>,
    attempts: u32,
    delivery: Delivery,
    /// Whether what the last attempt sent could be sent again.
    repeatable: bool,
}

impl<'m> Call<'m> {
    #[inline]
    pub(super) fn new(meta: &'m OperationMeta, settings: &SystemSettings, deadline: Option<Deadline>) -> Self {
        let policy = settings.policy(meta.id);
        let deadline = match (deadline, Deadline::current()) {
            (Some(given), Some(around)) => Some(given.min(around)),
            (given, around) => given.or(around),
        };
        Self {
            meta,
            retry: policy.retry,
            order: settings.order,
            bulkhead: settings.bulkhead,
            quota_wait: settings.rate_limit.map(|rate| rate.max_wait),
            limit: policy.timeouts.call,
            slow: settings.breaker.config.slow_call,
            code_base: settings.code_base,
            deadline,
            attempts: 0,
            delivery: Delivery::NotSent,
            repeatable: true,
        }
    }

    /// The time an attempt beginning now has. `None`: too little is left of the caller's.
    #[inline]
    pub(super) fn next_span(&self) -> Option<Span> {
        let now = Instant::now();
        attempt_end(now, self.limit, self.deadline).map(|end| Span { now, end })
    }

    /// What is left of the caller's budget, if there is one.
    pub(super) fn time_left(&self) -> Duration {
        self.deadline.map_or(Duration::ZERO, Deadline::remaining)
    }

    /// Whether an attempt could still begin after a wait (R-RES-TO-3: no wait that cannot finish).
    pub(super) fn has_time_after(&self, wait: Duration) -> bool {
        let then = Instant::now().checked_add(wait);
        then.is_some_and(|then| attempt_end(then, self.limit, self.deadline).is_some())
    }

    /// The longest wait after which an attempt could still begin.
    pub(super) fn longest_wait(&self, now: Instant) -> Duration {
        match self.deadline {
            Some(deadline) => deadline.last_moment().saturating_duration_since(now),
            None => Duration::MAX,
        }
    }

    /// Whether an attempt was cut short by the caller's budget before it could be called slow.
    pub(super) fn was_in_haste(&self, span: Span, elapsed: Duration) -> bool {
        span.end.saturating_duration_since(span.now) < self.limit && elapsed <= self.slow
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

    #[inline]
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether there may be another attempt after this one, and the wait the server asks for before it.
    ///
    /// Never after a refusal: an open breaker, a full bulkhead, a used up quota (R-RES-RE order).
    #[inline]
    pub(super) fn may_repeat<J: Judge>(&self, judge: &J, judged: &Judged<J::Reply, J::Error>) -> Option<Asked> {
        if self.attempts >= self.retry.max_attempts || !self.repeatable {
            return None;
        }
        match &judged.result {
            Ok(_) => (judged.verdict == Verdict::Failure).then_some(Asked(None)),
            Err(Stop::Client(error)) => judge.repeats(error, &self.retry),
            Err(Stop::OutOfTime { .. }) => Some(Asked(None)),
            Err(Stop::Refused(_)) => None,
        }
    }

    /// Where an error happened. `code` is the kind's own number.
    pub(super) fn site(&self, code: u32) -> CallSite {
        CallSite {
            system: self.meta.system,
            operation: self.meta.id,
            attempts: self.attempts,
            delivery: self.delivery,
            code: self.code_base.saturating_add(code),
        }
    }
}
