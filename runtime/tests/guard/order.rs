//! Both orders of retry and breaker, told apart by what was begun and what was recorded.

use cofferdam_runtime::breaker::{BreakerState, SlidingWindow};
use cofferdam_runtime::settings::LayerOrder;
use cofferdam_runtime::{CallError, Delivery, IdempotencyKey};

use super::subject::{Counter, Look, Order, Pay, Plain, answer, guard, recorded, settings};

#[tokio::test(start_paused = true)]
async fn r_res_re_order_retry_outside_records_every_attempt() {
    let guard = guard(settings());
    let begun = Counter::default();
    let error = guard
        .read(Look, &Plain, || async {
            begun.up();
            answer(503, &[])
        })
        .await
        .unwrap_err();
    assert_eq!((begun.get(), recorded(&guard)), (3, (3, 3)));
    assert_eq!((error.attempts(), error.delivery(), error.code()), (3, Delivery::Answered, 30_006));
}

#[tokio::test(start_paused = true)]
async fn r_res_re_order_breaker_outside_records_the_logical_call() {
    let mut settings = settings();
    settings.order = LayerOrder::BreakerOutside;
    let guard = guard(settings);
    let begun = Counter::default();
    let key = IdempotencyKey::new("K-1");
    let error = guard
        .keyed(Order, &key, &Plain, || async {
            begun.up();
            answer(503, &[])
        })
        .await
        .unwrap_err();
    assert_eq!((begun.get(), recorded(&guard)), (3, (1, 1)));
    assert_eq!(error.attempts(), 3);

    let begun = Counter::default();
    let recovering = || async { if begun.up() < 3 { answer(503, &[]) } else { Ok(serde_json::json!({})) } };
    guard.read(Look, &Plain, recovering).await.unwrap();
    assert_eq!((begun.get(), recorded(&guard)), (3, (2, 1)), "the call as a whole succeeded");
}

#[tokio::test(start_paused = true)]
async fn r_res_re_x1_a_write_without_a_key_is_begun_once_in_both_orders() {
    for order in [LayerOrder::RetryOutside, LayerOrder::BreakerOutside] {
        let mut settings = settings();
        settings.order = order;
        settings.retry.max_attempts = 5;
        settings.retry.on_429 = true;
        let guard = guard(settings);
        let begun = Counter::default();
        for status in [503, 429, 500] {
            let attempt = || async {
                begun.up();
                answer(status, &[("retry-after", "0")])
            };
            guard.once(Pay, &Plain, attempt).await.unwrap_err();
        }
        assert_eq!((begun.get(), recorded(&guard)), (3, (2, 2)), "{order:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_key_is_no_key() {
    let guard = guard(settings());
    for key in ["", "  "] {
        let begun = Counter::default();
        let attempt = || async {
            begun.up();
            answer(503, &[])
        };
        guard.keyed(Order, &IdempotencyKey::new(key), &Plain, attempt).await.unwrap_err();
        assert_eq!(begun.get(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_is_not_retried_and_says_how_far_the_call_got() {
    let mut settings = settings();
    settings.breaker.config.window = SlidingWindow::Calls(2);
    settings.breaker.config.minimum_calls = 2;
    let guard = guard(settings);
    let begun = Counter::default();
    let attempt = || async {
        begun.up();
        answer(503, &[])
    };
    let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
    assert!(matches!(error, CallError::CircuitOpen { .. }), "opened by its second attempt: {error}");
    assert_eq!((begun.get(), error.attempts(), error.delivery()), (2, 2, Delivery::Answered));

    let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
    let CallError::CircuitOpen { at, retry_after } = error else { panic!("{error}") };
    assert_eq!((begun.get(), at.attempts, at.delivery), (2, 0, Delivery::NotSent));
    assert!(retry_after > std::time::Duration::from_secs(29), "{retry_after:?}");
    assert_eq!(guard.breaker().state(), BreakerState::Open);
}
