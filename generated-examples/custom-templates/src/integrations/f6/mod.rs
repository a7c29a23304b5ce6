//! The external system `f6`.
//!
//! Created once by Cofferdam; yours from here on. Cofferdam never opens this file for writing again.

#![allow(dead_code, missing_docs, unused_imports, reason = "fresh stubs: take this out as you make them yours")]

pub mod domain;
// Generated: replaced on every run of `cofferdam generate`, never edited, and laid out by Cofferdam itself.
#[rustfmt::skip]
pub mod generated;
pub mod mapper;
pub mod port;

pub use generated::{F6Adapter, F6Credentials};
pub use mapper::F6Mapping;
pub use port::{F6Error, F6Port};
