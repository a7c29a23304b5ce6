//! What is told about a system to those who watch it: names of metrics, a dashboard and alert rules upon them.

pub mod names;

#[cfg(feature = "http")]
pub use crate::{
    guard::{publish, publish_every},
    trace::{TraceContext, TraceContextSet, set_trace_context},
};
