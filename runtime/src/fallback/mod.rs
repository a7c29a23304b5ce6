//! What may stand in for an answer when the system cannot give one (R-RES-FB-1): four kinds and no more.
//!
//! | kind | for | made by | answers |
//! | --- | --- | --- | --- |
//! | stale | a read | [`Guard::stale`] | an earlier answer to the same question, with its age |
//! | neutral | a read | [`Guard::neutral`] | a value of the caller's, made from the error |
//! | queued | a write | [`Guard::queue`] | that it was put where it will be sent from later on |
//! | unconfirmed | a write | [`Guard::unconfirmed`] | that nobody knows, and whether it may have been done |
//!
//! - The first two can only be made for an operation that [reads](crate::Read). A write can be queued, an unkeyed one
//!   only if it surely never left us, since the queue sends it again; or what became of it is told as unknown.
//! - The result says so: a [`Served`] or [`Submitted`] is taken apart by whoever wants the value, so that none passes
//!   for the system's own (R-RES-FB-X1). Each use is told and counted (R-RES-FB-X2).
//! - A fallback stands in for a system that [cannot answer](CallError::is_outage). A no is an answer and stays one,
//!   and so does a mistake of ours.
//! - What a fallback asks of another system goes through that system's own adapter (R-RES-FB-X3): nothing here makes a
//!   call.
//!
//! A neutral value for a read, and for a write, which does not compile:
//!
//! ```
//! fn rate<GetRate: cofferdam_runtime::Read>(guard: &cofferdam_runtime::Guard, get_rate: GetRate) {
//!     let _ = guard.neutral(get_rate);
//! }
//! ```
//!
//! ```compile_fail,E0277
//! fn deposit<Deposit: cofferdam_runtime::Once>(guard: &cofferdam_runtime::Guard, deposit: Deposit) {
//!     let _ = guard.neutral(deposit);
//! }
//! ```

#[cfg(doctest)]
#[doc = include_str!("../../../docs/fallbacks.md")]
struct Documentation;

mod neutral;
mod queue;
mod served;
mod stale;
mod unconfirmed;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

pub use neutral::Neutral;
pub use queue::Queue;
pub use served::{Degraded, Served, Submitted};
pub use stale::Stale;
pub use unconfirmed::{Confirmation, Unconfirmed};

use crate::guard::{Guard, Shared};
use crate::observability::FallbackKind;
use crate::{CallError, Operation, Read};

impl Guard {
    /// A fallback on earlier answers to a read. Make it once, beside the adapter: it is what remembers them. `K` is what
    /// tells one question from another, `T` the outcome. How many are kept and how old one may be stands in the
    /// settings (`fallback`).
    pub fn stale<Op: Read, K: std::hash::Hash + Eq, T: Clone>(&self, _: Op) -> Stale<Op, K, T> {
        Stale::new(self.shared())
    }

    /// A fallback on a neutral value for a read.
    pub fn neutral<Op: Read>(&self, _: Op) -> Neutral<Op> {
        Neutral::new(self.shared())
    }

    /// A fallback of a write: it is put into a queue, to be sent later.
    pub fn queue<Op: Operation>(&self, _: Op) -> Queue<Op> {
        Queue::new(self.shared())
    }

    /// A fallback of a write whose outcome somebody will find out: that it is not confirmed.
    pub fn unconfirmed<Op: Operation>(&self, _: Op) -> Unconfirmed<Op> {
        Unconfirmed::new(self.shared())
    }
}

/// Where a fallback is used: the system it is for, and the operation.
pub(crate) struct Scene<Op> {
    pub(crate) shared: Arc<Shared>,
    operation: PhantomData<fn() -> Op>,
}

impl<Op: Operation> Scene<Op> {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, operation: PhantomData }
    }

    /// Whether a fallback may stand in for the answer that this error took: the system could not give it, and it is this
    /// operation's. Only by a mistake is it another's, and then nothing may stand in.
    fn stands_in<R>(&self, error: &CallError<R>) -> bool {
        error.is_outage() && error.system() == Op::META.system && error.operation() == Op::META.id
    }

    /// A fallback was used.
    fn used(&self, kind: FallbackKind) {
        self.shared.fallbacks().used(Op::META.id, kind);
    }
}

impl<Op: Operation> fmt::Debug for Scene<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene").field("system", &Op::META.system).field("operation", &Op::META.id).finish()
    }
}
