//! What the layers ask about an attempt that has ended, without knowing what it was.

use std::marker::PhantomData;

use tracing::Span;

use super::classify::{self, Asked};
use super::telemetry;
use crate::breaker::Admission;
use crate::bulkhead::Place;
use crate::error::{ClientError, Delivery};
use crate::settings::RetrySettings;
use crate::{Mapping, Operation, Verdict};

/// What an attempt that got its reply still has in its hands.
pub(crate) struct InHand<'s> {
    pub(super) place: Option<Place<'s>>,
    pub(super) admission: Option<Admission>,
}

/// Judges attempts that answer `Reply` or `Error`.
pub(crate) trait Judge {
    /// What an attempt that went through answers.
    type Reply;
    /// What one that did not answers.
    type Error;

    /// What a reply says about the system's health. It may keep what the attempt has in its hands.
    fn reply(&self, reply: &mut Self::Reply, in_hand: InHand<'_>) -> Verdict;

    /// What an error says about it. `in_haste`: the caller's budget cut the attempt short before it could be slow.
    fn error(&self, error: &Self::Error, in_haste: bool) -> Verdict;

    /// Whether the system may have got the request.
    fn delivery(&self, error: &Self::Error) -> Delivery;

    /// Tells an attempt's span how it ended.
    fn tell(&self, error: &Self::Error, span: &Span);

    /// Whether an attempt that ended so may be tried again, where its operation may be.
    fn repeats(&self, error: &Self::Error, settings: &RetrySettings) -> Option<Asked>;
}

/// Judges the client's answers, and replies by the team's mapping.
pub(super) struct ByMapping<'m, Op, M> {
    pub(super) mapping: &'m M,
    operation: PhantomData<fn() -> Op>,
}

impl<'m, Op, M> ByMapping<'m, Op, M> {
    pub(super) fn new(mapping: &'m M) -> Self {
        Self { mapping, operation: PhantomData }
    }
}

impl<Op: Operation, M: Mapping<Op>> Judge for ByMapping<'_, Op, M> {
    type Reply = Op::Reply;
    type Error = ClientError<Op::Rejection>;

    /// The place is free again by the time the mapping is asked.
    #[inline]
    fn reply(&self, reply: &mut Op::Reply, in_hand: InHand<'_>) -> Verdict {
        drop(in_hand);
        self.mapping.verdict(reply)
    }

    fn error(&self, error: &Self::Error, in_haste: bool) -> Verdict {
        classify::health(error, in_haste)
    }

    fn delivery(&self, error: &Self::Error) -> Delivery {
        error.delivery()
    }

    fn tell(&self, error: &Self::Error, span: &Span) {
        telemetry::attempt_failed(span, error);
    }

    fn repeats(&self, error: &Self::Error, settings: &RetrySettings) -> Option<Asked> {
        classify::may_repeat(error, settings)
    }
}
