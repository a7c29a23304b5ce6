//! Settings that change while calls are made.

use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::settings::{LayerOrder, OperationSettings};
use cofferdam_runtime::{CallError, Guard};
use serde_json::json;

use super::subject::{Counter, Look, Plain, answer, handle, ms, recorded, settings};

async fn attempts(guard: &Guard) -> usize {
    let begun = Counter::default();
    let _ = guard
        .read(Look, &Plain, || async {
            begun.up();
            answer(503, &[])
        })
        .await;
    begun.get()
}

#[tokio::test(start_paused = true)]
async fn cfg_1_the_next_call_goes_by_the_new_settings() {
    let mut settings = settings();
    let handle = handle(settings.clone());
    let guard = Guard::new(&handle).unwrap();
    assert_eq!(attempts(&guard).await, 3);
    settings.retry.max_attempts = 2;
    settings.order = LayerOrder::BreakerOutside;
    settings.code_base = 500;
    handle.store(settings.clone());
    assert_eq!(attempts(&guard).await, 2);
    assert_eq!(recorded(&guard), (4, 4));
    let error = guard.read(Look, &Plain, || async { answer(404, &[]) }).await.unwrap_err();
    assert_eq!(error.code(), 507);
}

#[tokio::test(start_paused = true)]
async fn cfg_1_bulkhead_and_breaker_take_new_settings_over() {
    let mut settings = settings();
    let handle = handle(settings.clone());
    let guard = Guard::new(&handle).unwrap();
    settings.bulkhead.max_concurrent = 2;
    settings.breaker.config.minimum_calls = 1;
    settings.retry.max_attempts = 1;
    handle.store(settings.clone());
    assert_eq!(attempts(&guard).await, 1);
    assert_eq!((guard.available_places(), guard.breaker().state()), (2, BreakerState::Open));

    settings.breaker.enabled = false;
    handle.store(settings.clone());
    assert_eq!(attempts(&guard).await, 1);
    assert_eq!(guard.breaker().state(), BreakerState::Disabled);

    settings.breaker.enabled = true;
    settings.breaker.config.minimum_calls = 10;
    handle.store(settings.clone());
    assert_eq!(attempts(&guard).await, 1);
    assert_eq!((guard.breaker().state(), recorded(&guard)), (BreakerState::Closed, (1, 1)));

    // What a setting did not bring about, it does not take away.
    guard.breaker().transition_to_forced_open();
    settings.breaker.config.minimum_calls = 11;
    handle.store(settings);
    assert_eq!(attempts(&guard).await, 0);
}

#[tokio::test(start_paused = true)]
async fn settings_of_one_operation_hold_for_it_alone() {
    let mut settings = settings();
    let mut retry = settings.retry;
    retry.max_attempts = 1;
    let own = OperationSettings { call: Some(ms(700)), retry: Some(retry), ..OperationSettings::default() };
    settings.operations.insert("look".into(), own);
    let guard = Guard::new(&handle(settings)).unwrap();
    assert_eq!(attempts(&guard).await, 1);
    let error = guard.read(Look, &Plain, std::future::pending).await.unwrap_err();
    assert!(matches!(error, CallError::TimedOut { limit, .. } if limit == ms(700)), "{error}");
    let begun = Counter::default();
    let _ = guard
        .read(super::subject::Open, &Plain, || async {
            begun.up();
            answer(503, &[])
        })
        .await;
    assert_eq!(begun.get(), 3);
}

#[tokio::test(start_paused = true)]
async fn without_a_bulkhead_there_is_no_limit() {
    let mut settings = settings();
    settings.bulkhead.max_concurrent = 1;
    settings.bulkhead.enabled = false;
    let guard = Guard::new(&handle(settings)).unwrap();
    let call = || {
        guard.read(Look, &Plain, || async {
            tokio::time::sleep(ms(500)).await;
            Ok(json!({}))
        })
    };
    let (first, second) = tokio::join!(call(), call());
    assert!(first.is_ok() && second.is_ok());
}
