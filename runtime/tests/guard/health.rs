//! What counts, what is told, and what is never told.

use std::sync::{Arc, Mutex};

use cofferdam_runtime::breaker::{BreakerState, SlidingWindow};
use cofferdam_runtime::{CallError, ClientError, Delivery, FaultKind, NotSentCause, TransportFault};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span};

use super::subject::{Look, Pay, Plain, answer, guard, recorded, reply, settings};

#[tokio::test(start_paused = true)]
async fn a_no_is_a_healthy_answer_and_what_nobody_can_use_is_not() {
    let guard = guard(settings());
    for status in [400, 401, 404, 422, 429] {
        guard.once(Pay, &Plain, || async { answer(status, &[]) }).await.unwrap_err();
    }
    guard.once(Pay, &Plain, || async { undecodable(400) }).await.unwrap_err();
    let argument = NotSentCause::Request("no".into());
    guard.once(Pay, &Plain, || async { Err(ClientError::NotSent(argument)) }).await.unwrap_err();
    assert_eq!(recorded(&guard), (0, 0));

    guard.once(Pay, &Plain, || async { undecodable(200) }).await.unwrap_err();
    guard.once(Pay, &Plain, || async { answer(302, &[]) }).await.unwrap_err();
    guard.once(Pay, &Plain, || async { answer(500, &[]) }).await.unwrap_err();
    assert_eq!(recorded(&guard), (3, 3));
}

fn undecodable(status: u16) -> super::subject::ClientAnswer {
    let cause = cofferdam_runtime::wire::Wire::decode(&json!(1)).map(|_: String| ()).unwrap_err();
    Err(ClientError::Undecodable { cause: Box::new(cause), reply: Box::new(reply(status, &[], "secret")) })
}

#[tokio::test(start_paused = true)]
async fn a_mapping_that_fails_sends_nothing_and_counts_for_nothing() {
    let guard = guard(settings());
    let error = guard.map_request(Look, &Plain, &json!(null)).unwrap_err();
    assert_eq!((error.attempts(), error.delivery(), error.suggested_status()), (0, Delivery::NotSent, 500));
    assert_eq!(error.to_string(), "acme look: mapping: no command");
    assert_eq!(guard.map_request(Look, &Plain, &json!(7)).unwrap(), json!(7));
    assert_eq!(recorded(&guard), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn errors_name_the_call_and_keep_what_must_not_be_logged_to_themselves() {
    let guard = guard(settings());
    let mut told = Vec::new();
    for status in [422, 302, 503] {
        let headers = [("set-cookie", "secret=1")];
        let error = guard.once(Pay, &Plain, || async { answer(status, &headers) }).await.unwrap_err();
        told.push((error.to_string(), error.code(), error.suggested_status()));
        let text = format!("{error:?} {error} {:?}", std::error::Error::source(&error));
        assert!(!text.contains("secret") && text.contains("acme pay"), "{text}");
    }
    let error = guard.once(Pay, &Plain, || async { undecodable(200) }).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("secret"));
    assert_eq!(error.reply().unwrap().body, "secret", "the bytes are kept");
    assert_eq!(
        told,
        [
            ("acme pay: rejected with 422 Unprocessable Entity".into(), 30_007, 422),
            ("acme pay: answered 302 Found, which is not documented".into(), 30_008, 502),
            ("acme pay: the system failed with 503 Service Unavailable".into(), 30_006, 502),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_cause_of_a_broken_exchange_is_told() {
    let fault = TransportFault::new(FaultKind::Connect, std::io::Error::other("refused"));
    let attempt = || async { Err(ClientError::Transport { fault, delivery: Delivery::NotSent }) };
    let error = guard(settings()).once(Pay, &Plain, attempt).await.unwrap_err();
    assert_eq!(error.to_string(), "acme pay: no connection: refused");
    assert_eq!(error.delivery(), Delivery::NotSent);
}

#[tokio::test(start_paused = true)]
async fn a_documented_failure_keeps_the_domains_word_for_it() {
    let attempt = || async {
        let reply = Box::new(reply(500, &[], "{}"));
        Err(ClientError::Server { rejection: Some(Box::new(json!("down"))), reply })
    };
    let error = guard(settings()).once(Pay, &Plain, attempt).await.unwrap_err();
    assert!(matches!(error, CallError::ServerError { .. }));
    assert_eq!(error.rejection(), Some(&json!({ "status": 500, "body": "down" })));
}

#[test]
fn r_res_obs_3_every_change_of_state_is_a_warning_and_a_success_is_nothing() {
    let told = Told::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    tracing::subscriber::with_default(told.clone(), || {
        runtime.block_on(async {
            let mut settings = settings();
            settings.breaker.config.window = SlidingWindow::Calls(4);
            settings.breaker.config.minimum_calls = 4;
            let guard = guard(settings);
            for status in [0, 0, 503, 503] {
                let attempt = || async { if status == 0 { Ok(json!({})) } else { answer(status, &[]) } };
                let _ = guard.once(Pay, &Plain, attempt).await;
            }
            assert_eq!(guard.breaker().state(), BreakerState::Open);
            tokio::time::sleep(std::time::Duration::from_secs(31)).await;
            for _ in 0..3 {
                guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap();
            }
        });
    });
    let told = told.0.lock().unwrap();
    assert_eq!(
        *told,
        [
            "WARN external.system=acme previous=closed new=open failure_rate=50 slow_call_rate=0",
            "WARN external.system=acme previous=open new=half_open failure_rate=50 slow_call_rate=0",
            "WARN external.system=acme previous=half_open new=closed failure_rate=0 slow_call_rate=0",
        ]
    );
}

/// Keeps every event of the runtime as a line.
#[derive(Default, Clone)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("cofferdam_runtime") && metadata.is_event() && *metadata.level() <= Level::INFO
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0 += &format!(" {field}={value}");
    }
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0 += &format!(" {field}={value}");
    }
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() != "message" {
            self.0 += &format!(" {field}={value:?}");
        }
    }
}
