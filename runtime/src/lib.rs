//! What generated Cofferdam adapters stand on.
//!
//! A protected call goes through these layers, in this order, written out in [`Guard`]:
//!
//! `deadline ▸ retry {budget, Retry-After, full jitter} ▸ breaker ▸ rate limit ▸ attempt time limit ▸ bulkhead ▸
//! client`

pub mod backoff;
pub mod breaker;
mod moment;
pub mod rate_limit;
pub mod settings;
mod sync;
pub mod wire;

pub use ::http::{HeaderMap, StatusCode};
pub use bytes::Bytes;
pub use serde_json::Value;

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
mod guard;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "http")]
mod idempotency;
#[cfg(feature = "http")]
mod mapping;
#[cfg(feature = "http")]
mod operation;
#[cfg(feature = "http")]
mod retry;

#[cfg(feature = "http")]
pub use self::{
    deadline::{Deadline, within},
    error::{
        CallError, CallSite, ClientError, ConnectError, Delivery, FaultKind, NotSentCause, TimeoutPhase, TransportFault,
    },
    guard::Guard,
    http::{FilePart, SchemeUse},
    idempotency::IdempotencyKey,
    mapping::{Answer, Command, Mapping, MappingError, Refusal, Verdict},
    operation::{Decoded, Keyed, NoRejection, Once, Operation, OperationKind, OperationMeta, Read},
};
