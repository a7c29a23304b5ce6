use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};

use super::{HealthStatus, Readiness, liveness};

/// Routes for an axum service:
///
/// - `/health/liveness`: the process itself; external systems have no part in it (R-RES-HC-4);
/// - `/health/readiness`: all systems; 503 when a required one is down;
/// - `/health/{system}`: one system; 503 when it is down, 404 when there is none of that name.
///
/// The answers name systems and states, and belong on a port that the world cannot reach.
pub fn routes<S>(readiness: Readiness) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    Router::new()
        .route("/health/liveness", get(|| async { Json(liveness()) }))
        .route("/health/readiness", get(all))
        .route("/health/{system}", get(one))
        .with_state(Arc::new(readiness))
}

async fn all(State(readiness): State<Arc<Readiness>>) -> Response {
    let report = readiness.check().await;
    (code(report.status), Json(report)).into_response()
}

async fn one(State(readiness): State<Arc<Readiness>>, Path(system): Path<String>) -> Response {
    let Some(health) = readiness.system(&system) else { return StatusCode::NOT_FOUND.into_response() };
    let report = health.check().await;
    (code(report.status), Json(report)).into_response()
}

fn code(status: HealthStatus) -> StatusCode {
    match status {
        HealthStatus::Up | HealthStatus::Degraded => StatusCode::OK,
        HealthStatus::Down => StatusCode::SERVICE_UNAVAILABLE,
    }
}
