//! The external system `f6`.
//!
//! Domain, mapping and port are as the first run of Cofferdam made them. Beside them stands what a shop adds: how it signs
//! in, and what it does when the supplier cannot answer.

pub mod access;
pub mod domain;
// Generated: replaced on every run of `cofferdam generate`, never edited, and laid out by Cofferdam itself.
#[rustfmt::skip]
pub mod generated;
pub mod mapper;
pub mod port;
pub mod supplier;

pub use generated::{F6Adapter, F6Credentials};
pub use mapper::F6Mapping;
pub use port::{F6Error, F6Port};
pub use supplier::Supplier;
