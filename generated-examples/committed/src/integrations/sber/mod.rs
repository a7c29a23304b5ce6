//! The payment gateway `sber`.
//!
//! The first run of Cofferdam made this file, and the files of the modules `domain`, `mapper` and `port`. They were
//! edited since: this is how a shop would have them.

pub mod domain;
// Generated: replaced on every run of `cofferdam generate`, never edited, and laid out by Cofferdam itself.
#[rustfmt::skip]
pub mod generated;
pub mod mapper;
pub mod port;

pub use generated::{SberAdapter, SberCredentials};
pub use mapper::SberMapping;
pub use port::{PaymentError, PaymentPort};
