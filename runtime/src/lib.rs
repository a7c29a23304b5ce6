//! What generated Cofferdam adapters stand on.

pub mod backoff;
pub mod breaker;
pub mod settings;
mod sync;
pub mod wire;
