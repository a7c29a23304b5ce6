//! Cofferdam: resilient adapters from OpenAPI specs.

pub mod analyse;
pub mod diagnose;
pub mod load;
pub mod model;
pub mod overlay;
pub mod plan;
pub mod project;
