//! The example adapters as `cofferdam generate` writes them, committed: the ten systems of a shop.
//!
//! Domains, mappings and ports are a shop's own, made from what the first run of `generate` wrote. Those of
//! [`integrations::f6`] are as the first run made them; what the shop does with the supplier stands beside them.
#![deny(warnings)]

pub mod integrations;
pub mod money;
pub mod workbench;
