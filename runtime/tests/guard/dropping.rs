//! Callers that go away, and code of ours that panics: everything held comes back (R-RES time limiter, WHERE-X1).

use std::future::{Future, pending};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::settings::{LayerOrder, SystemSettings};
use cofferdam_runtime::{CallError, Guard};
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::subject::{Counter, Look, Pay, Plain, answer, guard, ms, recorded, settings};

const ORDERS: [LayerOrder; 2] = [LayerOrder::RetryOutside, LayerOrder::BreakerOutside];

fn small(order: LayerOrder) -> SystemSettings {
    let mut settings = settings();
    settings.order = order;
    settings.bulkhead.max_concurrent = 1;
    settings.breaker.config.slow_call = ms(1000);
    settings
}

/// Drops a call after a time.
async fn drop_after(call: impl Future, time: Duration) {
    assert!(timeout(time, call).await.is_err(), "it was to be dropped");
}

fn nothing_is_held(guard: &Guard) {
    assert_eq!(guard.available_places(), 1);
}

#[tokio::test(start_paused = true)]
async fn under_way_it_counts_only_when_it_was_slow() {
    for order in ORDERS {
        let guard = guard(small(order));
        drop_after(guard.read(Look, &Plain, pending), ms(999)).await;
        nothing_is_held(&guard);
        assert_eq!(recorded(&guard), (0, 0), "{order:?}");
        drop_after(guard.read(Look, &Plain, pending), ms(1500)).await;
        drop_after(guard.once(Pay, &Plain, pending), ms(1500)).await;
        nothing_is_held(&guard);
        assert_eq!(recorded(&guard), (2, 2), "{order:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_place_it_counts_for_nothing() {
    for order in ORDERS {
        let mut settings = small(order);
        settings.bulkhead.max_wait = ms(5000);
        let guard = guard(settings);
        let holder = guard.clone();
        let holding = tokio::spawn(async move { holder.read(Look, &Plain, pending).await });
        tokio::task::yield_now().await;
        let begun = Counter::default();
        drop_after(
            guard.read(Look, &Plain, || async {
                begun.up();
                Ok(json!({}))
            }),
            ms(2000),
        )
        .await;
        assert_eq!((begun.get(), recorded(&guard)), (0, (0, 0)));
        holding.abort();
        let _ = holding.await;
        nothing_is_held(&guard);
    }
}

#[tokio::test(start_paused = true)]
async fn between_attempts_nothing_is_begun_any_more() {
    for order in ORDERS {
        let guard = guard(small(order));
        let begun = Counter::default();
        let attempt = || async {
            begun.up();
            answer(503, &[("retry-after", "2")])
        };
        drop_after(guard.read(Look, &Plain, attempt), ms(1500)).await;
        tokio::time::sleep(ms(10_000)).await;
        nothing_is_held(&guard);
        assert_eq!((begun.get(), recorded(&guard)), (1, (1, 1)), "{order:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_probe_gives_its_permission_back() {
    for order in ORDERS {
        let mut settings = small(order);
        settings.bulkhead.max_concurrent = 10;
        settings.breaker.config.half_open_calls = 2;
        let guard = guard(settings);
        guard.breaker().transition_to_open().unwrap();
        guard.breaker().transition_to_half_open().unwrap();
        for _ in 0..5 {
            drop_after(guard.read(Look, &Plain, pending), ms(10)).await;
        }
        assert_eq!(guard.breaker().state(), BreakerState::HalfOpen);
        let two = || {
            guard.read(Look, &Plain, || async {
                tokio::time::sleep(ms(10)).await;
                Ok(json!({}))
            })
        };
        let (first, second, third) = tokio::join!(two(), two(), two());
        assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
        assert!(matches!(third, Err(CallError::CircuitOpen { .. })), "{third:?}");
        assert_eq!(guard.breaker().state(), BreakerState::Closed);
        assert_eq!(guard.available_places(), 10);
    }
}

#[tokio::test(start_paused = true)]
async fn where_x1_a_mapper_that_panics_counts_for_nothing() {
    for order in ORDERS {
        let guard = guard(small(order));
        for (place, expected) in [("verdict", (0, 0)), ("outcome", (1, 0))] {
            let slow_reply = || async move {
                tokio::time::sleep(ms(2000)).await;
                Ok(json!({ "panic": place }))
            };
            let call = guard.read(Look, &Plain, slow_reply);
            let panicked = catch_panic(call).await;
            assert!(panicked, "{place}");
            nothing_is_held(&guard);
            assert_eq!(recorded(&guard), expected, "{place} {order:?}");
        }
    }
}

/// Polls a future to its end, and drops it when it panics, as a runtime does with a task.
async fn catch_panic(future: impl Future) -> bool {
    let mut future = Box::pin(future);
    let poll = |context: &mut std::task::Context<'_>| match std::panic::catch_unwind(AssertUnwindSafe(|| {
        future.as_mut().poll(context)
    })) {
        Ok(poll) => poll.map(|_| false),
        Err(_) => std::task::Poll::Ready(true),
    };
    std::future::poll_fn(poll).await
}

#[tokio::test(start_paused = true)]
async fn r_res_bh_3_a_full_bulkhead_refuses_within_the_wait_and_is_not_retried() {
    let guard = guard(small(LayerOrder::RetryOutside));
    let begun = Counter::default();
    let slow = || async {
        begun.up();
        tokio::time::sleep(ms(5000)).await;
        Ok(json!({}))
    };
    let second = async {
        tokio::task::yield_now().await;
        let start = Instant::now();
        let error = guard
            .read(Look, &Plain, || async {
                begun.up();
                Ok(json!({}))
            })
            .await
            .unwrap_err();
        (error, start.elapsed())
    };
    let (first, (error, elapsed)) = tokio::join!(guard.read(Look, &Plain, slow), second);
    first.unwrap();
    let CallError::BulkheadFull { at, waited } = error else { panic!("{error}") };
    assert_eq!((waited, elapsed, at.attempts, begun.get()), (ms(100), ms(100), 0, 1));
    assert_eq!(recorded(&guard), (1, 0), "the refused call says nothing about the system");
}
