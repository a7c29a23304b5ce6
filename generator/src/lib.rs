//! Cofferdam: resilient adapters from OpenAPI specs.

pub mod diagnose;
pub mod load;
pub mod model;
