//! Whether an external system is there, asked seldom and lightly (R-RES-HC-1 to HC-4).
//!
//! A [`Health`] belongs to one system. It tells the state of its breaker and bulkhead as they are now, and the answer to
//! a light request that the settings declare (`health.probe: GET /health`). That answer holds for 30 seconds, and
//! however many ask at once, one request goes out: past breaker, bulkhead and retry, so that it neither counts nor
//! waits. Without a declared request nothing is sent, and the report says so.
//!
//! [`Readiness`] puts several systems together; [`liveness`] is about none of them. With the feature `axum`,
//! `routes` serves all three.

mod ask;
mod business;
mod indicator;
mod readiness;
mod report;
#[cfg(feature = "axum")]
mod routes;

pub use ask::{AskFuture, ProbeFailure};
pub use indicator::Health;
pub use readiness::{Liveness, Readiness, ReadinessReport, SystemReadiness, liveness};
pub use report::{BreakerHealth, BulkheadHealth, HealthReport, HealthStatus, ProbeReport};
#[cfg(feature = "axum")]
pub use routes::routes;
