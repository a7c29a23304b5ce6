//! What is told about a system to those who watch it: names of metrics, a dashboard and alert rules upon them.

mod alerts;
mod dashboard;
pub mod names;
mod promql;

pub use alerts::alert_rules;
pub use dashboard::dashboard;

#[cfg(feature = "http")]
pub use crate::{
    guard::{publish, publish_every},
    trace::{TraceContext, TraceContextSet, set_trace_context},
};
