//! The example adapters, generated at each build: nothing generated is in the repository, only what is hand-written.
#![deny(warnings)]

pub mod f6;
pub mod sber;
