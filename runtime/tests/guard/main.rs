//! The guard and the client behind it: in memory with paused time, and against a server that misbehaves.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    reason = "a test crate: nothing is reachable from outside, and a panic is a failure"
)]

mod credentials;
mod deadline;
mod dropping;
mod faults;
mod health;
mod oauth;
mod order;
mod rate_limit;
mod reload;
mod repeating;
mod server;
mod subject;
