use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use super::Scene;
use super::served::Submitted;
use crate::guard::Shared;
use crate::observability::FallbackKind;
use crate::{CallError, Delivery, IdempotencyKey, Keyed, Once, Operation};

/// The only fallback of a write: it is put where it will be sent from later on.
///
/// The queue is the caller's: a table with a worker, a broker. It must outlive the process, or it is no queue.
#[derive(Debug)]
pub struct Queue<Op: Operation> {
    scene: Scene<Op>,
}

impl<Op: Operation> Queue<Op> {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { scene: Scene::new(shared) }
    }

    /// The answer of `call`, the adapter's method for this operation; where the system cannot give one, `put` puts the
    /// write into the queue. The system may have got the call all the same, so whoever sends it later must send this
    /// key with it. With an empty key it is as if it had [none](Self::once).
    ///
    /// # Errors
    /// The call's own, where nothing may stand in, or where the queue would not take it (which is told).
    pub async fn keyed<T, R, Q, E, Fut>(
        &self,
        key: &IdempotencyKey,
        call: impl Future<Output = Result<T, CallError<R>>>,
        put: impl FnOnce(&IdempotencyKey) -> Fut,
    ) -> Result<Submitted<T, Q>, CallError<R>>
    where
        Op: Keyed,
        E: Display,
        Fut: Future<Output = Result<Q, E>>,
    {
        let recognised = !key.is_empty();
        self.submit(call, |delivery| recognised || delivery == Delivery::NotSent, || put(key)).await
    }

    /// The answer of `call`, the adapter's method for this operation; where it surely never left us, as behind an open
    /// breaker or a refused connection, `put` puts the write into the queue. Had the system got it, the queue would
    /// send it a second time, and nothing tells the system that it is the same: then the error stays.
    ///
    /// # Errors
    /// The call's own, where nothing may stand in, or where the queue would not take it (which is told).
    pub async fn once<T, R, Q, E, Fut>(
        &self,
        call: impl Future<Output = Result<T, CallError<R>>>,
        put: impl FnOnce() -> Fut,
    ) -> Result<Submitted<T, Q>, CallError<R>>
    where
        Op: Once,
        E: Display,
        Fut: Future<Output = Result<Q, E>>,
    {
        self.submit(call, |delivery| delivery == Delivery::NotSent, put).await
    }

    async fn submit<T, R, Q, E, Fut>(
        &self,
        call: impl Future<Output = Result<T, CallError<R>>>,
        may_be_sent_again: impl FnOnce(Delivery) -> bool,
        put: impl FnOnce() -> Fut,
    ) -> Result<Submitted<T, Q>, CallError<R>>
    where
        E: Display,
        Fut: Future<Output = Result<Q, E>>,
    {
        let error = match call.await {
            Ok(outcome) => return Ok(Submitted::Done(outcome)),
            Err(error) => error,
        };
        if !self.scene.stands_in(&error) || !may_be_sent_again(error.delivery()) {
            return Err(error);
        }
        match put().await {
            Ok(ticket) => {
                self.scene.used(FallbackKind::Queued);
                Ok(Submitted::Queued { ticket, cause: error.kind() })
            }
            Err(reason) => {
                let (system, operation) = (Op::META.system, Op::META.id);
                tracing::error!(external.system = system, external.operation = operation, %reason, "not queued");
                Err(error)
            }
        }
    }
}
