//! Cofferdam: resilient adapters from OpenAPI specs.

pub mod analyse;
pub mod diagnose;
pub mod format;
pub mod load;
pub mod lower;
pub mod model;
mod normalise;
pub mod plan;
pub mod project;
pub mod render;
mod resolve;
