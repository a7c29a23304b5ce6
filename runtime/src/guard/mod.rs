//! The guard: what stands between an adapter's method and the client's.
//!
//! `deadline ▸ retry ▸ breaker ▸ attempt time limit ▸ bulkhead ▸ client`, or with the breaker around the retry where
//! the settings say so. Plain async functions within each other: nothing is boxed, nothing is allocated.
//!
//! Which of the three methods an operation gets is decided by its kind, and each says what may happen: [`Guard::read`]
//! and [`Guard::keyed`] may send again, [`Guard::once`] has nothing that could.

mod attempt;
mod call;
mod classify;
mod conclude;
mod held;
#[cfg_attr(not(feature = "metrics"), path = "no_meters.rs")]
mod meters;
mod outcomes;
mod pages;
mod published;
mod shared;
mod streams;
mod telemetry;
mod vote;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use self::attempt::{InHand, Judged, Refused};
use self::call::Call;
pub(crate) use self::held::Held;
pub use self::outcomes::Outcomes;
pub use self::published::{publish, publish_every};
use self::shared::Shared;
pub use self::streams::{BytesAnswer, StreamAnswer};
use crate::breaker::CircuitBreaker;
use crate::deadline::Deadline;
use crate::error::{CallError, ClientError, ConnectError};
use crate::retry::Waits;
use crate::settings::{LayerOrder, SystemHandle};
use crate::{Answer, IdempotencyKey, Keyed, Mapping, Operation, Read, Verdict};

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

    /// Runs an operation that only reads: `attempt` may be begun again.
    pub async fn read<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> Answer<M, Op>
    where
        Op: Read,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        let span = telemetry::call(Op::META, &self.shared.breaker);
        telemetry::within(span, self.repeated::<Op, M, F, Fut>(mapping, attempt)).await
    }

    /// Runs a write that carries this key: `attempt` may be begun again, and sends the same key each time. With an
    /// empty key there is nothing by which the system could tell a repetition, so the write is sent once.
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
        let span = telemetry::call(Op::META, &self.shared.breaker);
        telemetry::within(span, self.repeated::<Op, M, F, Fut>(mapping, attempt)).await
    }

    /// Runs an operation at most one time, whatever happens: `attempt` is consumed by its only use.
    pub async fn once<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> Answer<M, Op>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        let span = telemetry::call(Op::META, &self.shared.breaker);
        let only_attempt = async {
            let mut call = self.begin::<Op>();
            let judged = self.shared.recorded(&mut call, by_mapping::<Op, M>(mapping), attempt).await;
            call.conclude::<Op, M>(mapping, judged.result)
        };
        telemetry::within(span, only_attempt).await
    }

    async fn repeated<Op, M, F, Fut>(&self, mapping: &M, attempt: F) -> Answer<M, Op>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Op::Reply, ClientError<Op::Rejection>>>,
    {
        let mut call = self.begin::<Op>();
        let judged = self.repeat(&mut call, &by_mapping::<Op, M>(mapping), &attempt).await;
        call.conclude::<Op, M>(mapping, judged.result)
    }

    /// Retry around breaker, or breaker around retry.
    async fn repeat<T, R, J, F, Fut>(&self, call: &mut Call, judge: &J, attempt: &F) -> Judged<T, R>
    where
        J: Fn(&mut T, InHand<'_>) -> Verdict,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let judged = match call.order {
            LayerOrder::RetryOutside => self.retry_outside(call, judge, attempt).await,
            LayerOrder::BreakerOutside => self.breaker_outside(call, judge, attempt).await,
        };
        self.shared.meters.repeatable_ended(classify::ended(&judged), call.attempts());
        judged
    }

    /// Retry(Breaker(attempt)): each attempt asks the breaker and is recorded by it.
    async fn retry_outside<T, R, J, F, Fut>(&self, call: &mut Call, judge: &J, attempt: &F) -> Judged<T, R>
    where
        J: Fn(&mut T, InHand<'_>) -> Verdict,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let mut waits = Waits::new(&call.retry);
        loop {
            let judged = self.shared.recorded(call, judge, attempt).await;
            let Some(wait) = self.next_wait(call, &judged, &mut waits, None) else { return judged };
            sleep(wait).await;
        }
    }

    /// Breaker(Retry(attempt)): the breaker is asked once, and hears how the last attempt ended.
    async fn breaker_outside<T, R, J, F, Fut>(&self, call: &mut Call, judge: &J, attempt: &F) -> Judged<T, R>
    where
        J: Fn(&mut T, InHand<'_>) -> Verdict,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<T, ClientError<R>>>,
    {
        let mut span = match call.next_span() {
            Some(span) => span,
            None => return Judged::not_begun(Refused::OutOfTime),
        };
        let mut vote = match self.shared.admit() {
            Ok(vote) => vote,
            Err(refused) => return Judged::not_begun(refused),
        };
        let mut waits = Waits::new(&call.retry);
        loop {
            let judged = self.shared.attempt(call, span, &mut vote, judge, attempt).await;
            let next = match self.next_wait(call, &judged, &mut waits, None) {
                Some(wait) => {
                    sleep(wait).await;
                    call.next_span()
                }
                None => None,
            };
            let Some(next) = next else {
                self.shared.record(vote, judged.verdict);
                return judged;
            };
            span = next;
        }
    }

    /// The wait before another attempt, if there is to be one: the operation's kind allows it (or this is not
    /// called), the outcome does, attempts, time and budget are left. `asked` is a wait that the server asked for before.
    fn next_wait<T, R>(
        &self,
        call: &Call,
        judged: &Judged<T, R>,
        waits: &mut Waits,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        let now_asked = call.may_repeat(judged)?;
        let wait = waits.next(&call.retry, now_asked.0.max(asked))?;
        if !call.has_time_after(wait) {
            return None;
        }
        if !self.shared.budget.withdraw(&call.retry.budget) {
            self.shared.meters.budget_spent();
            telemetry::budget_spent(call.meta);
            return None;
        }
        telemetry::repeating(call.meta, call.attempts() + 1, wait);
        Some(wait)
    }

    /// A call that is going to be made: it earns its share of the retry budget.
    fn begin<Op: Operation>(&self) -> Call {
        self.shared.budget.called();
        self.call::<Op>()
    }

    /// A call under the settings as they are now.
    fn call<Op: Operation>(&self) -> Call {
        self.shared.with_settings(|settings| Call::new(Op::META, settings, self.deadline))
    }
}

/// The mapping says what a reply means for the system's health. The place is free again by then.
fn by_mapping<Op, M>(mapping: &M) -> impl Fn(&mut Op::Reply, InHand<'_>) -> Verdict
where
    Op: Operation,
    M: Mapping<Op>,
{
    |reply, in_hand| {
        drop(in_hand);
        mapping.verdict(reply)
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
