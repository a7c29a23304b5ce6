//! Cofferdam: resilient adapters from OpenAPI specs.

pub mod analyse;
pub mod diagnose;
pub mod load;
pub mod model;
pub mod plan;
pub mod write;
