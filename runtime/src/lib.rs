//! What generated Cofferdam adapters stand on.

pub mod backoff;
pub mod breaker;
mod sync;
pub mod wire;
