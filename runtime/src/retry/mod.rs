//! When to try again, and after what wait. What may be tried again is not decided here: it is the operation's kind.

mod after;
mod backoff;
mod budget;

pub(crate) use after::retry_after;
pub(crate) use backoff::Waits;
pub(crate) use budget::RetryBudget;
