//! Streams against a server that misbehaves: what is opened again and what never, what is held and given back, what the
//! breaker hears.

use std::time::Duration;

use cofferdam_runtime::http::{
    BuildError, ByteStream, Credentials, Event, EventData, EventStream, HttpClient, JsonLines, RawReply, RequestWriter,
    StreamError, StreamForm,
};
use cofferdam_runtime::wire::DecodeError;
use cofferdam_runtime::{
    Bytes, CallError, ClientError, Decoded, Guard, IdempotencyKey, Mapping, MappingError, NoRejection, Once, Operation,
    OperationKind, OperationMeta, Outcomes, Read, Refusal, StatusCode, Streaming, Verdict,
};
use serde_json::{Value, json};

use super::server::{Act, Server};
use super::subject::{Look, Pay, Plain, handle, ms, recorded};

macro_rules! streaming {
    ($name:ident, $kind:ident, $method:literal, $stream:ty, $reply:ty, $media_type:literal, $data:ident) => {
        #[derive(Debug, Clone, Copy)]
        struct $name;

        impl Operation for $name {
            type Request = ();
            type Reply = $reply;
            type Rejection = Value;
            const META: &'static OperationMeta = &OperationMeta {
                system: "acme",
                id: stringify!($name),
                name: stringify!($name),
                kind: OperationKind::$kind,
                method: $method,
                path: "/stream",
                accept: $media_type,
                security: None,
            };

            fn encode(_: &(), _: Option<&IdempotencyKey>, out: &mut RequestWriter) -> Result<(), BuildError> {
                out.path("/stream");
                Ok(())
            }

            fn decode(reply: &RawReply) -> Result<Decoded<Self::Reply, Value>, DecodeError> {
                Ok(match reply.status.as_u16() {
                    404 | 503 => Decoded::Rejection(reply.json()?),
                    _ => Decoded::Undocumented,
                })
            }
        }

        impl $kind for $name {}

        impl Streaming for $name {
            type Stream = $stream;
            const FORM: StreamForm = StreamForm { media_type: $media_type, data: EventData::$data };
        }
    };
}

streaming!(Watch, Read, "GET", EventStream<Value>, Event<Value>, "text/event-stream", Json);
streaming!(Talk, Once, "POST", EventStream<Value>, Event<Value>, "text/event-stream", Json);
streaming!(Notes, Read, "GET", EventStream<String>, Event<String>, "text/event-stream", Text);
streaming!(Fields, Read, "GET", EventStream<Value>, Event<Value>, "text/event-stream", Event);
streaming!(Export, Read, "GET", JsonLines<Value>, Value, "application/x-ndjson", Json);

/// Gives the data of events; `bad` is the system's fault.
#[derive(Debug, Clone)]
struct Data;

impl<Op: Operation<Request = (), Reply = Event<Value>, Rejection = Value>> Mapping<Op> for Data {
    type Command = ();
    type Outcome = Value;
    type Rejection = Value;

    fn request(&self, (): &()) -> Result<(), MappingError> {
        Ok(())
    }

    fn verdict(&self, reply: &Event<Value>) -> Verdict {
        if reply.data == "bad" { Verdict::Failure } else { Verdict::Success }
    }

    fn outcome(&self, reply: Event<Value>) -> Result<Value, Refusal<Value>> {
        match reply.data.as_str() {
            Some("no") => Err(Refusal::Rejected(reply.data)),
            _ => Ok(reply.data),
        }
    }

    fn rejection(&self, _: StatusCode, body: Value) -> Value {
        body
    }
}

impl Mapping<Export> for Data {
    type Command = ();
    type Outcome = Value;
    type Rejection = Value;

    fn request(&self, (): &()) -> Result<(), MappingError> {
        Ok(())
    }

    fn outcome(&self, reply: Value) -> Result<Value, Refusal<Value>> {
        Ok(reply)
    }

    fn rejection(&self, _: StatusCode, body: Value) -> Value {
        body
    }
}

struct Adapter {
    client: HttpClient,
    guard: Guard,
}

impl Adapter {
    fn of(server: &Server) -> Self {
        Self::with(server, |_| {})
    }

    fn with(server: &Server, change: impl FnOnce(&mut cofferdam_runtime::settings::SystemSettings)) -> Self {
        let mut settings = server.settings();
        settings.bulkhead.max_concurrent = 1;
        settings.bulkhead.max_wait = Duration::ZERO;
        change(&mut settings);
        let handle = handle(settings);
        Self { client: HttpClient::new(&handle, Credentials::default()).unwrap(), guard: Guard::new(&handle).unwrap() }
    }

    async fn watch(&self) -> Result<Outcomes<Value, Value>, CallError<Value>> {
        self.guard.read_stream(Watch, &Data, || self.client.subscribe::<Watch, _>(&())).await
    }

    async fn talk(&self) -> Result<Outcomes<Value, Value>, CallError<Value>> {
        self.guard.once_stream(Talk, &Data, || self.client.stream::<Talk>(&(), None)).await
    }

    async fn export(&self) -> Result<Outcomes<Value, Value>, CallError<Value>> {
        self.guard.read_stream(Export, &Data, || self.client.stream::<Export>(&(), None)).await
    }

    async fn look(&self) -> Result<ByteStream, CallError<Value>> {
        let request = json!({});
        self.guard.read_bytes(Look, &Plain, || self.client.bytes::<Look>(&request, None)).await
    }
}

/// A stream that ends where the connection does.
fn whole(media_type: &str, body: &str) -> Act {
    let head = format!("HTTP/1.1 200 X\r\ncontent-type: {media_type}\r\nconnection: close\r\n\r\n");
    Act::Raw((head + body).into_bytes())
}

/// A stream that breaks off after this.
fn cut(media_type: &str, body: &str) -> Act {
    let head = format!("HTTP/1.1 200 X\r\ncontent-type: {media_type}\r\ncontent-length: 100000\r\n\r\n");
    Act::Raw((head + body).into_bytes())
}

/// A stream that falls silent after this.
fn silent(media_type: &str, body: &str) -> Act {
    let head = format!("HTTP/1.1 200 X\r\ncontent-type: {media_type}\r\ncontent-length: 100000\r\n\r\n");
    Act::RawThenHang((head + body).into_bytes())
}

const EVENTS: &str = "text/event-stream; charset=utf-8";

/// Everything a stream yields: outcomes as they are, errors as their text.
async fn all(mut outcomes: Outcomes<Value, Value>) -> Vec<Value> {
    let mut seen = Vec::new();
    while let Some(outcome) = outcomes.next().await {
        seen.push(outcome.unwrap_or_else(|error| Value::from(error.to_string())));
    }
    seen
}

#[tokio::test]
async fn events_are_read_with_their_fields_until_the_end_or_the_sentinel() {
    let stream = "\u{feff}: hello\r\nevent: add\r\nid: 1\r\nretry: 5\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata: 2\n\n";
    let server = Server::start(move |number, _| match number {
        1 => whole(EVENTS, stream),
        _ => whole(EVENTS, "data: 1\n\ndata: [DONE]\n\ndata: 3\n\n"),
    })
    .await;
    let adapter = Adapter::of(&server);
    let mut events = adapter.client.subscribe::<Watch, _>(&()).await.unwrap();
    assert_eq!(events.reply().status(), StatusCode::OK);
    let first = events.next().await.unwrap().unwrap();
    let id = Some("1".to_owned());
    assert_eq!(
        first,
        Event { event: Some("add".to_owned()), id: id.clone(), retry: Some(ms(5)), data: json!({ "a": 1 }) }
    );
    let second = events.next().await.unwrap().unwrap();
    assert_eq!(second, Event { event: None, id, retry: None, data: json!(2) });
    assert!(events.next().await.is_none());
    assert!(events.next().await.is_none());
    assert_eq!(all(adapter.watch().await.unwrap()).await, [json!(1)]);
    assert_eq!(server.arrivals()[1].header("accept"), Some("text/event-stream"));
    assert_eq!(server.count(), 2, "a clean end is an end");
}

#[tokio::test]
async fn data_is_text_or_part_of_the_event_where_the_document_says_so() {
    let server = Server::start(|_, _| whole(EVENTS, "event: e\nid: 7\ndata: [DONE]\n\ndata: {\"a\":1}\n\n")).await;
    let client = Adapter::of(&server).client;
    let mut notes = client.subscribe::<Notes, _>(&()).await.unwrap();
    assert_eq!(notes.next().await.unwrap().unwrap().data, "[DONE]", "text has no sentinel");
    assert_eq!(notes.next().await.unwrap().unwrap().data, "{\"a\":1}");
    let mut fields = client.subscribe::<Fields, _>(&()).await.unwrap();
    assert!(fields.next().await.is_none(), "the sentinel ends it");

    let server = Server::start(|_, _| whole(EVENTS, "event: e\nid: 7\ndata: {\"a\":1}\n\ndata: plain\n\n")).await;
    let mut fields = Adapter::of(&server).client.subscribe::<Fields, _>(&()).await.unwrap();
    assert_eq!(fields.next().await.unwrap().unwrap().data, json!({ "event": "e", "data": { "a": 1 }, "id": "7" }));
    assert_eq!(fields.next().await.unwrap().unwrap().data, json!({ "data": "plain", "id": "7" }));
}

#[tokio::test]
async fn a_bad_item_is_an_error_and_the_next_one_is_fine() {
    let server = Server::start(|_, _| whole(EVENTS, "data: 1\n\ndata: {nonsense\n\ndata: \"no\"\n\ndata: 4\n\n")).await;
    let adapter = Adapter::of(&server);
    let mut outcomes = adapter.watch().await.unwrap();
    assert_eq!(outcomes.next().await.unwrap().unwrap(), 1);
    let error = outcomes.next().await.unwrap().unwrap_err();
    let CallError::Undecodable { reply, .. } = &error else { panic!("{error}") };
    assert_eq!(reply.body, "{nonsense", "every byte of it is kept");
    assert!(!format!("{error:?}").contains("nonsense"));
    assert!(matches!(outcomes.next().await, Some(Err(CallError::Rejected { status: None, .. }))));
    assert_eq!(outcomes.next().await.unwrap().unwrap(), 4);
    assert!(outcomes.next().await.is_none());
    assert_eq!(recorded(&adapter.guard), (1, 0));
}

#[tokio::test]
async fn a_read_goes_on_after_the_last_event_where_it_broke_off() {
    let server = Server::start(|number, _| match number {
        1 => cut(EVENTS, "id: a\ndata: 1\n\nid: b\ndata: 2\n\nid: c\ndata: cut off"),
        2 => Act::json(503, "{}"),
        3 => silent(EVENTS, "id: d\ndata: 3\n\n"),
        _ => whole(EVENTS, "data: 4\n\n"),
    })
    .await;
    let adapter = Adapter::of(&server);
    assert_eq!(all(adapter.watch().await.unwrap()).await, [json!(1), json!(2), json!(3), json!(4)]);
    let ids: Vec<_> = server.arrivals().iter().map(|a| a.header("last-event-id").map(str::to_owned)).collect();
    assert_eq!(ids, [None, Some("b".to_owned()), Some("b".to_owned()), Some("d".to_owned())]);
    assert_eq!(adapter.guard.available_places(), 1);
    // Three openings and a failed one; two breaks.
    assert_eq!(recorded(&adapter.guard), (6, 3));
}

#[tokio::test]
async fn the_wait_that_the_stream_asks_for_is_kept() {
    let server = Server::start(|number, _| match number {
        1 => cut(EVENTS, "retry: 300\nid: 1\ndata: 1\n\n"),
        _ => whole(EVENTS, "data: 2\n\n"),
    })
    .await;
    let begun = tokio::time::Instant::now();
    assert_eq!(all(Adapter::of(&server).watch().await.unwrap()).await, [json!(1), json!(2)]);
    assert!(begun.elapsed() >= ms(300), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn reconnecting_is_bounded_by_the_attempts_without_an_event() {
    let server = Server::start(|number, _| match number {
        1 | 2 => cut(EVENTS, &format!("id: {number}\ndata: {number}\n\n")),
        _ => cut(EVENTS, ": nothing\n\n"),
    })
    .await;
    let adapter = Adapter::with(&server, |settings| settings.retry.max_attempts = 3);
    let seen = all(adapter.watch().await.unwrap()).await;
    assert_eq!(seen[..2], [json!(1), json!(2)]);
    assert!(seen[2].as_str().unwrap().contains("(3 attempts)"), "{seen:?}");
    assert_eq!((seen.len(), server.count()), (3, 4), "an event makes the attempts count anew");
}

#[tokio::test]
async fn without_an_id_nothing_that_came_can_come_twice() {
    let server = Server::start(|_, _| cut(EVENTS, "data: 1\n\n")).await;
    let adapter = Adapter::of(&server);
    let seen = all(adapter.watch().await.unwrap()).await;
    assert_eq!((seen.len(), server.count()), (2, 1), "{seen:?}");
    assert_eq!(recorded(&adapter.guard), (2, 1));
}

#[tokio::test]
async fn before_the_first_event_a_read_is_opened_again_without_an_id() {
    let server = Server::start(|number, _| match number {
        1 => cut(EVENTS, ": hello\n\n"),
        _ => whole(EVENTS, "data: 1\n\n"),
    })
    .await;
    assert_eq!(all(Adapter::of(&server).watch().await.unwrap()).await, [json!(1)]);
    assert_eq!(server.arrivals()[1].header("last-event-id"), None);
}

#[tokio::test]
async fn no_content_is_the_end_and_a_no_is_the_domains() {
    let server = Server::start(|number, _| match number {
        1 | 3 => cut(EVENTS, "id: 1\ndata: 1\n\n"),
        2 => Act::Raw(b"HTTP/1.1 204 X\r\n\r\n".to_vec()),
        _ => Act::json(404, "{\"gone\":true}"),
    })
    .await;
    let adapter = Adapter::of(&server);
    assert_eq!(all(adapter.watch().await.unwrap()).await, [json!(1)]);
    let mut outcomes = adapter.watch().await.unwrap();
    assert_eq!(outcomes.next().await.unwrap().unwrap(), 1);
    let error = outcomes.next().await.unwrap().unwrap_err();
    assert_eq!(error.rejection(), Some(&json!({ "gone": true })), "{error}");
    assert!(outcomes.next().await.is_none());
}

#[tokio::test]
async fn r_res_re_1_a_write_is_opened_once_whatever_happens() {
    for act in [
        || cut(EVENTS, ""),
        || cut(EVENTS, "id: 1\ndata: 1\n\n"),
        || silent(EVENTS, "id: 1\nretry: 1\ndata: 1\n\n"),
        || Act::json(503, "{}"),
        || Act::Close,
    ] {
        let server = Server::start(move |_, _| act()).await;
        let adapter = Adapter::of(&server);
        if let Ok(outcomes) = adapter.talk().await {
            let seen = all(outcomes).await;
            assert!(seen.last().unwrap().is_string(), "the break is told: {seen:?}");
        }
        assert_eq!(server.count(), 1);
        assert_eq!(recorded(&adapter.guard).1, 1);
        assert_eq!(adapter.guard.available_places(), 1);
    }
}

#[tokio::test]
async fn an_item_that_says_the_system_failed_is_a_failure_once() {
    let server = Server::start(|_, _| whole(EVENTS, "data: \"bad\"\n\ndata: \"bad\"\n\n")).await;
    let adapter = Adapter::of(&server);
    assert_eq!(all(adapter.talk().await.unwrap()).await.len(), 2);
    assert_eq!(recorded(&adapter.guard), (2, 1));
}

#[tokio::test]
async fn a_stream_keeps_its_place_until_it_is_over_or_dropped() {
    let server = Server::start(|number, _| match number {
        1 => silent(EVENTS, "data: 1\n\n"),
        _ => whole(EVENTS, "data: 1\n\n"),
    })
    .await;
    let adapter = Adapter::of(&server);
    let mut outcomes = adapter.watch().await.unwrap();
    assert_eq!(outcomes.next().await.unwrap().unwrap(), 1);
    assert_eq!(adapter.guard.available_places(), 0);
    assert!(matches!(adapter.watch().await, Err(CallError::BulkheadFull { .. })));
    drop(outcomes);
    assert_eq!(adapter.guard.available_places(), 1);
    let mut outcomes = adapter.watch().await.unwrap();
    while outcomes.next().await.is_some() {}
    assert_eq!(adapter.guard.available_places(), 1, "it is over though it is not dropped");
    assert_eq!(recorded(&adapter.guard), (2, 0), "a dropped stream says nothing about the system");
}

#[tokio::test]
async fn a_stream_may_last_longer_than_a_call_and_is_retried_until_it_is_there() {
    let server = Server::start(|number, _| match number {
        1 => Act::Close,
        2 => Act::json(503, "{}"),
        _ => Act::Drip(ms(20)),
    })
    .await;
    let adapter = Adapter::with(&server, |settings| settings.timeouts.call = ms(300));
    let mut bytes = adapter.look().await.unwrap();
    let begun = tokio::time::Instant::now();
    let mut received = 0;
    while begun.elapsed() < ms(500) {
        received += bytes.next().await.unwrap().unwrap().len();
    }
    assert!(received > 3, "{received}");
    assert_eq!(server.count(), 3);
    assert_eq!(adapter.guard.available_places(), 0);
    drop(bytes);
    assert_eq!(adapter.guard.available_places(), 1);
}

#[tokio::test]
async fn bytes_come_with_status_and_headers_and_their_break_is_told() {
    let server = Server::start(|number, _| match number {
        1 => Act::Raw(
            b"HTTP/1.1 200 X\r\ncontent-type: image/png\r\netag: \"e\"\r\ncontent-length: 3\r\n\r\n\xff\xfe\x00"
                .to_vec(),
        ),
        2 => cut("image/png", "ab"),
        _ => Act::json(404, "{\"a\":1}"),
    })
    .await;
    let adapter = Adapter::of(&server);
    let mut bytes = adapter.look().await.unwrap();
    assert_eq!((bytes.status(), bytes.media_type()), (StatusCode::OK, "image/png"));
    assert_eq!(bytes.header::<String>("etag").unwrap(), "\"e\"");
    assert_eq!(bytes.next().await.unwrap().unwrap(), &b"\xff\xfe\x00"[..]);
    assert!(bytes.next().await.is_none());
    let mut bytes = adapter.look().await.unwrap();
    assert_eq!(bytes.next().await.unwrap().unwrap(), "ab");
    assert!(matches!(bytes.next().await, Some(Err(StreamError::Transport(_)))));
    assert_eq!(recorded(&adapter.guard), (3, 1));
    assert!(matches!(adapter.look().await, Err(CallError::Rejected { .. })));
    assert_eq!(adapter.guard.available_places(), 1);
}

#[tokio::test]
async fn a_success_of_another_kind_is_refused_with_its_bytes() {
    let server = Server::start(|_, _| Act::json(200, "{\"whole\":true}")).await;
    let adapter = Adapter::of(&server);
    let error = adapter.talk().await.unwrap_err();
    let CallError::Undecodable { cause, reply, .. } = &error else { panic!("{error}") };
    assert_eq!(cause.to_string(), "expected a stream of text/event-stream, found \"application/json\"");
    assert_eq!(reply.body, "{\"whole\":true}");
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn lines_and_records_are_items_and_a_cut_off_one_is_none() {
    let server = Server::start(|number, _| match number {
        1 => whole("application/jsonl", "{\"a\":1}\n\n[2]\n3"),
        2 => whole("application/json-seq", "\u{1e}{\n\"a\":1}\n\u{1e}2\n"),
        3 => cut("application/x-ndjson", "1\n2"),
        _ => whole("application/x-ndjson", &format!("1\n\"{}\"\n3\n", "x".repeat(100))),
    })
    .await;
    let adapter = Adapter::with(&server, |settings| settings.max_reply_bytes = 50);
    assert_eq!(all(adapter.export().await.unwrap()).await, [json!({ "a": 1 }), json!([2]), json!(3)]);
    assert_eq!(all(adapter.export().await.unwrap()).await, [json!({ "a": 1 }), json!(2)]);
    let seen = all(adapter.export().await.unwrap()).await;
    assert_eq!((&seen[0], seen.len(), server.count()), (&json!(1), 2, 3), "lines have no id to go on from");
    let seen = all(adapter.export().await.unwrap()).await;
    assert_eq!((&seen[0], seen.len()), (&json!(1), 2));
    assert!(seen[1].as_str().unwrap().contains("more than 50 bytes"), "{seen:?}");
    assert_eq!(adapter.guard.available_places(), 1);
}

#[tokio::test]
async fn bytes_of_a_write_are_asked_for_once() {
    let server = Server::start(|_, _| Act::json(503, "{}")).await;
    let adapter = Adapter::of(&server);
    let opening = adapter.guard.once_bytes(Talk, &Data, || adapter.client.bytes::<Talk>(&(), None));
    let error = opening.await.unwrap_err();
    assert!(matches!(error, CallError::ServerError { .. }), "{error}");
    assert_eq!(server.count(), 1);
}

/// Nothing that a stream is made of keeps it from being sent to another task.
#[test]
fn streams_are_send() {
    fn is_send<T: Send + 'static>() {}
    is_send::<ByteStream>();
    is_send::<EventStream<String>>();
    is_send::<JsonLines<String>>();
    is_send::<Outcomes<Bytes, NoRejection>>();
    is_send::<ClientError<Pay>>();
}
