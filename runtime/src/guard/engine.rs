//! The seam behind which another engine can stand: what decides whether an attempt may begin, and whether there is to
//! be another one.
//!
//! Without one, which is the default, breaker, quota, bulkhead and retry are ours, and the seam costs a call one look
//! at an empty place. What stays ours in any case, since it is what the guard promises: a write without a key has no
//! second attempt, a body that is gone is not sent again, each attempt has its time limit and the caller's deadline, the
//! mapping judges, spans and errors are the same.
//!
//! ```
//! use cofferdam_runtime::Settings;
//! use cofferdam_runtime::engine::Transparent;
//!
//! let text = "systems: {acme: {base-url: 'http://127.0.0.1:9'}}";
//! let settings = Settings::parse(text, "test.yaml")?.with_engine(Transparent);
//! // `AcmeAdapter::connect(&settings, …)`: every attempt goes straight through.
//! # assert!(settings.system("acme").is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::{OperationMeta, Verdict};

/// A future of an engine.
pub type EngineFuture<'e, T> = Pin<Box<dyn Future<Output = T> + Send + 'e>>;

/// What decides in place of our own breaker, quota, bulkhead and retry.
pub trait Engine: Send + Sync + 'static {
    /// Whether an attempt may begin; it may wait for that. Dropped when the caller gives up or its time is over.
    fn admit<'e>(&'e self, attempt: Attempt<'e>) -> EngineFuture<'e, Result<Box<dyn Admitted>, Denied>>;

    /// The wait before another attempt after one that ended so; `None`: that was the last. It is only asked where
    /// another is allowed: never for a write without a key, never after a denial, a no or a success.
    fn repeat(&self, attempt: Attempt<'_>, verdict: Verdict) -> Option<Duration>;
}

/// An attempt, as far as an engine is concerned.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attempt<'m> {
    /// The operation, with the system's name.
    pub operation: &'m OperationMeta,
    /// Which attempt of its logical call it is, from 1.
    pub number: u32,
    /// The time it has at most.
    pub limit: Duration,
}

impl<'m> Attempt<'m> {
    pub(super) fn new(operation: &'m OperationMeta, number: u32, limit: Duration) -> Self {
        Self { operation, number, limit }
    }
}

/// An engine let an attempt through. Dropped without a word, the attempt was given up.
pub trait Admitted: Send {
    /// How it ended, and after what time.
    fn ended(self: Box<Self>, verdict: Verdict, elapsed: Duration);
}

/// An engine did not let an attempt through. Each becomes the [`CallError`](crate::CallError) of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// The system is taken to be broken for this long.
    CircuitOpen {
        /// When it may be worth trying again.
        retry_after: Duration,
    },
    /// Too many calls are under way.
    BulkheadFull,
    /// The quota is used up.
    RateLimited {
        /// When there is room again.
        retry_after: Duration,
    },
}

/// Lets everything through and repeats nothing: for unit tests of a team, in which a call is to be what the test made
/// of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Transparent;

impl Engine for Transparent {
    fn admit<'e>(&'e self, _: Attempt<'e>) -> EngineFuture<'e, Result<Box<dyn Admitted>, Denied>> {
        Box::pin(std::future::ready(Ok(Box::new(Self) as Box<dyn Admitted>)))
    }

    fn repeat(&self, _: Attempt<'_>, _: Verdict) -> Option<Duration> {
        None
    }
}

impl Admitted for Transparent {
    fn ended(self: Box<Self>, _: Verdict, _: Duration) {}
}

/// The engine of a system, if it is not ours.
#[derive(Clone, Default)]
pub(crate) struct EngineSlot(pub(crate) Option<Arc<dyn Engine>>);

impl fmt::Debug for EngineSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "another" } else { "our own" })
    }
}
