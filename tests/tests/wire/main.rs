//! Generated adapters, called as a team would call them, against servers that misbehave and count.
//!
//! All over real sockets and in real time, with limits short enough for a test; what is counted does not depend on how
//! fast the machine is.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

mod arrivals_per_kind;
mod breaker_on_the_wire;
mod cancellation;
mod isolation;
mod matrix;
mod world;
mod wrong_answers;
