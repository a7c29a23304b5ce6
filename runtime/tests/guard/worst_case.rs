//! The longest that a call may take by its settings is never exceeded, whatever the system does (R-RES-RE-4, TO-3).

use std::future::pending;
use std::time::Duration;

use cofferdam_runtime::settings::{LayerOrder, RateLimitSettings, SystemSettings, Timeouts};
use cofferdam_runtime::{Deadline, Guard, IdempotencyKey};
use proptest::prelude::*;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::subject::{ClientAnswer, Counter, Look, Order, Pay, Plain, answer, guard, ms, settings};

/// What the system does with an attempt.
#[derive(Debug, Clone)]
enum Act {
    Hangs,
    FailsAfter(Duration),
    /// … and says when to come back, in seconds.
    FailsAsking(Duration, u32),
    AnswersAfter(Duration),
}

impl Act {
    async fn play(self) -> ClientAnswer {
        match self {
            Self::Hangs => pending().await,
            Self::FailsAfter(time) => {
                sleep(time).await;
                answer(503, &[])
            }
            Self::FailsAsking(time, seconds) => {
                sleep(time).await;
                answer(503, &[("retry-after", &seconds.to_string())])
            }
            Self::AnswersAfter(time) => {
                sleep(time).await;
                Ok(json!({}))
            }
        }
    }
}

fn time(most: u64) -> impl Strategy<Value = Duration> {
    (0..=most).prop_map(Duration::from_millis)
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::Hangs),
        2 => time(90_000).prop_map(Act::FailsAfter),
        1 => (time(2_000), 0..8_u32).prop_map(|(time, seconds)| Act::FailsAsking(time, seconds)),
        1 => time(90_000).prop_map(Act::AnswersAfter),
    ]
}

/// Settings that keep the rules.
fn any_settings() -> impl Strategy<Value = SystemSettings> {
    let timeouts = (1..=10_000_u64, 1..=50_000_u64, 0..=20_000_u64).prop_map(|(connect, more, rest)| {
        let read = connect + more;
        Timeouts { connect: ms(connect), read: ms(read), call: ms(connect + read + 1_000 + rest) }
    });
    let retry = (1..=5_u32, 1..=2_000_u64, 1.01..4.0_f64, 1..=5_000_u64, 0..=10_000_u64);
    let places = (1..=3_u32, 0..=1_000_u64);
    let quota = prop::option::of((1..=3_u32, 1..=10_000_u64, 0..=3_000_u64));
    let switches = any::<(bool, bool)>();
    (timeouts, retry, places, quota, switches).prop_map(|(timeouts, retry, places, quota, (outside, generous))| {
        let mut settings = settings();
        settings.rate_limit = quota.map(|(limit, period, max_wait)| RateLimitSettings {
            limit,
            period: ms(period),
            max_wait: ms(max_wait),
        });
        settings.timeouts = timeouts;
        let (attempts, first, multiplier, most, rest) = retry;
        settings.retry.max_attempts = attempts;
        settings.retry.initial_wait = ms(first);
        settings.retry.multiplier = multiplier;
        settings.retry.max_wait = ms(most);
        settings.retry.max_total_wait = settings.retry.worst_case_waits() + ms(rest);
        settings.retry.budget.floor_per_second = if generous { 1000.0 } else { 1.0 };
        settings.bulkhead.max_concurrent = places.0;
        settings.bulkhead.max_wait = ms(places.1);
        settings.order = if outside { LayerOrder::BreakerOutside } else { LayerOrder::RetryOutside };
        settings
    })
}

/// How a call is made.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Read,
    Keyed,
    Once,
}

/// Makes a call, and tells how long it took and how many attempts were begun.
async fn took(guard: &Guard, kind: Kind, acts: &[Act]) -> (Duration, usize) {
    let (start, begun) = (Instant::now(), Counter::default());
    let attempt = || {
        let act = acts[(begun.up() - 1) % acts.len()].clone();
        act.play()
    };
    // How it ends is others' business.
    let _ = match kind {
        Kind::Read => guard.read(Look, &Plain, attempt).await,
        Kind::Keyed => guard.keyed(Order, &IdempotencyKey::random(), &Plain, attempt).await,
        Kind::Once => guard.once(Pay, &Plain, attempt).await,
    };
    (start.elapsed(), begun.get())
}

fn paused<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(future)
}

/// The longest that the settings allow a call. Waits that the system asks for are within `max-total-wait`.
fn allowed(settings: &SystemSettings, kind: Kind, acts: &[Act]) -> Duration {
    let policy = settings.policy("look");
    let asks = acts.iter().any(|act| matches!(act, Act::FailsAsking(..)));
    match kind {
        Kind::Once => policy.worst_case_once(),
        _ if asks => policy.worst_case_once() * policy.retry.max_attempts + policy.retry.max_total_wait,
        _ => policy.worst_case_repeated(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_call_takes_longer_than_its_settings_allow(
        settings in any_settings(),
        kind in prop_oneof![Just(Kind::Read), Just(Kind::Keyed), Just(Kind::Once)],
        acts in prop::collection::vec(act(), 1..6),
        taken in 0..4_u32,
        budget in prop::option::of(0..200_000_u64),
    ) {
        let longest = allowed(&settings, kind, &acts);
        let most = if matches!(kind, Kind::Once) { 1 } else { settings.retry.max_attempts as usize };
        let (took, begun) = paused(async {
            let guard = guard(settings.clone());
            // Others stand in the bulkhead, some for longer than anybody waits.
            let others: Vec<_> = (0..taken).map(|number| {
                let guard = guard.clone();
                tokio::spawn(async move {
                    guard.once(Pay, &Plain, || Act::FailsAfter(ms(100) * number * 7).play()).await.map(drop)
                })
            }).collect();
            tokio::task::yield_now().await;
            let guard = match budget {
                Some(budget) => guard.before(Deadline::after(ms(budget))),
                None => guard,
            };
            let took = took(&guard, kind, &acts).await;
            others.iter().for_each(tokio::task::JoinHandle::abort);
            took
        });
        // The clock of tokio counts whole milliseconds, and may be one late at each of its waits.
        let slack = ms(2) * (3 * settings.retry.max_attempts + 1);
        prop_assert!(took <= longest + slack, "{took:?} of {longest:?}");
        prop_assert!(budget.is_none_or(|budget| took <= ms(budget) + slack), "{took:?} of {budget:?} ms");
        prop_assert!(begun <= most, "{begun} attempts of {most}");
    }
}

/// The bound is no idle one: a system that always hangs makes a call take nearly that long.
#[test]
fn a_system_that_hangs_makes_a_call_take_what_its_attempts_are_allowed() {
    paused(async {
        let mut settings = settings();
        settings.retry.budget.floor_per_second = 1000.0;
        let guard = guard(settings.clone());
        let (took, begun) = took(&guard, Kind::Read, &[Act::Hangs]).await;
        assert_eq!(begun, 3);
        assert!(took >= settings.timeouts.call * 3, "{took:?}");
        assert!(took <= allowed(&settings, Kind::Read, &[Act::Hangs]) + ms(14), "{took:?}");
    });
}
