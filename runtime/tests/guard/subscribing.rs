//! Changes of a breaker's state, told to whoever subscribed.

use cofferdam_runtime::breaker::BreakerState;
use tokio::sync::broadcast::error::TryRecvError;
use tokio::time::sleep;

use super::subject::{Look, Plain, answer, guard, ms, settings};

#[tokio::test(start_paused = true)]
async fn every_subscriber_hears_each_change_from_then_on() {
    let mut settings = settings();
    settings.breaker.config.minimum_calls = 3;
    let guard = guard(settings);
    let mut early = guard.state_changes();
    guard.read(Look, &Plain, || async { answer(503, &[]) }).await.unwrap_err();
    let opened = early.recv().await.unwrap();
    assert_eq!((opened.previous, opened.new), (BreakerState::Closed, BreakerState::Open));
    assert_eq!(opened.failure_rate, Some(100.0));

    let (mut late, clone) = (guard.state_changes(), guard.clone());
    assert_eq!(late.try_recv(), Err(TryRecvError::Empty));
    sleep(ms(31_000)).await;
    clone.read(Look, &Plain, || async { Ok(serde_json::json!({})) }).await.unwrap();
    for receiver in [&mut early, &mut late] {
        let change = receiver.recv().await.unwrap();
        assert_eq!((change.new, change.sequence), (BreakerState::HalfOpen, opened.sequence + 1));
    }
}

#[tokio::test(start_paused = true)]
async fn one_who_lags_behind_is_told_so_and_nobody_waits_for_him() {
    let guard = guard(settings());
    let mut slow = guard.state_changes();
    for _ in 0..20 {
        guard.breaker().transition_to_forced_open();
        guard.breaker().transition_to_closed();
    }
    assert_eq!(slow.try_recv(), Err(TryRecvError::Lagged(8)));
    assert_eq!(std::iter::from_fn(|| slow.try_recv().ok()).last().unwrap().new, BreakerState::Closed);
}
