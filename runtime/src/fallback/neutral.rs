use std::future::Future;

use super::Scene;
use super::served::{Degraded, Served};
use crate::guard::Shared;
use crate::observability::FallbackKind;
use crate::{CallError, Operation, Read};
use std::sync::Arc;

/// A fallback on a value that does no harm, for a read: an empty list of recommendations, say. Never a balance of zero.
#[derive(Debug)]
pub struct Neutral<Op: Operation> {
    scene: Scene<Op>,
}

impl<Op: Read> Neutral<Op> {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { scene: Scene::new(shared) }
    }

    /// The answer of `call`, the adapter's method for this operation; where the system cannot give one, the value that
    /// `value` makes of the error (R-RES-FB-2).
    ///
    /// # Errors
    /// The call's own, where nothing may stand in: a no, a mistake of ours.
    pub async fn answer<T, R>(
        &self,
        call: impl Future<Output = Result<T, CallError<R>>>,
        value: impl FnOnce(&CallError<R>) -> T,
    ) -> Result<Served<T>, CallError<R>> {
        let error = match call.await {
            Ok(value) => return Ok(Served::Fresh(value)),
            Err(error) => error,
        };
        if !self.scene.stands_in(&error) {
            return Err(error);
        }
        let value = value(&error);
        self.scene.used(FallbackKind::Default);
        Ok(Served::Degraded(Degraded { value, kind: FallbackKind::Default, age: None, cause: error.kind() }))
    }
}
