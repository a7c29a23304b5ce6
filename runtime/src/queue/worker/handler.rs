//! Handlers without their types: from a claimed task to the end of its attempt.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Claimed;
use crate::queue::end::{End, Reason, TaskError};
use crate::queue::job::{Finish, Job, Polled};
use crate::queue::scope;
use crate::{IdempotencyKey, Operation, OperationKind};

pub(super) type Running = Pin<Box<dyn Future<Output = End> + Send>>;
pub(super) type Handler = Arc<dyn Fn(Claimed) -> Running + Send + Sync>;

/// A write with its key. A task of the operation that has none is sent once.
pub(super) fn keyed<Op, C, F, Fut, T, E>(
    job: Job<Op, C>,
    call: F,
    done: impl Fn(T) -> Finish + Send + Sync + 'static,
) -> Handler
where
    Op: Operation,
    C: Serialize + DeserializeOwned + Send + 'static,
    F: Fn(C, IdempotencyKey) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, E>> + Send + 'static,
    T: Send + 'static,
    E: Into<TaskError> + Send + 'static,
{
    let shared = Arc::new((job, call, done));
    Arc::new(move |claimed| {
        let shared = Arc::clone(&shared);
        Box::pin(async move {
            let (job, call, done) = &*shared;
            let command = match job.read(claimed.version, &claimed.payload) {
                Ok(command) => command,
                Err(text) => return End::Refused(Reason::new(text)),
            };
            // The name of a task without a key is no key.
            let key = claimed.key.filter(|_| claimed.kind == OperationKind::Keyed);
            let Some(key) = key.map(IdempotencyKey::new) else {
                let answer = scope::once(Op::META, async { call(command, IdempotencyKey::new("")).await }).await;
                return answer.map_or_else(|error| error.into().of_once(), |outcome| End::Done(done(outcome)));
            };
            let answer = scope::with_key(Op::META, key.clone(), async { call(command, key).await }).await;
            answer.map_or_else(|error| error.into().of_repeatable(), |outcome| End::Done(done(outcome)))
        })
    })
}

/// A write without a key.
pub(super) fn once<Op, C, F, Fut, T, E>(
    job: Job<Op, C>,
    call: F,
    done: impl Fn(T) -> Finish + Send + Sync + 'static,
) -> Handler
where
    Op: Operation,
    C: Serialize + DeserializeOwned + Send + 'static,
    F: Fn(C) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, E>> + Send + 'static,
    T: Send + 'static,
    E: Into<TaskError> + Send + 'static,
{
    let shared = Arc::new((job, call, done));
    Arc::new(move |claimed| {
        let shared = Arc::clone(&shared);
        Box::pin(async move {
            let (job, call, done) = &*shared;
            let command = match job.read(claimed.version, &claimed.payload) {
                Ok(command) => command,
                Err(text) => return End::Refused(Reason::new(text)),
            };
            let answer = scope::once(Op::META, async { call(command).await }).await;
            answer.map_or_else(|error| error.into().of_once(), |outcome| End::Done(done(outcome)))
        })
    })
}

/// A question.
pub(super) fn poll<Op, C, F, Fut, E>(job: Job<Op, C>, ask: F) -> Handler
where
    Op: Operation,
    C: Serialize + DeserializeOwned + Send + 'static,
    F: Fn(C) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Polled, E>> + Send + 'static,
    E: Into<TaskError> + Send + 'static,
{
    let shared = Arc::new((job, ask));
    Arc::new(move |claimed| {
        let shared = Arc::clone(&shared);
        Box::pin(async move {
            let (job, ask) = &*shared;
            let command = match job.read(claimed.version, &claimed.payload) {
                Ok(command) => command,
                Err(text) => return End::Refused(Reason::new(text)),
            };
            match ask(command).await {
                Ok(Polled::Done(finish)) => End::Done(finish),
                Ok(Polled::Again(after)) => End::Again(after),
                Err(error) => error.into().of_repeatable(),
            }
        })
    })
}

/// Runs a handler; nothing, if it panicked. A panic ends one attempt and not the worker.
pub(super) async fn caught(handler: &Handler, claimed: Claimed) -> Option<End> {
    let mut running = catch_unwind(AssertUnwindSafe(|| handler(claimed))).ok()?;
    // Whatever the panic left half done is the handler's own, and is dropped.
    std::future::poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context))) {
        Ok(Poll::Ready(end)) => Poll::Ready(Some(end)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(_) => Poll::Ready(None),
    })
    .await
}
