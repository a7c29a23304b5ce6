//! The quota: what is refused, what waits, and whom neither of the two is held against.

use std::future::pending;
use std::time::Duration;

use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::settings::{LayerOrder, RateLimitSettings, SystemSettings};
use cofferdam_runtime::{CallError, Delivery, Guard, TimeoutPhase, within};
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::subject::{Answer, Counter, Look, Pay, Plain, answer, guard, handle, ms, recorded, settings};

fn limited(limit: u32, max_wait: Duration) -> SystemSettings {
    let mut settings = settings();
    settings.rate_limit = Some(RateLimitSettings { limit, period: ms(1000), max_wait });
    settings
}

async fn look(guard: &Guard) -> Answer {
    guard.read(Look, &Plain, || async { Ok(json!({})) }).await
}

/// The wait that a refusal names.
fn refused(answer: Answer) -> Duration {
    match answer {
        Err(CallError::RateLimited { retry_after, .. }) => retry_after,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn more_than_the_quota_is_refused_at_once_and_neither_retried_nor_recorded() {
    for order in [LayerOrder::RetryOutside, LayerOrder::BreakerOutside] {
        let mut settings = limited(2, Duration::ZERO);
        settings.order = order;
        let guard = guard(settings);
        let begun = Counter::default();
        let attempt = || async {
            begun.up();
            Ok(json!({}))
        };
        for _ in 0..2 {
            guard.read(Look, &Plain, attempt).await.unwrap();
        }
        let start = Instant::now();
        let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert_eq!((error.attempts(), error.delivery(), error.suggested_status()), (0, Delivery::NotSent, 503));
        assert_eq!((error.code(), error.retry_after()), (30_003, Some(ms(1000))));
        assert_eq!(error.to_string(), "acme look: quota used up, next in 1s");
        refused(guard.once(Pay, &Plain, attempt).await);
        assert_eq!((begun.get(), recorded(&guard)), (2, (2, 0)), "{order:?}");
        sleep(ms(1000)).await;
        look(&guard).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_its_turn_if_that_is_soon_enough() {
    let guard = guard(limited(1, ms(1500)));
    let start = Instant::now();
    let calls = async || (look(&guard).await, start.elapsed());
    let ((first, at_once), (second, then), third) = tokio::join!(calls(), calls(), look(&guard));
    first.unwrap();
    second.unwrap();
    assert_eq!((at_once, then, refused(third)), (Duration::ZERO, ms(1000), ms(2000)));
}

#[tokio::test(start_paused = true)]
async fn every_attempt_counts() {
    let mut settings = limited(2, Duration::ZERO);
    settings.retry.max_wait = ms(10);
    let guard = guard(settings);
    let begun = Counter::default();
    let attempt = || async {
        begun.up();
        answer(503, &[])
    };
    let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
    assert!(matches!(error, CallError::RateLimited { .. }), "{error}");
    assert_eq!((begun.get(), error.attempts(), error.delivery()), (2, 2, Delivery::Answered));
    assert_eq!(recorded(&guard), (2, 2), "the attempt that was not made is not recorded");
}

#[tokio::test(start_paused = true)]
async fn the_wait_is_neither_the_systems_time_nor_the_attempts() {
    let mut settings = limited(1, ms(1000));
    settings.breaker.config.slow_call = ms(500);
    settings.timeouts.call = ms(700);
    settings.retry.max_attempts = 1;
    let guard = guard(settings);
    look(&guard).await.unwrap();
    let start = Instant::now();
    let attempt = || async {
        sleep(ms(400)).await;
        Ok(json!({}))
    };
    guard.read(Look, &Plain, attempt).await.unwrap();
    assert_eq!((start.elapsed(), guard.breaker().metrics().slow), (ms(1400), 0));

    let error = guard.read(Look, &Plain, pending).await.unwrap_err();
    let CallError::TimedOut { phase: TimeoutPhase::Attempt, limit, .. } = error else { panic!("{error}") };
    assert_eq!((limit, start.elapsed()), (ms(700), ms(2700)));
}

#[tokio::test(start_paused = true)]
async fn r_res_to_3_no_wait_begins_that_leaves_no_time_for_an_attempt() {
    let guard = guard(limited(1, ms(5000)));
    look(&guard).await.unwrap();
    let start = Instant::now();
    assert_eq!(refused(within(ms(1099), look(&guard)).await), ms(1000));
    assert_eq!(start.elapsed(), Duration::ZERO, "refused at once, and nothing reserved");
    within(ms(1102), look(&guard)).await.unwrap();
    assert_eq!(start.elapsed(), ms(1000));
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_is_refused_or_dropped_while_it_waits_gives_its_permission_back() {
    for order in [LayerOrder::RetryOutside, LayerOrder::BreakerOutside] {
        let mut settings = limited(1, Duration::ZERO);
        settings.order = order;
        settings.breaker.config.half_open_calls = 2;
        let system = handle(settings);
        let guard = Guard::new(&system).unwrap();
        look(&guard).await.unwrap();
        guard.breaker().transition_to_open().unwrap();
        guard.breaker().transition_to_half_open().unwrap();
        for _ in 0..5 {
            refused(look(&guard).await);
        }
        system.store(limited(1, ms(5000)));
        let waiting = guard.read(Look, &Plain, pending);
        assert!(timeout(ms(500), waiting).await.is_err());
        assert_eq!((guard.breaker().state(), recorded(&guard)), (BreakerState::HalfOpen, (0, 0)));
        let (first, second) = tokio::join!(look(&guard), look(&guard));
        first.unwrap();
        second.unwrap();
        look(&guard).await.unwrap();
        assert_eq!(guard.breaker().state(), BreakerState::Closed);
    }
}

#[tokio::test(start_paused = true)]
async fn a_quota_may_come_change_and_go_while_calls_are_made() {
    let system = handle(settings());
    let guard = Guard::new(&system).unwrap();
    for _ in 0..100 {
        look(&guard).await.unwrap();
    }
    system.store(limited(2, Duration::ZERO));
    let passed = async || {
        let mut passed = 0;
        while passed < 100 && look(&guard).await.is_ok() {
            passed += 1;
        }
        passed
    };
    assert_eq!(passed().await, 2, "what came before the quota does not count against it");
    system.store(limited(3, Duration::ZERO));
    assert_eq!(passed().await, 0, "a larger quota begins with the next period");
    sleep(ms(1000)).await;
    assert_eq!(passed().await, 3);
    system.store(settings());
    assert_eq!(passed().await, 100);
}
