//! What the durable queue promises, each promise on every database there is.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

mod clock;
mod database_away;
mod enqueueing;
mod keeping_away;
mod operating;
mod polling;
mod sending;
mod sharing;
mod stage;
mod stopping;
