//! What generated Cofferdam adapters stand on.
//!
//! A protected call goes through these layers, in this order, written out in [`Guard`]:
//!
//! `deadline ▸ retry {budget, Retry-After, full jitter} ▸ breaker ▸ rate limit ▸ attempt time limit ▸ bulkhead ▸
//! client`
//!
//! Features:
//! - `http` (default): the guard and the client. Without it only settings and wire types are built.
//! - `metrics` (default): numbers by the `metrics` facade; see [`observability`].
//! - `opentelemetry`: requests name the span they are made in, as `tracing-opentelemetry` knows it.
//! - `axum`: routes for [`health`].
//! - `tower`: the layers around a client of your own, as a `tower::Layer`.
//! - `queue-sqlite`, `queue-postgres`: a durable queue of calls.
//! - `exact-numbers`: numbers of any length keep their digits.
//! - `rust_decimal`, `time`, `jiff`: types of these crates as transport types; see [`mapped`]. The first implies
//!   `exact-numbers`.

pub mod backoff;
pub mod breaker;
pub mod mapped;
mod moment;
pub mod observability;
pub mod rate_limit;
mod secret;
pub mod settings;
mod sync;
pub mod wire;

pub use ::http::{HeaderMap, StatusCode};
pub use bytes::Bytes;
pub use serde_json::Value;

pub use self::settings::Settings;
pub use self::wire::{Date, DateTime, Maybe, Uuid};

#[cfg(feature = "http")]
mod attempt_scope;
#[cfg(feature = "http")]
mod bulkhead;
#[cfg(feature = "http")]
mod deadline;
#[cfg(feature = "http")]
mod error;
#[cfg(feature = "http")]
pub mod fallback;
#[cfg(feature = "http")]
mod guard;
#[cfg(feature = "http")]
pub mod health;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "http")]
mod idempotency;
#[cfg(feature = "http")]
mod mapping;
#[cfg(feature = "http")]
mod operation;
#[cfg(any(feature = "queue-sqlite", feature = "queue-postgres"))]
pub mod queue;
#[cfg(feature = "http")]
mod retry;
#[cfg(feature = "http")]
mod trace;

#[cfg(feature = "tower")]
pub use self::guard::service as tower;
#[cfg(feature = "http")]
pub use self::{
    deadline::{Deadline, within},
    error::{
        CallError, CallSite, ClientError, ConnectError, Delivery, FaultKind, NotSentCause, TimeoutPhase, TransportFault,
    },
    guard::{BytesAnswer, Guard, Outcomes, StreamAnswer, engine},
    http::{FilePart, SchemeUse},
    idempotency::IdempotencyKey,
    mapping::{Answer, Command, Mapping, MappingError, Refusal, Verdict},
    operation::{Decoded, Keyed, NoRejection, Once, Operation, OperationKind, OperationMeta, Paged, Read, Streaming},
};
