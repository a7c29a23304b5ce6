//! The queue as the fallback of a write (R-RES-FB-1).

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Job, Queue, TaskId};
use crate::fallback::{self, Submitted};
use crate::{CallError, IdempotencyKey, Keyed, Once, Operation};

impl<Op: Operation> fallback::Queue<Op> {
    /// As [`keyed`](Self::keyed), into a durable queue: where the system cannot answer, `command` becomes a task with the
    /// same key.
    ///
    /// # Errors
    /// The call's own, where nothing may stand in, or where the queue would not take it (which is told).
    pub async fn keyed_into<T, R, C>(
        &self,
        queue: &Queue,
        job: &Job<Op, C>,
        key: &IdempotencyKey,
        command: &C,
        call: impl Future<Output = Result<T, CallError<R>>>,
    ) -> Result<Submitted<T, TaskId>, CallError<R>>
    where
        Op: Keyed,
        C: Serialize + DeserializeOwned + Send + 'static,
    {
        let put = |key: &IdempotencyKey| {
            let task = job.keyed(command, key);
            async move { queue.enqueue(&task?).await.map(|enqueued| enqueued.id) }
        };
        self.keyed(key, call, put).await
    }

    /// As [`once`](Self::once), into a durable queue: where the call surely never left us, `command` becomes a task.
    ///
    /// # Errors
    /// The call's own, where nothing may stand in, or where the queue would not take it (which is told).
    pub async fn once_into<T, R, C>(
        &self,
        queue: &Queue,
        job: &Job<Op, C>,
        command: &C,
        call: impl Future<Output = Result<T, CallError<R>>>,
    ) -> Result<Submitted<T, TaskId>, CallError<R>>
    where
        Op: Once,
        C: Serialize + DeserializeOwned + Send + 'static,
    {
        let put = || async { queue.enqueue(&job.once(command)?).await.map(|enqueued| enqueued.id) };
        self.once(call, put).await
    }
}
