//! What generated Cofferdam adapters stand on.

pub mod wire;
