//! The number of calls at once follows what the system can take.

use std::sync::atomic::{AtomicUsize, Ordering};

use cofferdam_runtime::settings::{AdaptiveSettings, SystemSettings};
use cofferdam_runtime::{CallError, Guard};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::subject::{Look, Plain, answer, guard, handle, ms, settings};

fn adaptive(min: u32, max: u32) -> SystemSettings {
    let mut settings = settings();
    settings.breaker.enabled = false;
    settings.retry.max_attempts = 1;
    settings.bulkhead.max_concurrent = max;
    settings.bulkhead.adaptive = Some(AdaptiveSettings { min, max, tolerance: 2.0 });
    settings
}

/// A system that serves `at_once` calls in 100 ms; more of them share it, and all are slower.
struct System {
    busy: AtomicUsize,
    at_once: usize,
}

impl System {
    async fn serve(&self) {
        let busy = self.busy.fetch_add(1, Ordering::SeqCst) + 1;
        let times = busy.div_ceil(self.at_once);
        sleep(ms(100 * times as u64)).await;
        self.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Keeps more callers at it than there are places, for so many rounds. The most calls that were at the system at once in
/// the last half.
async fn storm(guard: &Guard, at_once: usize, rounds: usize) -> usize {
    let system = std::sync::Arc::new(System { busy: AtomicUsize::new(0), at_once });
    let most = std::sync::Arc::new(AtomicUsize::new(0));
    let mut callers = JoinSet::new();
    for _ in 0..64 {
        let (guard, system, most) = (guard.clone(), system.clone(), most.clone());
        callers.spawn(async move {
            for round in 0..rounds {
                let attempt = || async {
                    system.serve().await;
                    if round > rounds / 2 {
                        most.fetch_max(system.busy.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
                    }
                    Ok(json!({}))
                };
                match guard.read(Look, &Plain, attempt).await {
                    Ok(_) | Err(CallError::BulkheadFull { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended.unwrap();
    }
    most.load(Ordering::SeqCst)
}

#[tokio::test(start_paused = true)]
async fn it_finds_what_the_system_can_take_and_stays_near_it() {
    for at_once in [4, 12] {
        let guard = guard(adaptive(1, 60));
        assert_eq!(guard.places(), 1, "it begins small");
        let most = storm(&guard, at_once, 400).await;
        let bound = 4 * at_once;
        assert!(guard.places() >= at_once / 2 && guard.places() <= bound, "{} of {at_once}", guard.places());
        assert!(most <= bound, "{most} at once, of {at_once}");
        assert_eq!(guard.available_places(), guard.places(), "nothing is left taken");
    }
}

#[tokio::test(start_paused = true)]
async fn failures_bring_it_down_to_its_minimum_and_never_below() {
    let guard = guard(adaptive(2, 32));
    storm(&guard, 1000, 60).await;
    assert!(guard.places() >= 16, "{}", guard.places());
    for _ in 0..400 {
        guard.read(Look, &Plain, || async { answer(503, &[]) }).await.unwrap_err();
    }
    assert_eq!(guard.places(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_reload_turns_it_on_and_off_and_moves_its_bounds() {
    let mut plain = adaptive(1, 32);
    plain.bulkhead.adaptive = None;
    let handle = handle(plain.clone());
    let guard = Guard::new(&handle).unwrap();
    let places = async |settings: &SystemSettings| {
        handle.store(settings.clone());
        guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap();
        guard.places()
    };
    assert_eq!(guard.places(), 32);
    assert_eq!(places(&adaptive(3, 32)).await, 3);
    assert_eq!(places(&adaptive(5, 32)).await, 5);
    assert_eq!(places(&plain).await, 32);
}
