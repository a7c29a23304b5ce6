//! What is told about a system to those who watch it: names of metrics, a dashboard and alert rules upon them.

mod alerts;
mod dashboard;
mod fallbacks;
pub mod names;
mod promql;
mod queue;

pub use alerts::alert_rules;
pub use dashboard::dashboard;
pub use fallbacks::{FallbackKind, Fallbacks};
pub use queue::QueueEnds;

#[cfg(feature = "http")]
pub use crate::{
    guard::{publish, publish_every},
    trace::{TraceContext, TraceContextSet, set_trace_context},
};
