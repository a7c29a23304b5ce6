use std::future::Future;
use std::sync::Arc;

use super::Scene;
use crate::guard::Shared;
use crate::observability::FallbackKind;
use crate::{CallError, Delivery, Operation};

/// A fallback of a write that is not sent again by anybody: its caller is told that it is not confirmed, never that it was
/// done (R-RES-FB-X1, FB-X2). Whoever answers so must find out later what became of it.
#[derive(Debug)]
pub struct Unconfirmed<Op: Operation> {
    scene: Scene<Op>,
}

/// What is known of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "an unconfirmed write may not have happened"]
pub enum Confirmation<T> {
    /// The system did it, and this is its answer.
    Done(T),
    /// The system gave no answer. There is no value that could pass for one.
    Unconfirmed {
        /// Whether it may have been done.
        delivery: Delivery,
        /// Why there is no answer: the word of [`CallError::kind`].
        cause: &'static str,
        /// The number of the error for one's own clients.
        code: u32,
    },
}

impl<T> Confirmation<T> {
    /// The system's answer only.
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(outcome) => Some(outcome),
            Self::Unconfirmed { .. } => None,
        }
    }
}

impl<Op: Operation> Unconfirmed<Op> {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { scene: Scene::new(shared) }
    }

    /// The answer of `call`, the adapter's method for this operation; where the system cannot give one, that it is
    /// unconfirmed.
    ///
    /// # Errors
    /// The call's own, where nothing may stand in: a no, a mistake of ours.
    pub async fn answer<T, R>(
        &self,
        call: impl Future<Output = Result<T, CallError<R>>>,
    ) -> Result<Confirmation<T>, CallError<R>> {
        let error = match call.await {
            Ok(outcome) => return Ok(Confirmation::Done(outcome)),
            Err(error) => error,
        };
        if !self.scene.stands_in(&error) {
            return Err(error);
        }
        self.scene.used(FallbackKind::Unconfirmed);
        let (delivery, cause, code) = (error.delivery(), error.kind(), error.code());
        Ok(Confirmation::Unconfirmed { delivery, cause, code })
    }
}
