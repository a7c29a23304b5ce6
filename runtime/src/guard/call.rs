use std::time::Duration;

use tokio::time::Instant;

use super::attempt::{Judged, Span};
use super::classify::{self, Asked};
use crate::deadline::{Deadline, attempt_end};
use crate::error::{CallSite, Delivery};
use crate::settings::{BulkheadSettings, LayerOrder, RetrySettings, SystemSettings};
use crate::trace::new_trace;
use crate::{OperationMeta, Verdict};

/// One logical call: what holds for it, read once when it begins, and how far it got.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) meta: &'static OperationMeta,
    pub(super) retry: RetrySettings,
    pub(super) order: LayerOrder,
    pub(super) bulkhead: BulkheadSettings,
    /// Longest attempt.
    pub(super) limit: Duration,
    slow: Duration,
    code_base: u32,
    deadline: Option<Deadline>,
    attempts: u32,
    /// Made up when the first attempt begins, for requests that are part of no other trace.
    trace: u128,
    delivery: Delivery,
    /// Whether what the last attempt sent could be sent again.
    repeatable: bool,
}

impl Call {
    pub(super) fn new(meta: &'static OperationMeta, settings: &SystemSettings, deadline: Option<Deadline>) -> Self {
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
            limit: policy.timeouts.call,
            slow: settings.breaker.config.slow_call,
            code_base: settings.code_base,
            deadline,
            attempts: 0,
            trace: 0,
            delivery: Delivery::NotSent,
            repeatable: true,
        }
    }

    /// The time an attempt beginning now has. `None`: too little is left of the caller's.
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

    /// Whether an attempt was cut short by the caller's budget before it could be called slow.
    pub(super) fn was_in_haste(&self, span: Span, elapsed: Duration) -> bool {
        span.end.saturating_duration_since(span.now) < self.limit && elapsed <= self.slow
    }

    pub(super) fn attempt_begins(&mut self) {
        if self.attempts == 0 {
            self.trace = new_trace();
        }
        self.attempts += 1;
    }

    pub(super) fn trace(&self) -> u128 {
        self.trace
    }

    pub(super) fn attempt_ended(&mut self, delivery: Delivery, repeatable: bool) {
        self.delivery = self.delivery.then(delivery);
        self.repeatable = repeatable;
    }

    /// Goes on with a call that so many attempts were made for already, all of them answered.
    pub(super) fn after_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self.delivery = Delivery::Answered;
        self
    }

    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether there may be another attempt after this one, and the wait the server asks for before it.
    pub(super) fn may_repeat<T, R>(&self, judged: &Judged<T, R>) -> Option<Asked> {
        if self.attempts >= self.retry.max_attempts || !self.repeatable {
            return None;
        }
        match &judged.result {
            Ok(_) => (judged.verdict == Verdict::Failure).then_some(Asked(None)),
            Err(stop) => classify::may_repeat(stop, &self.retry),
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
