//! The example adapters as `cofferdam generate` writes them, committed.
//!
//! [`integrations::sber`] shows what becomes of the hand-written files: its domain, mapping and port are a shop's own.
//! Those of [`integrations::f6`] are as the first run made them.
#![deny(warnings)]

pub mod integrations;
