//! A program that keeps its traces itself. In a process of its own: there is one provider a process.

#![allow(clippy::unwrap_used, reason = "a panic is a failure here")]

#[path = "guard/server.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
mod server;
#[path = "guard/subject.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
mod subject;

use cofferdam_runtime::http::Credentials;
use cofferdam_runtime::observability::{TraceContextSet, set_trace_context};
use http::{HeaderName, HeaderValue};

use self::server::{Act, Server};

tokio::task_local!(static TRACE: &'static str);

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn provider() -> Vec<(HeaderName, HeaderValue)> {
    let parent = TRACE.try_with(|trace| (HeaderName::from_static("traceparent"), HeaderValue::from_static(trace)));
    parent
        .map(|parent| vec![parent, (HeaderName::from_static("x-b3"), HeaderValue::from_static("1"))])
        .unwrap_or_default()
}

#[tokio::test]
async fn requests_carry_what_the_provider_says() {
    set_trace_context(provider).unwrap();
    assert_eq!(set_trace_context(Vec::new), Err(TraceContextSet));
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let mut settings = server.settings();
    settings.headers.trace_id = Some(HeaderName::from_static("x-trace-id"));
    let adapter = server::adapter(settings, Credentials::new());
    TRACE.scope(PARENT, adapter.look()).await.unwrap();
    let arrival = server.arrivals().remove(0);
    assert_eq!((arrival.header("traceparent"), arrival.header("x-b3")), (Some(PARENT), Some("1")));
    assert_eq!(arrival.header("x-trace-id"), Some("0af7651916cd43dd8448eb211c80319c"));

    // A task without a trace has one made up.
    adapter.look().await.unwrap();
    let arrival = server.arrivals().remove(1);
    assert!(arrival.header("traceparent").is_some_and(|parent| parent != PARENT && parent.ends_with("-00")));
    assert_eq!(arrival.header("x-b3"), None);
}
