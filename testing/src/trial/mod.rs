//! Trials of a team's own adapter: what `cofferdam generate --with-tests` writes calls these checks.
//!
//! A check starts a [`MisbehavingServer`](crate::MisbehavingServer), has the adapter call it under the team's own
//! settings with shorter waits, and counts what arrived. Requests come from the document's samples; verdicts, outcomes and
//! rejections are those of the team's mapping.

mod arrivals;
mod breaker;
mod places;
mod probe;
mod sampled;
mod stage;

use std::fmt;
use std::pin::Pin;

use cofferdam_runtime::health::Health;
use cofferdam_runtime::{CallError, ConnectError, Guard, Settings};

pub use self::arrivals::{reads_and_keyed_writes_arrive_as_the_settings_say, writes_arrive_once};
pub use self::breaker::the_breaker_opens_and_recovers;
pub use self::places::{a_dropped_call_holds_nothing, a_full_bulkhead_refuses};
pub use self::probe::health_is_asked_lightly;
pub use self::sampled::{Sampled, sample};

/// Where the server of a trial gives tokens, for credentials that are fetched.
pub const TOKEN_PATH: &str = "/cofferdam-trial/token";

/// What is tried: an adapter with a team's mapping.
pub trait Subject: 'static {
    /// The adapter.
    type Adapter: Send + Sync + 'static;

    /// The system's name in the settings.
    const SYSTEM: &'static str;

    /// The settings it runs under.
    ///
    /// # Errors
    /// When they are faulty.
    fn settings() -> Result<Settings, Box<dyn std::error::Error>>;

    /// An adapter for a server at this address.
    ///
    /// # Errors
    /// When it cannot be made.
    fn connect(settings: &Settings, server: &str) -> Result<Self::Adapter, ConnectError>;

    /// Its guard.
    fn guard(adapter: &Self::Adapter) -> &Guard;

    /// Its indicator of health.
    ///
    /// # Errors
    /// When the declared probe is a business operation.
    fn health(adapter: &Self::Adapter) -> Result<Health, ConnectError>;

    /// The JSON of a reply that the mapping takes for a success, where the sample of the document is none.
    fn reply(operation: &str) -> Option<&'static str>;

    /// The calls that can be made.
    fn cases() -> Vec<Case<Self::Adapter>>;
}

/// A call under way.
pub type Call<'a> = Pin<Box<dyn Future<Output = Ended> + Send + 'a>>;

/// A call that can be made: an operation with a sample of what it takes.
pub struct Case<A: 'static> {
    operation: &'static str,
    kind: Kind,
    reply: Reply,
    call: for<'a> fn(&'a A) -> Call<'a>,
}

impl<A> Case<A> {
    /// A call of an operation that is answered so when all is well.
    pub fn new(operation: &'static str, kind: Kind, reply: Reply, call: for<'a> fn(&'a A) -> Call<'a>) -> Self {
        Self { operation, kind, reply, call }
    }
}

impl<A> Clone for Case<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Case<A> {}

/// What may be done with a call that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only reads: it may be repeated.
    Read,
    /// It carries an idempotency key: it may be repeated with the same key.
    Keyed,
    /// It is sent at most once.
    Once,
}

/// What a server says when all is well.
#[derive(Debug, Clone, Copy)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body's media type; empty without a body.
    pub media_type: &'static str,
    /// The body.
    pub body: &'static str,
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// `fine`, or [`CallError::kind`].
    kind: &'static str,
    /// The error in words; empty where there is none.
    words: String,
}

/// How a call ended that answered this.
pub fn ended<T, R>(answer: Result<T, CallError<R>>) -> Ended {
    match answer {
        Ok(_) => Ended { kind: "fine", words: String::new() },
        Err(error) => Ended { kind: error.kind(), words: error.to_string() },
    }
}

/// Protection that does not hold, in words.
pub struct Broken(String);

impl Broken {
    fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl<E: std::error::Error> From<E> for Broken {
    fn from(error: E) -> Self {
        let mut words = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            words.push_str(&format!(": {inner}"));
            cause = inner.source();
        }
        Self(words)
    }
}

// A test that returns it shows this.
impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a check says: nothing, or what does not hold.
pub type Checked = Result<(), Broken>;

/// Tells that something was not tried, and why.
fn not_tried(what: &str) {
    println!("not tried: {what}");
}
