//! What the breaker counts where the settings say otherwise than the rules: by status, by kind of error, by the
//! mapping's verdict.

use std::future::pending;

use cofferdam_runtime::settings::{LayerOrder, SystemSettings};
use cofferdam_runtime::{CallError, ClientError, Delivery, FaultKind, TransportFault, within};
use serde_json::json;

use super::subject::{ClientAnswer, Counter, Look, Pay, Plain, answer, guard, ms, recorded, settings};

fn counting(record: &str, ignore: &str) -> SystemSettings {
    let mut settings = settings();
    let classes = |text: &str| if text.is_empty() { Default::default() } else { text.parse().unwrap() };
    (settings.breaker.counting.record, settings.breaker.counting.ignore) = (classes(record), classes(ignore));
    settings
}

/// Calls and failures the breaker counted of one write that ended so.
async fn counted(settings: &SystemSettings, end: impl FnOnce() -> ClientAnswer + Send) -> (u64, u64) {
    let guard = guard(settings.clone());
    let _ = guard.once(Pay, &Plain, || async { end() }).await;
    recorded(&guard)
}

fn closed() -> ClientAnswer {
    let fault = TransportFault::new(FaultKind::Closed, "gone");
    Err(ClientError::Transport { fault, delivery: Delivery::MaybeSent })
}

#[tokio::test(start_paused = true)]
async fn by_status() {
    let settings = counting("429, 404", "503, 5xx");
    for (status, expected) in [(429, (1, 1)), (404, (1, 1)), (422, (0, 0)), (503, (0, 0)), (500, (0, 0))] {
        assert_eq!(counted(&settings, || answer(status, &[])).await, expected, "{status}");
    }
    assert_eq!(counted(&settings, closed).await, (1, 1), "it has no status");
}

#[tokio::test(start_paused = true)]
async fn by_kind_of_error() {
    let settings = counting("rejected", "closed, server_error");
    assert_eq!(counted(&settings, || answer(404, &[])).await, (1, 1));
    assert_eq!(counted(&settings, || answer(429, &[])).await, (0, 0), "it is no documented no");
    assert_eq!(counted(&settings, || answer(503, &[])).await, (0, 0));
    assert_eq!(counted(&settings, closed).await, (0, 0));
}

#[tokio::test(start_paused = true)]
async fn by_the_mappings_verdict() {
    let failing = || Ok(json!({ "error": "7" }));
    assert_eq!(counted(&settings(), failing).await, (1, 1));
    assert_eq!(counted(&counting("", "verdict"), failing).await, (0, 0));
    assert_eq!(counted(&counting("", "verdict"), || Ok(json!({}))).await, (1, 0));
    assert_eq!(counted(&counting("", "verdict"), || answer(500, &[])).await, (1, 1));
}

#[tokio::test(start_paused = true)]
async fn what_counts_changes_nothing_in_what_is_tried_again() {
    for order in [LayerOrder::RetryOutside, LayerOrder::BreakerOutside] {
        let mut settings = counting("404", "5xx, verdict");
        settings.order = order;
        for (end, attempts) in [
            ((|| answer(503, &[])) as fn() -> ClientAnswer, 3),
            (|| answer(404, &[]), 1),
            (|| Ok(json!({ "error": "7" })), 3),
        ] {
            let (guard, begun) = (guard(settings.clone()), Counter::default());
            let attempt = || async {
                begun.up();
                end()
            };
            guard.read(Look, &Plain, attempt).await.unwrap_err();
            assert_eq!(begun.get(), attempts);
            assert_eq!(recorded(&guard), if attempts == 1 { (1, 1) } else { (0, 0) });
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_caller_in_haste_says_nothing_about_the_system_whatever_is_recorded() {
    let guard = guard(counting("timed_out", ""));
    let call = guard.once(Pay, &Plain, pending::<ClientAnswer>);
    let error = within(ms(300), call).await.unwrap_err();
    assert!(matches!(error, CallError::TimedOut { .. }), "{error}");
    assert_eq!(recorded(&guard), (0, 0));
    let error = guard.once(Pay, &Plain, pending::<ClientAnswer>).await.unwrap_err();
    assert!(matches!(error, CallError::TimedOut { .. }), "{error}");
    assert_eq!(recorded(&guard), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn time_that_ran_out_can_be_ignored() {
    let guard = guard(counting("", "timed_out"));
    guard.once(Pay, &Plain, pending::<ClientAnswer>).await.unwrap_err();
    assert_eq!(recorded(&guard), (0, 0));
}

/// Every word by which an error is told apart may stand in the settings, but for what never left us.
#[test]
fn the_settings_know_every_kind_of_error() {
    let kinds = [
        FaultKind::Dns,
        FaultKind::Connect,
        FaultKind::Tls,
        FaultKind::Closed,
        FaultKind::Unprocessed,
        FaultKind::Reset,
        FaultKind::Truncated,
        FaultKind::Protocol,
        FaultKind::ReplyTooLarge,
        FaultKind::Token,
        FaultKind::Other,
    ];
    let others = ["timed_out", "server_error", "rejected", "unexpected", "undecodable"];
    for word in kinds.map(FaultKind::as_str).into_iter().chain(others) {
        let classes: cofferdam_runtime::settings::FailureClasses = word.parse().unwrap();
        assert_eq!(classes.to_string(), word);
    }
}
