//! Whether a system is there: asked seldom, lightly, and past every layer (R-RES-HC-1 to HC-4).

use std::sync::Arc;
use std::time::Duration;

use cofferdam_runtime::health::{Health, HealthStatus, ProbeFailure, ProbeReport, Readiness, liveness};
use cofferdam_runtime::http::{Credentials, HttpClient};
use cofferdam_runtime::settings::{SystemHandle, SystemSettings};
use cofferdam_runtime::{Guard, Operation, OperationMeta, StatusCode};
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::server::{Act, Server};
use super::spans::Told;
use super::subject::{Counter, Look, Pay, Plain, handle, ms, recorded, settings};

const OPERATIONS: [&OperationMeta; 2] = [Look::META, Pay::META];

fn probing(mut settings: SystemSettings, probe: &str) -> SystemSettings {
    settings.health.probe = Some(probe.parse().unwrap());
    settings
}

fn real(handle: &SystemHandle) -> (Guard, Health) {
    let guard = Guard::new(handle).unwrap();
    let client = HttpClient::new(handle, Credentials::new().bearer("gateKey", "s3cr3t")).unwrap();
    let health = Health::new(&guard, &client, &OPERATIONS).unwrap();
    (guard, health)
}

/// A system that answers with this status after a second, and how often it was asked.
fn slow(handle: &SystemHandle, status: u16) -> (Guard, Health, Arc<Counter>) {
    let (guard, asked) = (Guard::new(handle).unwrap(), Arc::new(Counter::default()));
    let counter = Arc::clone(&asked);
    let health = Health::asking(&guard, &OPERATIONS, move |_, _| {
        counter.up();
        Box::pin(async move {
            sleep(ms(1000)).await;
            Ok(StatusCode::from_u16(status).unwrap())
        })
    });
    (guard, health.unwrap(), asked)
}

#[tokio::test]
async fn hc_x1_a_thousand_checks_at_once_are_one_request() {
    let server =
        Server::start(|_, _| Act::Reply { status: 200, headers: String::new(), body: "{}".into(), after: ms(50) })
            .await;
    let (guard, health) = real(&handle(probing(server.settings(), "GET /health?deep=0")));
    let checks: Vec<_> = (0..1000)
        .map(|_| {
            let health = health.clone();
            tokio::spawn(async move { health.check().await.status })
        })
        .collect();
    for check in checks {
        assert_eq!(check.await.unwrap(), HealthStatus::Up);
    }
    for _ in 0..1000 {
        health.check().await;
    }
    assert_eq!(server.count(), 1);
    let arrival = server.arrivals().remove(0);
    assert_eq!((arrival.line.as_str(), arrival.body.as_str()), ("GET /base/health?deep=0 HTTP/1.1", ""));
    assert_eq!(arrival.header("authorization"), None, "a probe needs no credentials");
    assert_eq!((recorded(&guard), guard.available_places()), ((0, 0), 16), "it passes none of the layers");
}

#[tokio::test(start_paused = true)]
async fn hc_2_an_answer_holds_for_thirty_seconds() {
    let (_guard, health, asked) = slow(&handle(probing(settings(), "GET /health")), 200);
    health.check().await;
    sleep(ms(29_999)).await;
    let ProbeReport::Answered { age_millis, took_millis, .. } = health.check().await.probe else { panic!() };
    assert_eq!((asked.get(), age_millis, took_millis), (1, 29_999, 1000));
    sleep(ms(1)).await;
    health.check().await;
    assert_eq!(asked.get(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_probe_goes_on_when_those_who_wait_for_it_go_away() {
    let (_guard, health, asked) = slow(&handle(probing(settings(), "GET /health")), 200);
    for _ in 0..100 {
        assert!(timeout(ms(5), health.check()).await.is_err());
    }
    sleep(ms(1000)).await;
    assert_eq!(health.check().await.status, HealthStatus::Up);
    assert_eq!(asked.get(), 1);
}

#[tokio::test]
async fn whatever_answers_below_500_is_there() {
    for (status, wanted) in [
        (200, HealthStatus::Up),
        (204, HealthStatus::Up),
        (302, HealthStatus::Up),
        (401, HealthStatus::Up),
        (404, HealthStatus::Up),
        (429, HealthStatus::Up),
        (500, HealthStatus::Down),
        (503, HealthStatus::Down),
    ] {
        let server = Server::start(move |_, _| Act::json(status, "")).await;
        let (_guard, health) = real(&handle(probing(server.settings(), "OPTIONS /things")));
        let report = health.check().await;
        assert_eq!(report.status, wanted, "{status}");
        assert!(matches!(report.probe, ProbeReport::Answered { status: answered, .. } if answered == status));
        assert_eq!(server.arrivals()[0].line, "OPTIONS /base/things HTTP/1.1");
    }
}

#[tokio::test]
async fn a_system_that_does_not_answer_is_down_and_a_word_says_why() {
    let failed = |report: ProbeReport| match report {
        ProbeReport::Failed { reason, request, .. } => (reason, request),
        other => panic!("{other:?}"),
    };
    let server = Server::start(|_, _| Act::Hang).await;
    let mut settings = probing(server.settings(), "HEAD /");
    settings.timeouts.read = ms(60_000);
    settings.health.timeout = ms(50);
    let (_guard, health) = real(&handle(settings.clone()));
    let start = Instant::now();
    let report = health.check().await;
    assert_eq!((report.status, failed(report.probe)), (HealthStatus::Down, ("timed_out", "HEAD /".into())));
    assert!(start.elapsed() < ms(1000));

    settings.base_url = "http://127.0.0.1:1/".parse().unwrap();
    let (_guard, health) = real(&handle(settings));
    assert_eq!(failed(health.check().await.probe).0, "connect");
}

#[tokio::test(start_paused = true)]
async fn hc_x2_without_a_declared_probe_only_breaker_and_bulkhead_are_told_and_that_is_said() {
    let mut settings = settings();
    settings.bulkhead.max_concurrent = 1;
    let (guard, health, asked) = slow(&handle(settings), 200);
    let report = health.check().await;
    let told = json!({
        "system": "acme",
        "status": "up",
        "circuitBreaker": {
            "state": "closed",
            "failureRate": null,
            "slowCallRate": null,
            "bufferedCalls": 0,
            "failedCalls": 0,
            "notPermittedCalls": 0,
        },
        "bulkhead": { "enabled": true, "available": 1, "max": 1 },
        "probe": {
            "outcome": "not_declared",
            "note": "no light request is declared (`health.probe`): only the state of breaker and bulkhead is told",
        },
    });
    assert_eq!(serde_json::to_value(&report).unwrap(), told);

    let holder = guard.clone();
    let holding = tokio::spawn(async move { holder.once(Pay, &Plain, std::future::pending).await });
    tokio::task::yield_now().await;
    assert_eq!(health.check().await.status, HealthStatus::Degraded, "every place is taken");
    holding.abort();
    let _ = holding.await;
    guard.breaker().transition_to_open().unwrap();
    assert_eq!(health.check().await.status, HealthStatus::Down);
    guard.breaker().transition_to_half_open().unwrap();
    assert_eq!(health.check().await.status, HealthStatus::Degraded);
    guard.breaker().transition_to_disabled();
    assert_eq!((health.check().await.status, asked.get()), (HealthStatus::Up, 0));
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_does_not_stop_the_probe_and_is_not_closed_by_it() {
    let (guard, health, asked) = slow(&handle(probing(settings(), "GET /health")), 200);
    guard.breaker().transition_to_forced_open();
    let report = health.check().await;
    assert_eq!((report.status, report.circuit_breaker.state, asked.get()), (HealthStatus::Down, "forced_open", 1));
    assert!(matches!(report.probe, ProbeReport::Answered { status: 200, .. }));
    guard.breaker().transition_to_closed();
    assert_eq!(health.check().await.status, HealthStatus::Up, "the breaker is told as it is now");
    assert_eq!(asked.get(), 1);
}

#[tokio::test(start_paused = true)]
async fn hc_x2_a_business_operation_is_never_a_probe() {
    let handle = handle(probing(settings(), "GET /things"));
    let guard = Guard::new(&handle).unwrap();
    let client = HttpClient::new(&handle, Credentials::new()).unwrap();
    let error = Health::new(&guard, &client, &OPERATIONS).unwrap_err().to_string();
    let wanted =
        "acme: health.probe: GET /things: this is the business operation look; OPTIONS of the same path is none";
    assert_eq!(error, wanted);

    handle.store(settings());
    let (_guard, health, asked) = slow(&handle, 200);
    for probe in ["GET /things", "POST /other", "DELETE /health"] {
        handle.store(probing(settings(), probe));
        let report = health.check().await;
        let ProbeReport::Refused { request, .. } = report.probe else { panic!("{report:?}") };
        assert_eq!((report.status, request.as_str()), (HealthStatus::Up, probe));
    }
    assert_eq!(asked.get(), 0);
}

#[tokio::test(start_paused = true)]
async fn another_probe_in_the_settings_is_asked_at_once() {
    let handle = handle(probing(settings(), "GET /health"));
    let (_guard, health, asked) = slow(&handle, 200);
    health.check().await;
    handle.store(probing(settings(), "GET /ping"));
    let ProbeReport::Answered { request, .. } = health.check().await.probe else { panic!() };
    assert_eq!((request.as_str(), asked.get()), ("GET /ping", 2));
    handle.store(settings());
    assert!(matches!(health.check().await.probe, ProbeReport::NotDeclared { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_panics_or_hangs_is_an_answer_too() {
    let handle = handle(probing(settings(), "GET /health"));
    let guard = Guard::new(&handle).unwrap();
    let asked = Arc::new(Counter::default());
    let counter = Arc::clone(&asked);
    let health = Health::asking(&guard, &[], move |_, _| {
        let first = counter.up() == 1;
        Box::pin(async move {
            assert!(!first, "a mistake in somebody's client");
            std::future::pending().await
        })
    });
    let health = health.unwrap();
    for (asked_for, wanted) in [(1, "panicked"), (2, "timed_out")] {
        for _ in 0..3 {
            let ProbeReport::Failed { reason, .. } = health.check().await.probe else { panic!() };
            assert_eq!((reason, asked.get()), (wanted, asked_for));
        }
        sleep(ms(30_000)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_failing_probe_is_told_once_and_that_it_is_answered_again() {
    let handle = handle(probing(settings(), "GET /health"));
    let guard = Guard::new(&handle).unwrap();
    let asked = Counter::default();
    let health = Health::asking(&guard, &[], move |_, _| {
        let answer = match asked.up() {
            2 => Err(ProbeFailure { kind: "connect", cause: "no connection: refused".into() }),
            3 => Ok(StatusCode::SERVICE_UNAVAILABLE),
            _ => Ok(StatusCode::OK),
        };
        Box::pin(async move { answer })
    });
    let health = health.unwrap();
    let (told, _listening) = Told::on_this_thread();
    for _ in 0..6 {
        health.check().await;
        sleep(ms(30_000)).await;
    }
    let wanted = [
        "WARN external.system=acme failure=connect: no connection: refused message=health probe failed request=GET /health",
        "INFO external.system=acme message=health probe is answered again request=GET /health status=200",
    ];
    assert_eq!(told.events(), wanted);
}

fn named(name: &str, probe: bool) -> SystemHandle {
    let settings = if probe { probing(settings(), "GET /health") } else { settings() };
    SystemHandle::new(name, settings)
}

#[tokio::test(start_paused = true)]
async fn hc_4_readiness_weighs_the_systems_and_liveness_knows_none() {
    let (_one, up, _) = slow(&named("one", true), 200);
    let (_two, down, _) = slow(&named("two", true), 503);
    let (three, silent, _) = slow(&named("three", false), 200);
    let start = Instant::now();
    let report = Readiness::new().required(up.clone()).optional(down.clone()).required(silent.clone()).check().await;
    assert_eq!(start.elapsed(), Duration::from_secs(1), "all are asked at once");
    let each: Vec<_> = report.systems.iter().map(|system| (system.health.system.as_str(), system.required)).collect();
    assert_eq!((report.status, each), (HealthStatus::Degraded, vec![("one", true), ("two", false), ("three", true)]));
    let of = |readiness: Readiness| async move { readiness.check().await.status };
    assert_eq!(of(Readiness::new()).await, HealthStatus::Up);
    assert_eq!(of(Readiness::new().required(up)).await, HealthStatus::Up);
    assert_eq!(of(Readiness::new().required(down)).await, HealthStatus::Down);
    three.breaker().transition_to_forced_open();
    assert_eq!(of(Readiness::new().required(silent.clone())).await, HealthStatus::Down);
    assert_eq!(of(Readiness::new().optional(silent)).await, HealthStatus::Degraded);
    assert_eq!(serde_json::to_value(liveness()).unwrap(), json!({ "status": "up" }));
}
