//! Samples: values a type can have. Those the document gives (examples and defaults), and, where it gives none, such as
//! its schemas describe.
//!
//! The model says what can be read and written; bounds, patterns and the given values themselves stand in the documents,
//! which are looked at beside it. The same document always gives the same samples.

mod bounds;
mod build;
mod check;
mod given;
mod numbers;
mod objects;
mod operations;
mod pattern;
mod said;
mod text;
mod unions;

pub(crate) use check::{Breach, Fit, Unfit, Way};
pub(crate) use given::Given;
pub use operations::{OperationSamples, ReplySample, of_operations};
pub(crate) use said::{Said, Schemas};
