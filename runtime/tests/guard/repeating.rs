//! What is tried again, after which wait, and what never is.

use std::time::Duration;

use cofferdam_runtime::settings::SystemSettings;
use cofferdam_runtime::{CallError, ClientError, Delivery, FaultKind, TimeoutPhase, TransportFault};
use serde_json::json;
use tokio::time::Instant;

use super::subject::{Answer, ClientAnswer, Counter, Look, Plain, answer, guard, ms, recorded, reply, settings};

/// One read whose attempts all end the same way: how often it was begun, its answer, how long it took.
async fn read_with(
    settings: SystemSettings,
    end: impl Fn() -> ClientAnswer + Send + Sync,
) -> (usize, Answer, Duration) {
    let (begun, start) = (Counter::default(), Instant::now());
    let attempt = || async {
        begun.up();
        end()
    };
    let answer = guard(settings).read(Look, &Plain, attempt).await;
    (begun.get(), answer, start.elapsed())
}

#[tokio::test(start_paused = true)]
async fn r_res_re_2_broken_exchanges_timeouts_and_5xx_are_tried_again() {
    let broken = || {
        let fault = TransportFault::new(FaultKind::Closed, "gone");
        Err(ClientError::Transport { fault, delivery: Delivery::MaybeSent })
    };
    let late = || {
        let (phase, limit, delivery) = (TimeoutPhase::Reply, ms(1), Delivery::MaybeSent);
        Err(ClientError::TimedOut { phase, limit, delivery })
    };
    assert_eq!(read_with(settings(), broken).await.0, 3);
    assert_eq!(read_with(settings(), late).await.0, 3);
    for status in [500, 502, 503, 504, 599] {
        assert_eq!(read_with(settings(), || answer(status, &[])).await.0, 3, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn r_res_re_x2_4xx_and_unreadable_answers_are_not() {
    for status in [400, 401, 404, 408, 409, 422, 425, 429, 302] {
        let (begun, result, elapsed) = read_with(settings(), || answer(status, &[("retry-after", "0")])).await;
        assert_eq!((begun, elapsed), (1, Duration::ZERO), "{status}");
        assert_eq!(result.unwrap_err().status().unwrap().as_u16(), status);
    }
    let (begun, ..) = read_with(settings(), || {
        let cause = cofferdam_runtime::wire::Wire::decode(&json!(1)).map(|_: String| ()).unwrap_err();
        Err(ClientError::Undecodable { cause: Box::new(cause), reply: Box::new(reply(200, &[], "1")) })
    })
    .await;
    assert_eq!(begun, 1);
    let too_large = || {
        let fault = TransportFault::new(FaultKind::ReplyTooLarge, "big");
        Err(ClientError::Transport { fault, delivery: Delivery::MaybeSent })
    };
    assert_eq!(read_with(settings(), too_large).await.0, 1);
}

#[tokio::test(start_paused = true)]
async fn r_res_re_x2_429_and_408_are_tried_again_where_the_settings_say_so_and_not_before_retry_after() {
    for (status, other) in [(429, 408), (408, 429)] {
        let mut settings = settings();
        (settings.retry.on_429, settings.retry.on_408) = (status == 429, status == 408);
        let (begun, _, elapsed) = read_with(settings.clone(), || answer(status, &[("retry-after", "2")])).await;
        assert_eq!((begun, elapsed.as_secs()), (3, 4), "{status}");
        assert_eq!(read_with(settings, || answer(other, &[])).await.0, 1, "{other}");
    }
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_waited_for_in_both_forms_and_longer_than_the_total_is_not() {
    let date = [("date", "Wed, 21 Oct 2026 07:28:00 GMT"), ("retry-after", "Wed, 21 Oct 2026 07:28:02 GMT")];
    let (begun, _, elapsed) = read_with(settings(), || answer(503, &date)).await;
    assert_eq!((begun, elapsed.as_secs()), (3, 4));

    let (begun, result, elapsed) = read_with(settings(), || answer(503, &[("retry-after", "6")])).await;
    assert_eq!((begun, elapsed), (1, Duration::ZERO), "five seconds in total are allowed");
    assert_eq!(result.unwrap_err().retry_after(), Some(Duration::from_secs(6)));
}

#[tokio::test(start_paused = true)]
async fn r_res_re_2_waits_are_drawn_from_zero_to_a_growing_bound() {
    let mut waits = [Duration::ZERO; 2];
    for _ in 0..200 {
        let moments = std::sync::Mutex::new(Vec::new());
        let attempt = || async {
            moments.lock().unwrap().push(Instant::now());
            answer(503, &[])
        };
        guard(settings()).read(Look, &Plain, attempt).await.unwrap_err();
        let moments = moments.into_inner().unwrap();
        for (longest, pair) in waits.iter_mut().zip(moments.windows(2)) {
            *longest = (*longest).max(pair[1] - pair[0]);
        }
    }
    // Tokio's timers are whole milliseconds, rounded up.
    assert!(waits[0] > ms(400) && waits[0] <= ms(501), "{waits:?}");
    assert!(waits[1] > ms(800) && waits[1] <= ms(1001), "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn a_spent_budget_ends_the_repeating_but_not_the_calls() {
    let mut settings = settings();
    settings.breaker.enabled = false;
    settings.retry.budget.ratio = 0.5;
    settings.retry.budget.floor_per_second = 0.0;
    settings.retry.initial_wait = Duration::ZERO;
    let guard = guard(settings);
    let begun = Counter::default();
    for _ in 0..100 {
        guard
            .read(Look, &Plain, || async {
                begun.up();
                answer(503, &[])
            })
            .await
            .unwrap_err();
    }
    assert_eq!(begun.get(), 150);
}

#[tokio::test(start_paused = true)]
async fn a_failure_in_the_body_of_a_200_counts_is_tried_again_and_comes_out_as_the_domains_no() {
    let guard = guard(settings());
    let begun = Counter::default();
    let attempt = || async {
        begun.up();
        Ok(json!({ "error": "7" }))
    };
    let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
    let CallError::Rejected { status: None, ref rejection, .. } = error else { panic!("{error}") };
    assert_eq!((rejection["error"].as_str(), error.attempts()), (Some("7"), 3));
    assert_eq!((begun.get(), recorded(&guard)), (3, (3, 3)));

    for fine in ["1", "5", "unmappable"] {
        let attempt = || async {
            begun.up();
            Ok(json!({ "error": fine }))
        };
        let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
        assert_eq!(error.attempts(), 1);
        assert_eq!(matches!(error, CallError::Mapping { .. }), fine == "unmappable", "{error}");
    }
    assert_eq!(recorded(&guard), (6, 3));
    guard.read(Look, &Plain, || async { Ok(json!({ "error": "ignored" })) }).await.unwrap_err();
    assert_eq!(recorded(&guard), (6, 3));
}
