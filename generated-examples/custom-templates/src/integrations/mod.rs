//! The external systems.

pub mod f6;
