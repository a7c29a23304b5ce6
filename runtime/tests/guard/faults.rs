//! A real server that misbehaves: what it receives, what the caller hears, what the breaker records.

use std::time::{Duration, Instant};

use cofferdam_runtime::http::{BodyStream, BuildError, Credentials, RawReply, RequestWriter};
use cofferdam_runtime::wire::DecodeError;
use cofferdam_runtime::{
    CallError, Decoded, Delivery, FaultKind, IdempotencyKey, Keyed, Mapping, MappingError, NoRejection, Operation,
    OperationKind, OperationMeta, Refusal, TimeoutPhase, within,
};
use serde_json::json;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Act, Server, adapter};
use super::subject::{Adapter, Answer, ms, recorded};

fn gate() -> Credentials {
    Credentials::new().api_key("gateKey", cofferdam_runtime::http::ApiKeyPlace::Header, "x-gate-key", "s3cr3t")
}

/// A server that always does the same, and an adapter for it that makes one attempt.
async fn always(act: Act) -> (Server, Adapter) {
    let server = Server::start(move |_, _| act.clone()).await;
    let mut settings = server.settings();
    settings.retry.max_attempts = 1;
    let adapter = adapter(settings, gate());
    (server, adapter)
}

fn transport(answer: Answer) -> (FaultKind, Delivery) {
    match answer.unwrap_err() {
        CallError::Transport { at, fault } => (fault.kind(), at.delivery),
        other => panic!("{other}"),
    }
}

fn timed_out(answer: Answer) -> (TimeoutPhase, Duration, Delivery) {
    match answer.unwrap_err() {
        CallError::TimedOut { at, phase, limit } => (phase, limit, at.delivery),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn always_503_a_read_arrives_as_often_as_allowed_and_a_keyless_write_once() {
    let server = Server::start(|_, _| Act::json(503, "")).await;
    let adapter = server.adapter(gate());
    let error = adapter.look().await.unwrap_err();
    assert_eq!((server.count(), error.attempts(), error.delivery()), (3, 3, Delivery::Answered));
    adapter.pay().await.unwrap_err();
    assert_eq!((server.count(), recorded(&adapter.guard)), (4, (4, 4)));

    let key = IdempotencyKey::random();
    adapter.order(&key).await.unwrap_err();
    let sent: Vec<_> = server.arrivals()[4..].to_vec();
    assert_eq!(sent.len(), 3);
    for arrival in sent {
        assert_eq!(arrival.line, "POST /base/things HTTP/1.1");
        assert_eq!(arrival.header("idempotency-key"), Some(key.as_str()));
        assert_eq!(arrival.body, "{\"item\":5}");
    }
}

#[tokio::test]
async fn a_server_that_recovers_is_asked_again() {
    let server = Server::start(|n, _| if n < 3 { Act::json(500, "{}") } else { Act::json(200, "{\"a\":1}") }).await;
    let adapter = server.adapter(gate());
    assert_eq!(adapter.look().await.unwrap(), json!({ "a": 1 }));
    assert_eq!((server.count(), recorded(&adapter.guard)), (3, (3, 2)));
}

#[tokio::test]
async fn a_no_comes_back_typed_and_unharmed() {
    let (server, adapter) = always(Act::json(404, "{\"why\":\"none\"}")).await;
    let error = adapter.look().await.unwrap_err();
    assert_eq!(error.rejection(), Some(&json!({ "status": 404, "body": { "why": "none" } })));
    assert_eq!((server.count(), error.suggested_status(), recorded(&adapter.guard)), (1, 404, (0, 0)));
}

#[tokio::test]
async fn a_refused_connection_was_surely_not_sent() {
    // Bound, and nobody listens there. It is kept, so that no other test is given the port.
    let held = tokio::net::TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = held.local_addr().unwrap();
    let server = Server::start(|_, _| Act::Close).await;
    let mut settings = server.settings();
    settings.base_url = format!("http://{address}/").parse().unwrap();
    let adapter = adapter(settings, gate());
    let error = adapter.look().await.unwrap_err();
    assert_eq!((error.attempts(), recorded(&adapter.guard)), (3, (3, 3)), "an I/O error is tried again");
    assert_eq!(transport(Err(error)), (FaultKind::Connect, Delivery::NotSent));
    assert_eq!(transport(adapter.pay().await), (FaultKind::Connect, Delivery::NotSent));
}

#[tokio::test]
async fn an_unknown_host_was_surely_not_sent() {
    let server = Server::start(|_, _| Act::Close).await;
    let mut settings = server.settings();
    settings.base_url = "http://no-such-host.invalid/".parse().unwrap();
    settings.timeouts.connect = ms(5000);
    settings.timeouts.read = ms(6000);
    settings.timeouts.call = ms(12_000);
    let adapter = adapter(settings, gate());
    assert_eq!(transport(adapter.pay().await), (FaultKind::Dns, Delivery::NotSent));
}

#[tokio::test]
async fn a_connection_that_ends_before_the_reply_may_have_been_sent() {
    let (server, adapter) = always(Act::Close).await;
    assert_eq!(transport(adapter.pay().await), (FaultKind::Closed, Delivery::MaybeSent));
    assert_eq!((server.count(), recorded(&adapter.guard)), (1, (1, 1)));
}

#[tokio::test]
async fn a_connection_that_ends_within_the_reply() {
    for part in [
        "HTTP/1.1 200 X\r\ncontent-length: 100\r\n\r\n{\"a\"",
        "HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{\"a\"",
    ] {
        let (server, adapter) = always(Act::Raw(part.into())).await;
        assert_eq!(transport(adapter.pay().await), (FaultKind::Truncated, Delivery::MaybeSent));
        assert_eq!((server.count(), recorded(&adapter.guard)), (1, (1, 1)));
    }
    let (_, adapter) = always(Act::Raw("HTTP/1.1 200 X\r\ncontent-le".into())).await;
    assert_eq!(transport(adapter.pay().await), (FaultKind::Closed, Delivery::MaybeSent));
}

#[tokio::test]
async fn what_is_no_http() {
    let (server, adapter) = always(Act::Raw("hello there\r\n\r\n".into())).await;
    assert_eq!(transport(adapter.pay().await), (FaultKind::Protocol, Delivery::MaybeSent));
    assert_eq!((server.count(), recorded(&adapter.guard)), (1, (1, 1)));
}

#[tokio::test]
async fn garbage_for_json_is_kept_and_counts_and_is_not_tried_again() {
    let server = Server::start(|_, _| Act::json(200, "{garbage")).await;
    let adapter = server.adapter(gate());
    let error = adapter.look().await.unwrap_err();
    let CallError::Undecodable { status, ref reply, .. } = error else { panic!("{error}") };
    assert_eq!((status.as_u16(), &reply.body[..]), (200, &b"{garbage"[..]));
    assert!(!format!("{error:?}").contains("garbage"));
    assert_eq!((server.count(), recorded(&adapter.guard)), (1, (1, 1)));
}

#[tokio::test]
async fn a_failure_whose_body_is_garbage_is_still_a_failure() {
    let server = Server::start(|_, _| Act::json(500, "<html>")).await;
    let adapter = server.adapter(gate());
    let error = adapter.look().await.unwrap_err();
    let CallError::ServerError { rejection: None, ref reply, .. } = error else { panic!("{error}") };
    assert_eq!((&reply.body[..], server.count()), (&b"<html>"[..], 3));
}

#[tokio::test]
async fn r_res_to_1_silence_ends_a_call_after_the_read_limit() {
    let (server, adapter) = always(Act::Hang).await;
    let start = Instant::now();
    assert_eq!(timed_out(adapter.pay().await), (TimeoutPhase::Reply, ms(200), Delivery::MaybeSent));
    assert!(start.elapsed() >= ms(200) && start.elapsed() < ms(700), "{:?}", start.elapsed());
    assert_eq!((server.count(), recorded(&adapter.guard)), (1, (1, 1)));

    let stalled = "HTTP/1.1 200 X\r\ncontent-length: 100\r\n\r\n{\"a\"";
    let (_, adapter) = always(Act::RawThenHang(stalled.into())).await;
    assert_eq!(timed_out(adapter.pay().await), (TimeoutPhase::Body, ms(200), Delivery::MaybeSent));
}

#[tokio::test]
async fn r_res_to_1_a_body_that_drips_ends_with_the_call_limit() {
    let (_, adapter) = always(Act::Drip(ms(20))).await;
    let start = Instant::now();
    let (phase, limit, delivery) = timed_out(adapter.pay().await);
    assert_eq!((phase, delivery), (TimeoutPhase::Body, Delivery::MaybeSent));
    assert!(limit > ms(1490) && limit <= ms(1500), "{limit:?}");
    assert!(start.elapsed() >= ms(1490) && start.elapsed() < ms(2200), "{:?}", start.elapsed());
}

#[tokio::test]
async fn the_bare_client_has_the_same_limits() {
    let server = Server::start(|_, _| Act::Hang).await;
    let adapter = server.adapter(gate());
    let request = json!({});
    let error = adapter.client.call::<super::subject::Pay>(&request, None).await.unwrap_err();
    assert_eq!(error.to_string(), "timed out after 200ms waiting for the reply");
    let start = Instant::now();
    let call = adapter.client.call::<super::subject::Pay>(&request, None);
    within(ms(180), call).await.unwrap_err();
    assert!(start.elapsed() < ms(150), "{:?}", start.elapsed());
    let error = within(ms(90), adapter.client.call::<super::subject::Pay>(&request, None)).await.unwrap_err();
    assert_eq!((error.delivery(), server.count()), (Delivery::NotSent, 2));
}

#[tokio::test]
async fn a_reply_that_is_too_long_is_given_up() {
    let announced = format!("HTTP/1.1 200 X\r\ncontent-length: 2000\r\n\r\n{}", " ".repeat(2000));
    let endless = format!("HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n{}\r\n", " ".repeat(2000));
    for bytes in [announced, endless] {
        let server = Server::start(move |_, _| Act::RawThenHang(bytes.clone().into())).await;
        let mut settings = server.settings();
        settings.max_reply_bytes = 1999;
        let adapter = adapter(settings, gate());
        let start = Instant::now();
        assert_eq!(transport(adapter.look().await), (FaultKind::ReplyTooLarge, Delivery::MaybeSent));
        assert!(start.elapsed() < ms(150), "given up at once");
        assert_eq!((server.count(), recorded(&adapter.guard)), (1, (1, 1)), "the same again would be as long");
    }
    let (_, adapter) = always(Act::json(200, &format!("\"{}\"", "x".repeat(1_000_000)))).await;
    assert_eq!(adapter.look().await.unwrap().as_str().unwrap().len(), 1_000_000, "many pieces make one body");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_no_credential_goes_anywhere_else() {
    let other = Server::start(|_, _| Act::json(200, "{}")).await;
    for status in [301, 302, 307, 308] {
        let location = format!("location: http://{}/elsewhere\r\n", other.address);
        let (server, adapter) = always(Act::with(status, &location, "")).await;
        let error = adapter.pay().await.unwrap_err();
        assert!(matches!(error, CallError::Unexpected { status: found, .. } if found == status), "{error}");
        assert_eq!((server.count(), server.arrivals()[0].header("x-gate-key")), (1, Some("s3cr3t")));
    }
    assert_eq!(other.count(), 0);
}

#[tokio::test]
async fn r_res_iso_1_a_hanging_system_holds_its_own_places_only() {
    let (hanging, healthy) = (Server::start(|_, _| Act::Hang).await, Server::start(|_, _| Act::json(200, "{}")).await);
    let mut settings = hanging.settings();
    settings.bulkhead.max_concurrent = 4;
    settings.bulkhead.max_wait = ms(30);
    let (sick, well) = (adapter(settings, gate()), healthy.adapter(gate()));
    let mut calls = tokio::task::JoinSet::new();
    let sick = std::sync::Arc::new(sick);
    for _ in 0..10 {
        let sick = std::sync::Arc::clone(&sick);
        calls.spawn(async move { (sick.pay().await.unwrap_err(), Instant::now()) });
    }
    let start = Instant::now();
    well.pay().await.unwrap();
    assert!(start.elapsed() < ms(100));
    let (mut refused, mut timed_out) = (0, 0);
    while let Some(call) = calls.join_next().await {
        match call.unwrap() {
            (CallError::BulkheadFull { .. }, at) => {
                refused += 1;
                assert!(at - start < ms(150), "{:?}", at - start);
            }
            (CallError::TimedOut { .. }, _) => timed_out += 1,
            (other, _) => panic!("{other}"),
        }
    }
    assert_eq!((refused, timed_out, hanging.count()), (6, 4, 4));
    assert_eq!(sick.guard.available_places(), 4);
}

#[tokio::test]
async fn the_time_that_is_left_is_told_where_the_settings_say_so() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let mut settings = server.settings();
    settings.headers.deadline = Some("x-time-left".parse().unwrap());
    let adapter = adapter(settings, gate());
    within(ms(600), adapter.pay()).await.unwrap();
    let left: u64 = server.arrivals()[0].header("x-time-left").unwrap().parse().unwrap();
    assert!((300..=500).contains(&left), "{left}");
}

#[tokio::test]
async fn a_reload_reaches_the_client_too() {
    let (old, new) = (Server::start(|_, _| Act::json(200, "1")).await, Server::start(|_, _| Act::json(200, "2")).await);
    let handle = super::subject::handle(old.settings());
    let client = cofferdam_runtime::http::HttpClient::new(&handle, gate()).unwrap();
    let request = json!({});
    assert_eq!(client.call::<super::subject::Pay>(&request, None).await.unwrap(), json!(1));
    let mut settings = new.settings();
    settings.timeouts.connect = ms(150);
    settings.pool.max_idle = 1;
    handle.store(settings);
    assert_eq!(client.call::<super::subject::Pay>(&request, None).await.unwrap(), json!(2));
}

#[tokio::test]
async fn no_tls_session_means_nothing_was_sent() {
    let server = Server::start(|_, _| Act::Close).await;
    let mut settings = server.settings();
    settings.base_url = format!("https://{}/", server.address).parse().unwrap();
    // A TLS greeting has no end of a head in it: the server of these tests waits for more until we give up.
    let adapter = adapter(settings, gate());
    assert_eq!(timed_out(adapter.pay().await), (TimeoutPhase::Connect, ms(100), Delivery::NotSent));

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut settings = server.settings();
    settings.base_url = format!("https://{}/", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(b"HTTP/1.1 400 no TLS here\r\n\r\n").await;
        }
    });
    let adapter = super::server::adapter(settings, gate());
    assert_eq!(transport(adapter.pay().await), (FaultKind::Tls, Delivery::NotSent));
}

#[tokio::test]
async fn a_stream_is_sent_once_even_by_an_operation_that_could_be_repeated() {
    let server = Server::start(|_, _| Act::json(503, "")).await;
    let adapter = server.adapter(Credentials::new());
    let upload = Upload(BodyStream::new(Pieces(vec!["cde", "ab"])));
    let error = adapter
        .guard
        .keyed(Put, &"K-1".into(), &Unmapped, || adapter.client.call::<Put>(&upload, None))
        .await
        .unwrap_err();
    assert!(matches!(error, CallError::ServerError { .. }), "{error}");
    let arrivals = server.arrivals();
    assert_eq!((arrivals.len(), error.attempts()), (1, 1));
    assert_eq!(arrivals[0].body, "abcde");

    let error = adapter.client.call::<Put>(&upload, None).await.unwrap_err();
    assert_eq!(error.to_string(), "not sent: the body is a stream and has been sent before");
}

struct Pieces(Vec<&'static str>);

impl futures_core::Stream for Pieces {
    type Item = Result<bytes::Bytes, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.pop().map(|piece| Ok(piece.into())))
    }
}

#[derive(Clone, Copy)]
struct Put;
struct Upload(BodyStream);
struct Unmapped;

impl Operation for Put {
    type Request = Upload;
    type Reply = ();
    type Rejection = NoRejection;
    const META: &'static OperationMeta = &OperationMeta {
        system: "acme",
        id: "put",
        name: "put",
        kind: OperationKind::Keyed,
        method: "PUT",
        path: "/file",
        accept: "",
        security: None,
    };

    fn encode(request: &Upload, _: Option<&IdempotencyKey>, out: &mut RequestWriter) -> Result<(), BuildError> {
        out.path("/file");
        out.stream("application/octet-stream", request.0.clone())
    }

    fn decode(_: &RawReply) -> Result<Decoded<(), NoRejection>, DecodeError> {
        Ok(Decoded::Undocumented)
    }
}

impl Keyed for Put {}

impl Mapping<Put> for Unmapped {
    type Command = ();
    type Outcome = ();
    type Rejection = NoRejection;

    fn request(&self, (): &()) -> Result<Upload, MappingError> {
        Err(MappingError::new("not needed here"))
    }

    fn outcome(&self, (): ()) -> Result<(), Refusal<NoRejection>> {
        Ok(())
    }

    fn rejection(&self, status: http::StatusCode, body: NoRejection) -> NoRejection {
        body.never(status)
    }
}
