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

/// The end of an attempt by the words of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The mapping judged it.
    Verdict,
    /// It is this kind of error, with this status if there was one.
    Error { kind: &'static str, status: Option<u16> },
}

impl Class {
    /// Of the client's errors.
    pub(super) fn of<T, R>(end: &Result<T, ClientError<R>>) -> Self {
        match end {
            Ok(_) => Self::Verdict,
            Err(error) => Self::Error { kind: error.kind(), status: error.status().map(|status| status.as_u16()) },
        }
    }
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

    /// What the settings may count such an end as; asked only where it is no plain success.
    fn class(&self, end: &Result<Self::Reply, Self::Error>) -> Class;

    /// Whether an attempt that ended so may be tried again, where its operation may be.
    fn repeats(&self, error: &Self::Error, settings: &RetrySettings) -> Option<Asked>;

    /// Whether an attempt whose reply is no success may be tried again, where its operation may be.
    fn repeats_reply(&self, reply: &Self::Reply, verdict: Verdict, settings: &RetrySettings) -> Option<Asked> {
        let _ = (reply, settings);
        (verdict == Verdict::Failure).then_some(Asked(None))
    }
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

    fn class(&self, end: &Result<Op::Reply, Self::Error>) -> Class {
        Class::of(end)
    }

    fn repeats(&self, error: &Self::Error, settings: &RetrySettings) -> Option<Asked> {
        classify::may_repeat(error, settings)
    }
}
