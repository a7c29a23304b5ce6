//! What the guard knows of the task it makes a call for.
//!
//! A task says how often its write may be sent. The guard of the call holds it to that, whatever the handler does: a task
//! that counts on its key gets no request through that carries another key or none, and one that is sent at most once
//! gets one call.

use std::cell::Cell;
use std::future::Future;

use crate::{IdempotencyKey, OperationMeta};

tokio::task_local! {
    static TASK: Scope;
}

#[derive(Debug)]
struct Scope {
    system: &'static str,
    operation: &'static str,
    rule: Rule,
}

#[derive(Debug)]
enum Rule {
    /// Every call carries this key.
    Key(IdempotencyKey),
    /// One call; whether it was made.
    Once(Cell<bool>),
}

/// Runs a handler whose calls of the operation all carry this key.
pub(super) async fn with_key<F: Future>(meta: &'static OperationMeta, key: IdempotencyKey, handler: F) -> F::Output {
    let scope = Scope { system: meta.system, operation: meta.id, rule: Rule::Key(key) };
    TASK.scope(scope, handler).await
}

/// Runs a handler that may call the operation one time.
pub(super) async fn once<F: Future>(meta: &'static OperationMeta, handler: F) -> F::Output {
    let scope = Scope { system: meta.system, operation: meta.id, rule: Rule::Once(Cell::new(false)) };
    TASK.scope(scope, handler).await
}

/// Why the current task must not make this call, if it is a task's and it must not. `key` is what the call carries.
pub(crate) fn forbids(meta: &OperationMeta, key: Option<&IdempotencyKey>) -> Option<&'static str> {
    let key = key.filter(|key| !key.is_empty());
    let forbids = |scope: &Scope| {
        if (scope.system, scope.operation) != (meta.system, meta.id) {
            return None;
        }
        match (&scope.rule, key) {
            (Rule::Key(expected), Some(key)) if expected == key => None,
            (Rule::Key(_), Some(_)) => Some("the queued task has another idempotency key"),
            (Rule::Key(_), None) => Some("the queued task has an idempotency key, its request has none"),
            (Rule::Once(sent), _) if sent.replace(true) => Some("the queued task was sent already"),
            (Rule::Once(_), _) => None,
        }
    };
    TASK.try_with(forbids).ok().flatten()
}
