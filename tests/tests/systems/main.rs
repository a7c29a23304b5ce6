//! The ten systems of the example shop, each against a server that misbehaves, under the settings of the examples: what
//! the table of the systems says that each must show.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

mod f6;
mod insurance;
mod mini;
mod odnakassa;
mod payment_service;
mod receipt;
mod sber;
mod stage;
