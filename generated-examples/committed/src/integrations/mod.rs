//! One module an external system.

pub mod f6;
pub mod sber;
