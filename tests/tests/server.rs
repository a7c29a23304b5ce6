//! The misbehaving server itself: each fault looks on the wire as its name says, and arrivals are counted right.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use cofferdam_tests::{Answer, BlackHole, Door, Fault, MisbehavingServer, Script, Step};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a plain client of one request saw: all bytes, and the error that ended them.
struct Seen {
    text: String,
    error: Option<ErrorKind>,
}

impl Seen {
    fn body(&self) -> &str {
        self.text.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }
}

async fn connect(server: &MisbehavingServer) -> TcpStream {
    TcpStream::connect(server.url().trim_start_matches("http://")).await.unwrap()
}

/// Sends a request, says that no more will come, and reads to the end.
async fn exchange(server: &MisbehavingServer, request: &str) -> Seen {
    let mut stream = connect(server).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        match stream.read(&mut piece).await {
            Ok(0) => return Seen { text: String::from_utf8_lossy(&bytes).into_owned(), error: None },
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
            Err(error) => {
                return Seen { text: String::from_utf8_lossy(&bytes).into_owned(), error: Some(error.kind()) };
            }
        }
        // A whole reply on a connection that is kept open.
        if whole(&bytes) {
            return Seen { text: String::from_utf8_lossy(&bytes).into_owned(), error: None };
        }
    }
}

fn whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    length.is_some_and(|length| length.parse() == Ok(body.len()))
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")
}

/// A server whose `/a` answers `{"fine":true}`.
fn server() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers("/a", Answer::json(&json!({ "fine": true })));
    server
}

const FINE: &str = r#"{"fine":true}"#;

#[tokio::test]
async fn a_request_is_recorded_whole() {
    let server = server();
    server.answers_with("/echo*", |arrival| Answer::status(201).with_body("text/plain", arrival.body.clone()));
    let request = "POST /echo?x=1&y=a%20b HTTP/1.1\r\nHost: h\r\nX-One: 1\r\nContent-Length: 11\r\n\r\na=b+c&d=%26";
    let seen = exchange(&server, request).await;
    assert!(seen.text.starts_with("HTTP/1.1 201 Created\r\n"), "{}", seen.text);
    assert_eq!(seen.body(), "a=b+c&d=%26");
    let [arrival] = &server.recorder().arrivals("/echo")[..] else { panic!("one arrival") };
    assert_eq!((arrival.method.as_str(), arrival.query.as_str()), ("POST", "x=1&y=a%20b"));
    assert_eq!(arrival.header("x-one"), Some("1"));
    assert_eq!(arrival.query_field("y").as_deref(), Some("a b"));
    assert_eq!(arrival.form_field("a").as_deref(), Some("b c"));
}

#[tokio::test]
async fn a_chunked_request_is_put_together() {
    let server = server();
    let request = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    assert_eq!(exchange(&server, request).await.body(), FINE);
    assert_eq!(&server.recorder().all()[0].body[..], b"abcde");
}

#[tokio::test]
async fn one_connection_carries_several_requests() {
    let server = server();
    let mut stream = connect(&server).await;
    for _ in 0..3 {
        stream.write_all(get("/a").as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        while !whole(&bytes) {
            assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0);
        }
    }
    assert_eq!((server.recorder().count("/a"), server.recorder().connections()), (3, 1));
}

#[tokio::test]
async fn a_path_fails_as_often_as_its_script_says() {
    let server = server();
    server.script("/a", Script::times(2, Answer::status(503)).then(1, Fault::Close));
    for status in ["503", "503", "", "200", "200"] {
        let seen = exchange(&server, &get("/a")).await;
        assert_eq!(seen.text.split(' ').nth(1).unwrap_or_default(), status);
    }
    assert!(exchange(&server, &get("/nowhere")).await.text.starts_with("HTTP/1.1 404 "));
}

#[tokio::test]
async fn the_script_for_everything_goes_before_a_paths_own() {
    let server = server();
    server.script("/a", Script::always(Answer::status(400)));
    server.script_everywhere(Script::times(1, Answer::status(503)).then(1, Step::fine()).then_always(Fault::Close));
    assert!(exchange(&server, &get("/a")).await.text.starts_with("HTTP/1.1 503 "));
    assert!(exchange(&server, &get("/a")).await.text.starts_with("HTTP/1.1 400 "));
    assert!(exchange(&server, &get("/a")).await.text.is_empty());
    server.behave();
    assert_eq!(exchange(&server, &get("/a")).await.body(), FINE);
}

#[tokio::test]
async fn closing_and_resetting_look_different() {
    let server = server();
    server.script("/a", Script::times(1, Fault::Close).then(1, Fault::Reset));
    let closed = exchange(&server, &get("/a")).await;
    assert_eq!((closed.text.as_str(), closed.error), ("", None));
    let reset = exchange(&server, &get("/a")).await;
    assert_eq!((reset.text.as_str(), reset.error), ("", Some(ErrorKind::ConnectionReset)));
}

#[tokio::test]
async fn a_reply_breaks_off_where_it_is_told_to() {
    let server = server();
    let script = Script::times(1, Fault::ResetInBody { after: 4 })
        .then(1, Fault::Truncate { missing: 10 })
        .then(1, Fault::CutHead { after: 20 });
    server.script("/a", script);
    let reset = exchange(&server, &get("/a")).await;
    assert_eq!((reset.body(), reset.error), (&FINE[..4], Some(ErrorKind::ConnectionReset)));
    let truncated = exchange(&server, &get("/a")).await;
    assert_eq!((truncated.body(), truncated.error), (FINE, None));
    assert!(truncated.text.contains("Content-Length: 23\r\n"), "{}", truncated.text);
    let cut = exchange(&server, &get("/a")).await;
    assert_eq!((cut.text.as_str(), cut.error), ("HTTP/1.1 200 OK\r\nCon", None));
}

#[tokio::test]
async fn wrong_bytes_come_as_told() {
    let server = server();
    let script = Script::times(1, Fault::GarbageBody).then(1, Fault::NotHttp).then(1, Fault::Huge { bytes: 200_001 });
    server.script("/a", script);
    let garbage = exchange(&server, &get("/a")).await;
    assert!(garbage.text.contains("Content-Type: application/json\r\n"), "{}", garbage.text);
    assert!(serde_json::from_str::<serde_json::Value>(garbage.body()).is_err());
    assert!(!exchange(&server, &get("/a")).await.text.starts_with("HTTP"));
    let huge = exchange(&server, &get("/a")).await;
    assert_eq!(huge.body().len(), 200_001);
    assert!(serde_json::from_str::<String>(huge.body()).is_ok());
}

#[tokio::test]
async fn slow_replies_are_slow_and_whole() {
    let server = server();
    let slow = Duration::from_millis(30);
    let script = Script::times(1, Fault::SlowFirstByte(slow)).then(1, Fault::Drip { piece: 5, every: slow / 3 });
    server.script("/a", script);
    for _ in 0..2 {
        let start = Instant::now();
        assert_eq!(exchange(&server, &get("/a")).await.body(), FINE);
        assert!(start.elapsed() >= slow, "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn a_client_that_gives_up_is_noticed() {
    let server = server();
    let script = Script::times(1, Fault::Hang)
        .then(1, Fault::SlowFirstByte(Duration::from_secs(600)))
        .then(1, Fault::StallInBody { first: 3 });
    server.script("/a", script);
    for abandoned in 1..=3 {
        let mut stream = connect(&server).await;
        stream.write_all(get("/a").as_bytes()).await.unwrap();
        server.recorder().until_arrived("/a", abandoned).await.unwrap();
        drop(stream);
        server.recorder().until_abandoned(abandoned as u64).await.unwrap();
    }
    assert_eq!(exchange(&server, &get("/a")).await.body(), FINE);
}

#[tokio::test]
async fn refusing_ends_open_connections_too_and_can_be_undone() {
    let server = server();
    let mut kept = connect(&server).await;
    kept.write_all(get("/a").as_bytes()).await.unwrap();
    assert_ne!(kept.read(&mut [0; 512]).await.unwrap(), 0);
    server.refuse().await;
    assert_eq!(server.recorder().open_connections(), 0);
    assert!(matches!(kept.read(&mut [0; 512]).await, Ok(0) | Err(_)));
    let refused = TcpStream::connect(server.url().trim_start_matches("http://")).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    server.listen_again().await;
    assert_eq!(exchange(&server, &get("/a")).await.body(), FINE);
}

/// Another server on it would answer for this one.
#[tokio::test]
async fn the_port_of_a_server_that_refuses_is_given_to_nobody_else() {
    let server = server();
    server.refuse().await;
    let another = tokio::net::TcpSocket::new_v4().unwrap();
    let taken = another.bind(server.url().trim_start_matches("http://").parse().unwrap()).unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::AddrInUse);
}

#[tokio::test]
async fn a_black_hole_lets_nobody_connect() {
    let hole = BlackHole::open().await.unwrap();
    let address = hole.url();
    let connecting = TcpStream::connect(address.trim_start_matches("http://"));
    assert!(tokio::time::timeout(Duration::from_millis(200), connecting).await.is_err());
}

#[tokio::test]
async fn each_fault_of_head_and_length_looks_as_its_name_says() {
    let looks: [(Fault, &str); 8] = [
        (Fault::TwoLengths, "Content-Length: 7\r\nContent-Length: 13\r\n\r\n"),
        (Fault::TooShortLength { hidden: 3 }, "Content-Length: 10\r\n\r\n{\"fine\":true}"),
        (Fault::CutChunk, "Transfer-Encoding: chunked\r\n\r\n17\r\n{\"fine\":true}"),
        (Fault::BadChunk, "Transfer-Encoding: chunked\r\n\r\nso much\r\n{\"fine\":true}"),
        (Fault::HugeHeader { bytes: 9000 }, &"x".repeat(9000)),
        (Fault::ManyHeaders { count: 3 }, "X-0: x\r\nX-1: x\r\nX-2: x\r\n"),
        (Fault::Informational { count: 1 }, "rel=preload\r\n\r\nHTTP/1.1 200 OK\r\n"),
        (Fault::SecondReply, "{\"fine\":true}HTTP/1.1 200 OK\r\n"),
    ];
    for (fault, look) in looks {
        let server = server();
        server.script("/a", Script::always(fault.clone()));
        let seen = until(&server, &get("/a"), |text| text.contains(look)).await;
        assert!(seen.text.contains(look), "{fault:?}: {}", seen.text);
    }
}

#[tokio::test]
async fn a_reset_within_the_head_ends_it() {
    let server = server();
    server.script("/a", Script::always(Fault::ResetInHead { after: 12 }));
    let seen = exchange(&server, &get("/a")).await;
    assert_eq!((seen.text.as_str(), seen.error), ("HTTP/1.1 200", Some(ErrorKind::ConnectionReset)));
}

#[tokio::test]
async fn what_never_ends_goes_on_until_the_client_leaves() {
    for fault in [Fault::Endless, Fault::InformationalOnly { every: Duration::from_millis(1) }] {
        let server = server();
        server.script("/a", Script::always(fault));
        let mut stream = connect(&server).await;
        stream.write_all(get("/a").as_bytes()).await.unwrap();
        stream.read_exact(&mut [0; 4096]).await.unwrap();
        drop(stream);
        server.recorder().until_abandoned(1).await.unwrap();
    }
}

#[tokio::test]
async fn a_half_closed_connection_still_takes_what_the_client_says() {
    let server = server();
    server.script("/a", Script::always(Fault::HalfClose));
    let mut stream = connect(&server).await;
    stream.write_all(get("/a").as_bytes()).await.unwrap();
    assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 0);
    stream.write_all(b"still here").await.unwrap();
    drop(stream);
    server.recorder().until_abandoned(1).await.unwrap();
}

#[tokio::test]
async fn a_door_is_met_by_new_connections_only() {
    let server = server();
    let mut standing = connect(&server).await;
    standing.write_all(get("/a").as_bytes()).await.unwrap();
    assert_ne!(standing.read(&mut [0; 4096]).await.unwrap(), 0);
    for door in [Door::ClosesAtOnce, Door::ResetsUnread] {
        server.door(door);
        let seen = until(&server, &get("/a"), |_| false).await;
        assert_eq!(seen.text, "", "{door:?}");
    }
    standing.write_all(get("/a").as_bytes()).await.unwrap();
    assert_ne!(standing.read(&mut [0; 4096]).await.unwrap(), 0);
    assert_eq!(server.recorder().count("/a"), 2);
    server.behave();
    assert_eq!(exchange(&server, &get("/a")).await.body(), FINE);
}

/// Sends a request, and reads until what came says so or the server ends the connection.
async fn until(server: &MisbehavingServer, request: &str, enough: impl Fn(&str) -> bool) -> Seen {
    let mut stream = connect(server).await;
    let (mut text, mut piece) = (String::new(), [0; 4096]);
    let mut error = stream.write_all(request.as_bytes()).await.err();
    while error.is_none() && !enough(&text) {
        match stream.read(&mut piece).await {
            Ok(0) => break,
            Ok(read) => text.push_str(&String::from_utf8_lossy(&piece[..read])),
            Err(failed) => error = Some(failed),
        }
    }
    Seen { text, error: error.map(|error| error.kind()) }
}
