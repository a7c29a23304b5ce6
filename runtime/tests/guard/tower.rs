//! The layers around a tower service of one's own.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::settings::SystemSettings;
use cofferdam_runtime::tower::{HttpCalls, ProtectLayer, ProtectedError};
use cofferdam_runtime::{CallError, Guard, OperationKind, OperationMeta, TimeoutPhase};
use http::{Request, Response};
use tokio::time::{Instant, sleep};
use tower::{Layer, Service, ServiceExt, service_fn};

use super::subject::{Counter, guard, ms, recorded, settings};

const READ: OperationMeta = OperationMeta::of("acme", "read", OperationKind::Read, "GET", "/things");
const KEYED: OperationMeta = OperationMeta::of("acme", "keyed", OperationKind::Keyed, "POST", "/things");
const ONCE: OperationMeta = OperationMeta::of("acme", "once", OperationKind::Once, "POST", "/things");

type Reply = Result<Response<String>, ProtectedError<io::Error>>;

/// Sends one request to a client that answers each attempt by `reply` with the attempt's number.
async fn send(
    guard: &Guard,
    operation: &'static OperationMeta,
    request: Request<String>,
    reply: impl Fn(usize) -> Result<Response<String>, io::Error> + Clone + Send + Sync + 'static,
) -> (usize, Reply) {
    let begun = Arc::new(Counter::default());
    let counted = Arc::clone(&begun);
    let client = service_fn(move |_: Request<String>| {
        let reply = reply(counted.up());
        async move { reply }
    });
    let reply = ProtectLayer::new(guard, operation, HttpCalls::copied()).layer(client).oneshot(request).await;
    (begun.get(), reply)
}

fn status(status: u16) -> Result<Response<String>, io::Error> {
    Ok(Response::builder().status(status).header("retry-after", "2").body(String::new()).unwrap())
}

fn request(key: Option<&str>) -> Request<String> {
    let request = Request::post("/things");
    match key {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    }
    .body("body".to_owned())
    .unwrap()
}

#[tokio::test(start_paused = true)]
async fn r_res_re_1_only_reads_and_requests_with_a_key_are_sent_again() {
    for (operation, key, expected) in [
        (&READ, None, 3),
        (&KEYED, Some("K-1"), 3),
        (&KEYED, Some("  "), 1),
        (&KEYED, None, 1),
        (&ONCE, Some("K-1"), 1),
    ] {
        let guard = guard(settings());
        let start = Instant::now();
        let (begun, reply) = send(&guard, operation, request(key), |_| status(503)).await;
        assert_eq!((begun, reply.unwrap().status().as_u16()), (expected, 503), "{} {key:?}", operation.id);
        assert_eq!(recorded(&guard), (expected as u64, expected as u64));
        assert_eq!(start.elapsed().as_secs(), 2 * (expected as u64 - 1), "Retry-After is honoured");
    }
}

#[tokio::test(start_paused = true)]
async fn errors_of_the_service_are_failures_and_come_out_as_they_are() {
    let guard = guard(settings());
    let (begun, reply) = send(&guard, &READ, request(None), |_| Err(io::Error::other("gone"))).await;
    assert!(matches!(&reply, Err(ProtectedError::Inner(error)) if error.to_string() == "gone"), "{reply:?}");
    assert_eq!((begun, recorded(&guard)), (3, (3, 3)));
    let (begun, reply) =
        send(
            &guard,
            &READ,
            request(None),
            |number| {
                if number == 1 { Err(io::Error::other("gone")) } else { status(200) }
            },
        )
        .await;
    assert_eq!((begun, reply.unwrap().status().as_u16()), (2, 200));
}

#[tokio::test(start_paused = true)]
async fn a_no_is_an_answer_unless_the_settings_say_otherwise() {
    let guard = guard(settings());
    let (begun, reply) = send(&guard, &READ, request(None), |_| status(429)).await;
    assert_eq!((begun, reply.unwrap().status().as_u16(), recorded(&guard)), (1, 429, (0, 0)));
    let mut settings = settings();
    settings.retry.on_429 = true;
    settings.breaker.counting.record = "429".parse().unwrap();
    let guard = super::subject::guard(settings);
    let (begun, _) = send(&guard, &READ, request(None), |_| status(429)).await;
    assert_eq!((begun, recorded(&guard)), (3, (3, 3)));
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_refuses_and_the_service_is_not_asked() {
    let guard = guard(settings());
    guard.breaker().transition_to_open().unwrap();
    let (begun, reply) = send(&guard, &READ, request(None), |_| status(200)).await;
    let Err(ProtectedError::Layer(CallError::CircuitOpen { at, .. })) = reply else { panic!("{reply:?}") };
    assert_eq!((begun, at.system, at.operation), (0, "acme", "read"));
    assert_eq!(guard.breaker().state(), BreakerState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_cannot_be_copied_is_sent_once() {
    struct Body;
    let guard = guard(settings());
    let begun = Arc::new(Counter::default());
    let counted = Arc::clone(&begun);
    let client = service_fn(move |_: Request<Body>| {
        counted.up();
        async { Ok::<_, Infallible>(Response::builder().status(503).body(()).unwrap()) }
    });
    let client = ProtectLayer::new(&guard, &READ, HttpCalls::sent_once()).layer(client);
    let reply = client.oneshot(Request::new(Body)).await.unwrap();
    assert_eq!((begun.get(), reply.status().as_u16()), (1, 503));
}

/// A service that is never ready.
#[derive(Clone)]
struct Never;

impl Service<Request<String>> for Never {
    type Response = Response<String>;
    type Error = io::Error;
    type Future = std::future::Ready<Result<Response<String>, io::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Pending
    }

    fn call(&mut self, _: Request<String>) -> Self::Future {
        panic!("not ready")
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_service_takes_the_attempts_time_and_its_place() {
    let mut settings: SystemSettings = settings();
    (settings.bulkhead.max_concurrent, settings.bulkhead.max_wait) = (1, Duration::ZERO);
    let guard = guard(settings);
    let client = ProtectLayer::new(&guard, &ONCE, HttpCalls::copied()).layer(Never);
    let start = Instant::now();
    let waiting = tokio::spawn(client.clone().oneshot(request(None)));
    sleep(ms(1)).await;
    let reply = client.oneshot(request(None)).await;
    assert!(matches!(reply, Err(ProtectedError::Layer(CallError::BulkheadFull { .. }))), "{reply:?}");
    let reply = waiting.await.unwrap();
    let Err(ProtectedError::Layer(CallError::TimedOut { phase, .. })) = reply else { panic!("{reply:?}") };
    assert_eq!((phase, start.elapsed().as_secs()), (TimeoutPhase::Attempt, 36));
    assert_eq!(guard.available_places(), 1);
}
