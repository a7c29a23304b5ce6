//! The guard: what stands between an adapter's method and the client's.
//!
//! `deadline ▸ retry ▸ breaker ▸ rate limit ▸ attempt time limit ▸ bulkhead ▸ client`, or with the breaker around the
//! retry where the settings say so. Plain async functions within each other: nothing is boxed, nothing is allocated.
//!
//! Which of the three methods an operation gets is decided by its kind, and each says what may happen: [`Guard::read`]
//! and [`Guard::keyed`] may send again, [`Guard::once`] has nothing that could.

mod attempt;
mod call;
mod classify;
mod conclude;
pub mod engine;
mod held;
mod judge;
#[cfg_attr(not(feature = "metrics"), path = "no_meters.rs")]
mod meters;
mod outcomes;
mod pages;
mod published;
mod repeat;
#[cfg(feature = "tower")]
pub mod service;
mod shared;
mod streams;
mod telemetry;
mod terms;
mod vote;

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use tokio::sync::broadcast;
use tracing::Span;

use self::call::Call;
pub(crate) use self::engine::EngineSlot;
pub(crate) use self::held::Held;
use self::judge::ByMapping;
pub use self::outcomes::Outcomes;
pub use self::published::{publish, publish_every};
pub(crate) use self::shared::Shared;
pub use self::streams::{BytesAnswer, StreamAnswer};
use crate::breaker::{CircuitBreaker, StateChange, StaysOpen};
use crate::deadline::Deadline;
use crate::error::{CallError, ClientError, ConnectError, code};
use crate::settings::SystemHandle;
use crate::{Answer, IdempotencyKey, Keyed, Mapping, Operation, Read};

/// The protection of one system: its breaker, its bulkhead, its retry budget, under settings that may change while
/// it works. Clones share all of it.
#[derive(Clone)]
pub struct Guard {
    shared: Arc<Shared>,
    deadline: Option<Deadline>,
}

impl Guard {
    /// The guard of the system behind the handle.
    pub fn new(settings: &SystemHandle) -> Result<Self, ConnectError> {
        let shared = Arc::new(Shared::new(settings)?);
        published::register(&shared);
        Ok(Self { shared, deadline: None })
    }

    /// The same guard for calls that must have ended by a deadline. One set around the task holds too: the earlier
    /// counts.
    #[must_use]
    pub fn before(&self, deadline: Deadline) -> Self {
        let deadline = self.deadline.map_or(deadline, |own| own.min(deadline));
        Self { shared: Arc::clone(&self.shared), deadline: Some(deadline) }
    }

    /// The system's breaker, for those who watch or operate it.
    pub fn breaker(&self) -> &CircuitBreaker {
        &self.shared.breaker
    }

    /// The breaker's changes of state from now on, each as it happens. A receiver that lags behind by more than 32 is
    /// told so and goes on with the latest.
    pub fn state_changes(&self) -> broadcast::Receiver<StateChange> {
        self.shared.changes.subscribe()
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// The system's name.
    pub fn system(&self) -> &str {
        self.shared.settings.name()
    }

    /// The system's settings, as they are now and will be.
    pub fn settings(&self) -> &SystemHandle {
        &self.shared.settings
    }

    /// Places in the bulkhead, taken or free.
    pub fn places(&self) -> usize {
        self.shared.bulkhead.limit()
    }

    /// Whether the settings have calls pass the bulkhead.
    pub fn has_bulkhead(&self) -> bool {
        self.shared.with_settings(|settings| settings.bulkhead.enabled)
    }

    /// Calls that would get a place in the bulkhead at this moment.
    pub fn available_places(&self) -> usize {
        self.shared.bulkhead.available()
    }

    /// Refreshes the gauges of this system: breaker and bulkhead as they are now.
    ///
    /// While calls are made this happens once a second by itself, and on every change of the breaker's state. Call it
    /// where numbers are read that must be true of a quiet system too; [`publish`](crate::observability::publish) does
    /// it for all systems.
    pub fn publish(&self) {
        self.shared.publish();
    }

    /// Maps a command to its request: outside of every layer, and nothing is sent if it fails.
    pub fn map_request<Op, M>(
        &self,
        _: Op,
        mapping: &M,
        command: &M::Command,
    ) -> Result<Op::Request, CallError<M::Rejection>>
    where
        Op: Operation,
        M: Mapping<Op>,
    {
        mapping.request(command).map_err(|error| self.call::<Op>().unmapped(error))
    }

    // An attempt's future need not be `Send` here. Whoever spawns a call has that proved once; a bound would have it proved,
    // down to the sockets, for each operation of each adapter: half of the time that checking such a crate takes.

    /// Runs an operation that only reads: `attempt` may be begun again.
    // No async function: one around another costs each call its share.
    #[inline]
    pub fn read<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> impl Future<Output = Answer<M, Op>>
    where
        Op: Read,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        self.repeated::<Op, M, F, Fut>(mapping, attempt)
    }

    /// Runs a write that carries this key: `attempt` may be begun again, and sends the same key each time. With an
    /// empty key there is nothing by which the system could tell a repetition, so the write takes the way of those that
    /// have none: [`Guard::once`].
    pub async fn keyed<Op, M, F, Fut>(
        &self,
        operation: Op,
        key: &IdempotencyKey,
        mapping: &M,
        attempt: F,
    ) -> Answer<M, Op>
    where
        Op: Keyed,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        if key.is_empty() {
            return self.once(operation, mapping, attempt).await;
        }
        self.leave_of_task(Op::META, Some(key))?;
        self.repeated::<Op, M, F, Fut>(mapping, attempt).await
    }

    /// Runs an operation at most one time, whatever happens: `attempt` is consumed by its only use.
    pub async fn once<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> Answer<M, Op>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        self.leave_of_task(Op::META, None)?;
        let span = telemetry::call(Op::META, &self.shared.breaker);
        let mut call = Call::idle(Op::META);
        if let Err(refused) = self.shared.try_begin(&mut call, self.deadline) {
            return self.refused(&span, &call, refused);
        }
        let mut answer = None;
        if !call.is_stopped() {
            let judge = ByMapping::<Op, M>::new(mapping);
            let layers = pin!(self.shared.once(&mut call, &judge, attempt, &mut answer));
            telemetry::within(&span, layers).await;
        }
        call.conclude::<Op, M>(&span, mapping, answer)
    }

    #[inline]
    async fn repeated<Op, M, F, Fut>(&self, mapping: &M, attempt: F) -> Answer<M, Op>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        let span = telemetry::call(Op::META, &self.shared.breaker);
        let mut call = Call::idle(Op::META);
        if let Err(refused) = self.shared.try_begin(&mut call, self.deadline) {
            self.shared.repeatable_stopped();
            return self.refused(&span, &call, refused);
        }
        let mut answer = None;
        if !call.is_stopped() {
            let judge = ByMapping::<Op, M>::new(mapping);
            let layers = pin!(self.shared.repeated(&mut call, &judge, attempt, &mut answer));
            telemetry::within(&span, layers).await;
        } else {
            self.shared.repeatable_stopped();
        }
        call.conclude::<Op, M>(&span, mapping, answer)
    }

    /// The answer to a call that the breaker did not let through to its first attempt.
    #[inline]
    fn refused<T, R>(&self, span: &Span, call: &Call<'_>, refused: StaysOpen) -> Result<T, CallError<R>> {
        let answer = || CallError::CircuitOpen {
            at: call.site(code::CIRCUIT_OPEN),
            // In forced open nobody knows when, so it is not worth trying again within a call's time.
            retry_after: refused.retry_after().unwrap_or_else(|| call.limit()),
        };
        if !span.is_disabled() {
            telemetry::ended::<R>(span, &answer());
        }
        // Made where it is wanted, and not copied there.
        Err(answer())
    }

    /// A queued task says how often its write may be sent, and with which key. A call beyond that is not made.
    #[cfg(any(feature = "queue-sqlite", feature = "queue-postgres"))]
    pub(super) fn leave_of_task<R>(
        &self,
        meta: &'static crate::OperationMeta,
        key: Option<&IdempotencyKey>,
    ) -> Result<(), CallError<R>> {
        let Some(reason) = crate::queue::scope::forbids(meta, key) else { return Ok(()) };
        let at = self.shared.call(meta, self.deadline).site(code::NOT_SENT);
        Err(CallError::NotSent { at, cause: crate::NotSentCause::Request(reason.to_owned()) })
    }

    /// Without a queue there are no such tasks.
    #[cfg(not(any(feature = "queue-sqlite", feature = "queue-postgres")))]
    #[inline(always)]
    pub(super) fn leave_of_task<R>(
        &self,
        _: &'static crate::OperationMeta,
        _: Option<&IdempotencyKey>,
    ) -> Result<(), CallError<R>> {
        Ok(())
    }

    /// A call under the settings as they are now.
    fn call<Op: Operation>(&self) -> Call<'static> {
        self.shared.call(Op::META, self.deadline)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("breaker", self.breaker())
            .field("available_places", &self.available_places())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
