//! What spans and events tell, and what they never do.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use cofferdam_runtime::http::{ApiKeyPlace, Credentials};
use cofferdam_runtime::settings::SystemSettings;
use cofferdam_runtime::{FaultKind, IdempotencyKey};
use http::HeaderName;
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber;
use tracing::{Event, Metadata, Subscriber, span};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use super::server::{Act, Server, adapter};
use super::subject::ms;

/// Everything this crate tells while `f` runs: one line an event, one map a span (when it closes).
#[derive(Default, Clone)]
pub struct Told {
    spans: Arc<Mutex<Vec<BTreeMap<String, String>>>>,
    events: Arc<Mutex<Vec<String>>>,
}

#[derive(Default)]
struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().into(), value.into());
    }
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().into(), format!("{value:?}"));
    }
}

fn ours(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with("cofferdam_runtime")
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Told {
    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &span::Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        fields.0.insert("span".into(), attributes.metadata().name().into());
        attributes.record(&mut fields);
        context.span(id).unwrap().extensions_mut().insert(fields);
    }
    fn on_record(&self, id: &span::Id, values: &span::Record<'_>, context: Context<'_, S>) {
        values.record(context.span(id).unwrap().extensions_mut().get_mut::<Fields>().unwrap());
    }
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if ours(event.metadata()) {
            let mut fields = Fields::default();
            event.record(&mut fields);
            let mut line = event.metadata().level().to_string();
            fields.0.iter().for_each(|(name, value)| write!(line, " {name}={value}").unwrap());
            self.events.lock().unwrap().push(line);
        }
    }
    fn on_close(&self, id: span::Id, context: Context<'_, S>) {
        let span = context.span(&id).unwrap();
        if ours(span.metadata()) {
            let fields = span.extensions_mut().remove::<Fields>().unwrap();
            self.spans.lock().unwrap().push(fields.0);
        }
    }
}

impl Told {
    pub async fn during<F: Future>(f: F) -> (Self, F::Output) {
        let told = Self::default();
        let output = f.with_subscriber(tracing_subscriber::registry().with(told.clone())).await;
        (told, output)
    }

    /// Everything that is told on this thread from now on, by other tasks too.
    pub fn on_this_thread() -> (Self, tracing::subscriber::DefaultGuard) {
        let told = Self::default();
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(told.clone()));
        (told, guard)
    }

    pub fn spans(&self) -> Vec<BTreeMap<String, String>> {
        self.spans.lock().unwrap().clone()
    }

    pub fn events(&self) -> Vec<String> {
        self.events.lock().unwrap().clone()
    }
}

fn span(fields: &[(&str, &str)]) -> BTreeMap<String, String> {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn without_times(mut span: BTreeMap<String, String>) -> BTreeMap<String, String> {
    assert_eq!(span.remove("trace_id").map_or(32, |id| id.len()), 32);
    span
}

#[tokio::test]
async fn r_res_obs_2_a_call_is_a_span_and_each_attempt_one_within_it() {
    let server = Server::start(|number, _| if number == 1 { Act::json(503, "{}") } else { Act::json(200, "{}") }).await;
    let adapter = server.adapter(Credentials::new());
    let (told, answer) = Told::during(adapter.look()).await;
    answer.unwrap();
    let port = server.address.port().to_string();
    let attempt = [
        ("span", "external_attempt"),
        ("otel.name", "GET /things"),
        ("otel.kind", "client"),
        ("external.system", "acme"),
        ("external.operation", "look"),
        ("http.request.method", "GET"),
        ("url.template", "/things"),
        ("server.address", "127.0.0.1"),
        ("server.port", &port),
    ];
    let mut failed = span(&attempt);
    failed.extend(span(&[("http.response.status_code", "503"), ("error.type", "503"), ("otel.status_code", "ERROR")]));
    let mut repeated = span(&attempt);
    repeated.extend(span(&[("http.response.status_code", "200"), ("http.request.resend_count", "1")]));
    let call = span(&[
        ("span", "external_call"),
        ("otel.name", "acme look"),
        ("otel.kind", "internal"),
        ("external.system", "acme"),
        ("external.operation", "look"),
        ("circuit_breaker.state", "closed"),
    ]);
    let spans: Vec<_> = told.spans().into_iter().map(without_times).collect();
    assert_eq!(spans, [failed, repeated, call]);
}

#[tokio::test]
async fn a_call_that_fails_says_why_in_a_word() {
    let server = Server::start(|_, _| Act::Close).await;
    let adapter = server.adapter(Credentials::new().bearer("gateKey", "t"));
    let (told, answer) = Told::during(adapter.pay()).await;
    answer.unwrap_err();
    let spans = told.spans();
    let of = |span: usize, name: &str| spans[span].get(name).map(String::as_str);
    let closed = FaultKind::Closed.as_str();
    assert_eq!((of(0, "error.type"), of(0, "otel.status_code")), (Some(closed), Some("ERROR")));
    assert_eq!((of(1, "error.type"), of(1, "otel.status_code")), (Some(closed), Some("ERROR")));
    assert_eq!((of(1, "external.attempts"), of(0, "http.response.status_code")), (Some("1"), None));

    // A no is an error of the exchange by OpenTelemetry's conventions, and no error of the call.
    let server = Server::start(|_, _| Act::json(422, "{}")).await;
    let adapter = server.adapter(Credentials::new().bearer("gateKey", "t"));
    let (told, answer) = Told::during(adapter.pay()).await;
    answer.unwrap_err();
    let spans = told.spans();
    let of = |span: usize, name: &str| spans[span].get(name).map(String::as_str);
    assert_eq!((of(0, "error.type"), of(0, "otel.status_code")), (Some("422"), Some("ERROR")));
    assert_eq!((of(1, "error.type"), of(1, "otel.status_code")), (Some("rejected"), None));

    adapter.guard.breaker().transition_to_forced_open();
    let (told, answer) = Told::during(adapter.pay()).await;
    answer.unwrap_err();
    let spans = told.spans();
    assert_eq!(spans.len(), 1, "no attempt was made");
    assert_eq!(
        (spans[0]["error.type"].as_str(), spans[0]["circuit_breaker.state"].as_str()),
        ("circuit_open", "forced_open")
    );
}

#[tokio::test]
async fn r_res_obs_3_nothing_is_told_of_a_plain_success() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let adapter = server.adapter(Credentials::new());
    let (told, answer) = Told::during(adapter.look()).await;
    answer.unwrap();
    assert_eq!(told.events(), [""; 0]);
}

/// Whatever happens to a call, at whatever level somebody listens: secrets, arguments, bodies and query strings stay
/// out of spans and events.
#[tokio::test]
async fn secrets_and_bodies_are_never_told() {
    let server = Server::start(|number, _| match number {
        1 => Act::with(503, "x-secret: s3cr3t\r\nset-cookie: s3cr3t\r\n", "{\"s3cr3t\":1}"),
        2 => Act::Raw(b"HTTP/1.1 200 X\r\ncontent-length: 90\r\n\r\ns3cr3t".to_vec()),
        3 => Act::json(200, "s3cr3t, which is no JSON"),
        4 => Act::json(422, "{\"s3cr3t\":1}"),
        _ => Act::json(200, "{\"s3cr3t\":1}"),
    })
    .await;
    let mut settings: SystemSettings = server.settings();
    settings.base_url.set_path("/s3cr3t");
    settings.headers.trace_id = Some(HeaderName::from_static("x-trace-id"));
    let credentials = Credentials::new().api_key("gateKey", ApiKeyPlace::Query, "key", "s3cr3t").client_credentials(
        "oauth",
        "/token",
        ("s3cr3t", "s3cr3t"),
    );
    let adapter = adapter(settings, credentials);
    let key = IdempotencyKey::new("s3cr3t");
    let (told, ()) = Told::during(async {
        for _ in 0..4 {
            let _ = adapter.order(&key).await;
            let _ = adapter.pay().await;
        }
        adapter.guard.breaker().transition_to_forced_open();
        adapter.guard.breaker().transition_to_closed();
        tokio::time::sleep(ms(1)).await;
    })
    .await;
    assert!(server.count() >= 5, "{}", server.count());
    assert!(server.arrivals().iter().any(|arrival| arrival.line.contains("s3cr3t")), "the test does send it");
    let all = format!("{:?} {:?}", told.spans(), told.events());
    assert!(all.contains("external_attempt") && all.contains("WARN") && all.contains("will be tried again"), "{all}");
    assert!(!all.contains("s3cr3t"), "{all}");
}

#[tokio::test]
async fn every_request_carries_a_trace_and_all_attempts_of_a_call_the_same() {
    let server = Server::start(|number, _| if number == 1 { Act::json(503, "{}") } else { Act::json(200, "{}") }).await;
    let mut settings = server.settings();
    settings.headers.trace_id = Some(HeaderName::from_static("x-trace-id"));
    let adapter = adapter(settings, Credentials::new());
    let (told, answer) = Told::during(adapter.look()).await;
    answer.unwrap();
    adapter.look().await.unwrap();
    let arrivals = server.arrivals();
    let sent = |number: usize| {
        let parent = arrivals[number].header("traceparent").unwrap();
        let parts: Vec<_> = parent.split('-').map(str::to_owned).collect();
        assert_eq!(arrivals[number].header("x-trace-id"), Some(parts[1].as_str()));
        (parts[1].clone(), parts[2].clone())
    };
    let (first, again, other) = (sent(0), sent(1), sent(2));
    assert!(first.0 == again.0 && first.1 != again.1 && first.0 != other.0, "{first:?} {again:?} {other:?}");
    let spans = told.spans();
    assert_eq!((&spans[0]["trace_id"], &spans[1]["trace_id"]), (&first.0, &first.0), "it can be found in our own log");
}

#[tokio::test]
async fn a_system_that_cannot_bear_traceparent_is_spared_it() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let mut settings = server.settings();
    settings.headers.traceparent = false;
    adapter(settings, Credentials::new()).look().await.unwrap();
    assert_eq!(server.arrivals()[0].header("traceparent"), None);
}
