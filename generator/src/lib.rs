//! Cofferdam: resilient adapters from OpenAPI specs.

pub mod analyse;
pub mod diagnose;
pub mod load;
pub mod lower;
pub mod model;
mod normalise;
pub mod plan;
pub mod project;
mod resolve;
