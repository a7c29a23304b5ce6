//! Orders made online and fetched in a store: `o2o`.
//!
//! The first run of Cofferdam made this file, and the files of the modules `domain`, `mapper` and `port`. They were
//! edited since.

pub mod domain;
// Generated: replaced on every run of `cofferdam generate`, never edited, and laid out by Cofferdam itself.
#[rustfmt::skip]
pub mod generated;
pub mod mapper;
pub mod port;

pub use generated::{O2oAdapter, O2oCredentials};
pub use mapper::O2oMapping;
pub use port::OnlineOrders;
