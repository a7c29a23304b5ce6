//! The service that writes fiscal receipts: `receipt`.
//!
//! The first run of Cofferdam made this file, and the files of the modules `domain`, `mapper` and `port`. They were
//! edited since.

pub mod access;
pub mod domain;
// Generated: replaced on every run of `cofferdam generate`, never edited, and laid out by Cofferdam itself.
#[rustfmt::skip]
pub mod generated;
pub mod mapper;
pub mod port;

pub use generated::{ReceiptAdapter, ReceiptCredentials};
pub use mapper::ReceiptMapping;
pub use port::Receipts;
