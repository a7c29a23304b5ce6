//! Settings files: what they mean, and what each mistake in one says.
#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

mod bad;
mod docs;
mod effective;
mod environment;
mod good;
mod mutations;
mod schema;
