//! The insurer: `insurance`.
//!
//! The first run of Cofferdam made this file, and the files of the modules `domain`, `mapper` and `port`. They were
//! edited since.

pub mod domain;
// Generated: replaced on every run of `cofferdam generate`, never edited, and laid out by Cofferdam itself.
#[rustfmt::skip]
pub mod generated;
pub mod mapper;
pub mod port;

pub use generated::{InsuranceAdapter, InsuranceCredentials};
pub use mapper::InsuranceMapping;
pub use port::Insurer;
