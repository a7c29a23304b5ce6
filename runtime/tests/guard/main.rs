//! The guard and the client behind it: in memory with paused time, and against a server that misbehaves.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    reason = "a test crate: nothing is reachable from outside, and a panic is a failure"
)]

mod adaptive;
mod connecting;
mod counting;
mod credentials;
mod deadline;
mod dropping;
mod engine;
mod fallbacks;
mod faults;
mod health;
#[cfg(feature = "metrics")]
mod metrics;
mod oauth;
mod order;
mod own_server;
mod pages;
mod probing;
#[cfg(feature = "metrics")]
mod r4j_retry;
mod rate_limit;
mod reload;
mod repeating;
mod server;
mod spans;
mod streams;
mod subject;
mod subscribing;
#[cfg(feature = "tower")]
mod tower;
mod watching;
mod worst_case;
