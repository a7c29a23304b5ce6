use std::fmt;
use std::future::Future;
use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lru::LruCache;

use super::Scene;
use super::served::{Degraded, Served};
use crate::guard::Shared;
use crate::moment::Moment;
use crate::observability::FallbackKind;
use crate::settings::FallbackSettings;
use crate::{CallError, Operation, Read};

/// A fallback on earlier answers to a read: what the system said last to the same question, with its age.
///
/// It remembers the latest answers, as many as the settings say, and forgets those that were asked for longest ago.
pub struct Stale<Op: Operation, K, T> {
    scene: Scene<Op>,
    answers: Mutex<LruCache<K, Remembered<T>>>,
}

#[derive(Clone)]
struct Remembered<T> {
    value: T,
    at: Moment,
}

impl<Op, K, T> Stale<Op, K, T>
where
    Op: Read,
    K: Hash + Eq,
    T: Clone,
{
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let most = entries(&shared.fallback_settings());
        Self { scene: Scene::new(shared), answers: Mutex::new(LruCache::new(most)) }
    }

    /// The answer of `call`, the adapter's method for this operation, to the question `key`; where the system cannot give
    /// one, its last answer to that question, if it is not older than the settings allow.
    ///
    /// # Errors
    /// The call's own, where nothing may stand in, or nothing that is young enough is remembered.
    pub async fn answer<R>(
        &self,
        key: K,
        call: impl Future<Output = Result<T, CallError<R>>>,
    ) -> Result<Served<T>, CallError<R>> {
        match call.await {
            Ok(value) => {
                self.remember(key, value.clone());
                Ok(Served::Fresh(value))
            }
            Err(error) if self.scene.stands_in(&error) => match self.recall(&key) {
                Some((value, age)) => {
                    self.scene.used(FallbackKind::Stale);
                    let (kind, cause) = (FallbackKind::Stale, error.kind());
                    Ok(Served::Degraded(Degraded { value, kind, age: Some(age), cause }))
                }
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Forgets the answer to a question: after a write that changed it, say.
    pub fn forget(&self, key: &K) {
        self.locked().pop(key);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.locked().clear();
    }

    fn remember(&self, key: K, value: T) {
        let most = entries(&self.scene.shared.fallback_settings());
        let remembered = Remembered { value, at: Moment::now() };
        let mut answers = self.locked();
        if answers.cap() != most {
            answers.resize(most);
        }
        answers.put(key, remembered);
    }

    fn recall(&self, key: &K) -> Option<(T, Duration)> {
        let longest = self.scene.shared.fallback_settings().stale_max_age;
        let now = Moment::now();
        let mut answers = self.locked();
        let age = Duration::from_nanos(now.since(answers.peek(key)?.at));
        if age > longest {
            answers.pop(key);
            return None;
        }
        answers.get(key).map(|remembered| (remembered.value.clone(), age))
    }

    fn locked(&self) -> MutexGuard<'_, LruCache<K, Remembered<T>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn entries(settings: &FallbackSettings) -> NonZeroUsize {
    NonZeroUsize::new(settings.stale_max_entries as usize).unwrap_or(NonZeroUsize::MIN)
}

impl<Op: Operation, K, T> fmt::Debug for Stale<Op, K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither questions nor answers: both may hold what must not be logged.
        f.debug_struct("Stale").field("scene", &self.scene).finish_non_exhaustive()
    }
}
