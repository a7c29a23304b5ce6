use std::borrow::Cow;
use std::fmt;

use http::StatusCode;

use crate::{CallError, Operation};

/// How one operation's transport types and a team's own types become each other. The adapter's method for an
/// operation exists for those `M` that implement this for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not map the operation `{Op}` yet",
    label = "no `Mapping<{Op}>` for `{Self}`",
    note = "`cofferdam stubs` writes the missing `impl Mapping<{Op}> for {Self}`"
)]
pub trait Mapping<Op: Operation>: Send + Sync {
    /// What the domain asks for.
    type Command: Send + Sync;
    /// What the domain gets.
    type Outcome: Send;
    /// What the domain hears when the system says no.
    type Rejection: Send;

    /// The request for a command; made once a call, before anything is sent.
    fn request(&self, command: &Self::Command) -> Result<Op::Request, MappingError>;

    /// What a decoded reply says about the system's health. Judged inside the breaker: override it for systems that
    /// answer 200 with an error in the body.
    fn verdict(&self, reply: &Op::Reply) -> Verdict {
        let _ = reply;
        Verdict::Success
    }

    /// The outcome for a decoded reply, or the no it contains.
    fn outcome(&self, reply: Op::Reply) -> Result<Self::Outcome, Refusal<Self::Rejection>>;

    /// The no for a documented failure.
    fn rejection(&self, status: StatusCode, body: Op::Rejection) -> Self::Rejection;
}

/// What the adapter's method for `Op` takes.
pub type Command<M, Op> = <M as Mapping<Op>>::Command;

/// What the adapter's method for `Op` answers.
pub type Answer<M, Op> = Result<<M as Mapping<Op>>::Outcome, CallError<<M as Mapping<Op>>::Rejection>>;

/// What a decoded reply says about the system's health.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Healthy, even if the answer is a no.
    Success,
    /// The system failed: it counts, and a read or keyed write may be repeated.
    Failure,
    /// Says nothing about its health.
    Ignored,
}

/// A reply that is no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal<R> {
    /// The system said no, in the body of a success.
    Rejected(R),
    /// The reply makes no sense to the domain.
    Unmappable(MappingError),
}

impl<R> From<MappingError> for Refusal<R> {
    fn from(error: MappingError) -> Self {
        Self::Unmappable(error)
    }
}

/// A value that the other side has no place for. The message says which and why; it may end up in logs, so it
/// should not quote what is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappingError {
    message: Cow<'static, str>,
}

impl MappingError {
    /// An error with this message.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MappingError {}
