//! A program that traces with OpenTelemetry: the external system hears of the very span the request is made in.

#![cfg(feature = "opentelemetry")]
#![allow(clippy::unwrap_used, reason = "a panic is a failure here")]

#[path = "guard/server.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
mod server;
#[path = "guard/subject.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
mod subject;

use cofferdam_runtime::http::Credentials;
use http::HeaderName;
use opentelemetry::trace::{SpanKind, Status, TracerProvider as _};
use opentelemetry_sdk::trace::{InMemorySpanExporter, Sampler, SdkTracerProvider, SpanData};
use tracing::instrument::WithSubscriber;
use tracing_subscriber::layer::SubscriberExt;

use self::server::{Act, Server};

/// What the server heard, and the spans that were exported.
async fn traced(sampler: Sampler) -> (Vec<server::Arrival>, Vec<SpanData>) {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_sampler(sampler).with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let server = Server::start(|number, _| if number == 1 { Act::json(503, "{}") } else { Act::json(200, "{}") }).await;
    let mut settings = server.settings();
    settings.headers.trace_id = Some(HeaderName::from_static("x-trace-id"));
    let adapter = server::adapter(settings, Credentials::new());
    adapter.look().with_subscriber(tracing_subscriber::registry().with(layer)).await.unwrap();
    (server.arrivals(), exporter.get_finished_spans().unwrap())
}

fn parent(span: &SpanData, flags: &str) -> String {
    format!("00-{}-{}-{flags}", span.span_context.trace_id(), span.span_context.span_id())
}

#[tokio::test]
async fn each_attempt_is_a_client_span_and_its_request_names_it() {
    let (arrivals, spans) = traced(Sampler::AlwaysOn).await;
    let [first, second, call] = &spans[..] else { panic!("{spans:?}") };
    assert_eq!(arrivals[0].header("traceparent"), Some(parent(first, "01").as_str()));
    assert_eq!(arrivals[1].header("traceparent"), Some(parent(second, "01").as_str()));
    let trace = call.span_context.trace_id().to_string();
    assert_eq!(arrivals[1].header("x-trace-id"), Some(trace.as_str()));
    for attempt in [first, second] {
        assert_eq!((attempt.name.as_ref(), &attempt.span_kind), ("GET /things", &SpanKind::Client));
        assert_eq!(attempt.parent_span_id, call.span_context.span_id());
        assert!(attempt.attributes.iter().all(|attribute| attribute.key.as_str() != "trace_id"), "none was made up");
    }
    assert_eq!((call.name.as_ref(), &call.span_kind), ("acme look", &SpanKind::Internal));
    assert!(matches!(first.status, Status::Error { .. }) && second.status == Status::Unset, "{first:?} {second:?}");
    let attribute = |name: &str| {
        let found = second.attributes.iter().find(|attribute| attribute.key.as_str() == name);
        found.unwrap_or_else(|| panic!("{name} is not in {second:?}")).value.to_string()
    };
    for (name, value) in [
        ("http.request.method", "GET"),
        ("url.template", "/things"),
        ("server.address", "127.0.0.1"),
        ("http.response.status_code", "200"),
        ("http.request.resend_count", "1"),
        ("external.system", "acme"),
    ] {
        assert_eq!(attribute(name), value);
    }
}

#[tokio::test]
async fn a_trace_that_is_not_sampled_is_passed_on_as_such() {
    let (arrivals, spans) = traced(Sampler::AlwaysOff).await;
    assert_eq!(spans.len(), 0);
    assert!(arrivals.iter().all(|arrival| arrival.header("traceparent").unwrap().ends_with("-00")), "{arrivals:?}");
    assert_eq!(arrivals[0].header("x-trace-id"), arrivals[1].header("x-trace-id"));
}
