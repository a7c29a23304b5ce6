//! The routes for an axum service.

#![cfg(feature = "axum")]
#![allow(clippy::unwrap_used, reason = "a panic is a failure here")]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use cofferdam_runtime::health::{Health, Readiness, routes};
use cofferdam_runtime::settings::{SystemHandle, SystemSettings};
use cofferdam_runtime::{Guard, StatusCode};
use serde_json::Value;
use tower::ServiceExt;

fn system(name: &str) -> (Guard, Health) {
    let mut settings = SystemSettings::external("http://127.0.0.1:9/".parse().unwrap());
    settings.health.probe = Some("GET /health".parse().unwrap());
    let guard = Guard::new(&SystemHandle::new(name, settings)).unwrap();
    let health = Health::asking(&guard, &[], |_, _| Box::pin(async { Ok(StatusCode::OK) })).unwrap();
    (guard, health)
}

async fn get(router: &Router, path: &str) -> (u16, Value) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let reply = router.clone().oneshot(request).await.unwrap();
    let status = reply.status().as_u16();
    let body = to_bytes(reply.into_body(), 1 << 16).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn liveness_readiness_and_each_system_are_served() {
    let ((sber, sber_health), (f6, f6_health)) = (system("sber"), system("f6"));
    let router: Router = routes(Readiness::new().required(sber_health).optional(f6_health));
    let (status, body) = get(&router, "/health/readiness").await;
    assert_eq!((status, &body["status"], &body["systems"][0]["system"]), (200, &"up".into(), &"sber".into()));
    assert_eq!((&body["systems"][0]["required"], &body["systems"][1]["required"]), (&true.into(), &false.into()));
    let (status, body) = get(&router, "/health/f6").await;
    assert_eq!((status, &body["probe"]["outcome"], &body["probe"]["status"]), (200, &"answered".into(), &200.into()));

    f6.breaker().transition_to_forced_open();
    assert_eq!(get(&router, "/health/f6").await.0, 503);
    let (status, body) = get(&router, "/health/readiness").await;
    assert_eq!((status, &body["status"]), (200, &"degraded".into()));
    sber.breaker().transition_to_forced_open();
    let (status, body) = get(&router, "/health/readiness").await;
    assert_eq!((status, &body["status"]), (503, &"down".into()));
    assert_eq!(get(&router, "/health/liveness").await, (200, serde_json::json!({ "status": "up" })));
    assert_eq!(get(&router, "/health/warehouse").await.0, 404);
}

/// The router of a service has a state of its own, and takes these routes in.
#[tokio::test]
async fn the_routes_fit_into_a_service_with_a_state() {
    let service = Router::new().merge(routes::<u32>(Readiness::new())).with_state(7);
    assert_eq!(get(&service, "/health/readiness").await.0, 200);
}
