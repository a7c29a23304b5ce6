//! The two routers: one for the world, one for those who run the service.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use cofferdam_runtime::ConnectError;
use cofferdam_runtime::health;
use serde_json::Value;

use crate::order::{NewOrder, OrderView};
use crate::problem::Problem;
use crate::shop::{self, CardCharge};
use crate::systems::{Service, Shared};
use crate::{operator, workbench};

/// What the world may ask.
pub fn public(service: Shared) -> Router {
    Router::new()
        .route("/orders", post(place))
        .route("/orders/{number}", get(status))
        .route("/orders/{number}/refund", post(refund))
        .route("/workbench/{store}", get(bench))
        .route("/procurements/{store}", get(procurements))
        .route("/charges", post(charge))
        .route("/tickets/{order}", get(tickets))
        .with_state(service)
}

/// What those may ask who run the service: on a port of its own, which the world cannot reach.
///
/// # Errors
/// When the settings declare a probe that is an operation which may do something.
pub fn internal(service: Shared) -> Result<Router, ConnectError> {
    let health = health::routes(service.systems.readiness()?);
    Ok(Router::new().route("/metrics", get(metrics)).merge(operator::routes()).with_state(service).merge(health))
}

async fn place(
    State(service): State<Shared>,
    Json(order): Json<NewOrder>,
) -> Result<(StatusCode, Json<OrderView>), Problem> {
    let placed = detached(&service, move |service| async move { service.orders.place(&service.systems, order).await });
    Ok((StatusCode::CREATED, Json(placed.await?)))
}

async fn status(State(service): State<Shared>, Path(number): Path<String>) -> Result<Json<OrderView>, Problem> {
    Ok(Json(service.orders.status(&service.systems, &number).await?))
}

async fn refund(State(service): State<Shared>, Path(number): Path<String>) -> Result<Json<OrderView>, Problem> {
    let refunded =
        detached(&service, move |service| async move { service.orders.refund(&service.systems, &number).await });
    Ok(Json(refunded.await?))
}

/// Runs a write to its end, also when the caller hangs up meanwhile: what it did must get into the order.
async fn detached<T, F, Fut>(service: &Shared, work: F) -> Result<T, Problem>
where
    F: FnOnce(Arc<Service>) -> Fut,
    Fut: Future<Output = Result<T, Problem>> + Send + 'static,
    T: Send + 'static,
{
    match tokio::spawn(work(Arc::clone(service))).await {
        Ok(answer) => answer,
        Err(error) => {
            tracing::error!(%error, "a handler did not end");
            Err(Problem { status: 500, code: 10_000, title: "something is wrong with the service", retry_after: None })
        }
    }
}

async fn bench(State(service): State<Shared>, Path(store): Path<String>) -> Json<Value> {
    Json(workbench::page(&service.systems.mini, &store).await)
}

async fn procurements(State(service): State<Shared>, Path(store): Path<String>) -> Result<Json<Value>, Problem> {
    Ok(Json(shop::procurements(&service.systems.f6, &store).await?))
}

async fn charge(State(service): State<Shared>, Json(charge): Json<CardCharge>) -> Result<Json<Value>, Problem> {
    Ok(Json(shop::charge(&service.systems.payment_service, charge).await?))
}

async fn tickets(State(service): State<Shared>, Path(order): Path<String>) -> Result<Json<Value>, Problem> {
    Ok(Json(shop::tickets(&service.systems.odnakassa, &order).await?))
}

async fn metrics(State(service): State<Shared>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], service.watch.scrape())
}
