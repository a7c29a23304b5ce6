//! Cofferdam: resilient adapters from OpenAPI specs.

pub mod analyse;
pub mod diagnose;
pub mod format;
pub mod load;
pub mod model;
pub mod output;
pub mod plan;
pub mod project;
pub mod render;
pub mod stubs;
pub mod view;
pub mod write;
