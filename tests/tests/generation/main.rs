//! What a run of the generator does to a team's crate, proven by compiling such crates.
//!
//! Each crate stands in a folder of its own outside the workspace and is compiled offline, with the versions of the
//! workspace's lock file and one target folder for all of them.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

mod contract_tests;
mod evolution;
mod features;
mod first_adapter;
mod fresh_crate;
mod mapping;
mod page;
mod readme;
mod regeneration;
mod resilience_tests;
mod streams;
mod workshop;
