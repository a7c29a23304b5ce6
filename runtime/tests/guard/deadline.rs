//! The caller's budget: no attempt and no wait begins that cannot finish (R-RES-TO-3).

use std::time::Duration;

use cofferdam_runtime::{CallError, Deadline, Delivery, TimeoutPhase, within};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::subject::{Counter, Look, Plain, answer, guard, ms, recorded, settings};

#[tokio::test(start_paused = true)]
async fn an_attempt_ends_a_margin_before_the_deadline() {
    let guard = guard(settings());
    let start = Instant::now();
    let call = guard.read(Look, &Plain, || async {
        sleep(ms(10_000)).await;
        Ok(json!({}))
    });
    let error = within(ms(1000), call).await.unwrap_err();
    assert_eq!(start.elapsed(), ms(900));
    let CallError::TimedOut { at, phase: TimeoutPhase::Attempt, limit } = error else { panic!("{error}") };
    assert_eq!((limit, at.delivery, at.attempts), (ms(900), Delivery::MaybeSent, 1));
}

#[tokio::test(start_paused = true)]
async fn without_a_deadline_an_attempt_has_the_call_timeout() {
    let mut settings = settings();
    settings.retry.max_attempts = 1;
    let call = settings.timeouts.call;
    let start = Instant::now();
    let error = guard(settings).read(Look, &Plain, std::future::pending).await.unwrap_err();
    assert_eq!(start.elapsed(), call);
    assert!(matches!(error, CallError::TimedOut { phase: TimeoutPhase::Attempt, .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn nothing_begins_when_nothing_can_finish() {
    let guard = guard(settings());
    for budget in [0, 50, 100] {
        let begun = Counter::default();
        let attempt = || async {
            begun.up();
            Ok(json!({}))
        };
        let error = within(ms(budget), guard.read(Look, &Plain, attempt)).await.unwrap_err();
        let CallError::TimedOut { at, phase: TimeoutPhase::Deadline, .. } = error else { panic!("{error}") };
        assert_eq!((begun.get(), at.attempts, at.delivery), (0, 0, Delivery::NotSent));
    }
    assert_eq!(recorded(&guard), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn no_wait_begins_that_leaves_no_time_for_an_attempt() {
    let guard = guard(settings());
    let begun = Counter::default();
    let attempt = || async {
        begun.up();
        answer(503, &[("retry-after", "2")])
    };
    let start = Instant::now();
    let error = within(ms(2100), guard.read(Look, &Plain, attempt)).await.unwrap_err();
    assert!(matches!(error, CallError::ServerError { .. }), "{error}");
    assert_eq!((begun.get(), start.elapsed()), (1, Duration::ZERO));

    within(ms(2102), guard.read(Look, &Plain, attempt)).await.unwrap_err();
    assert_eq!((begun.get(), start.elapsed()), (3, ms(2000)));
}

#[tokio::test(start_paused = true)]
async fn all_attempts_and_waits_spend_from_one_budget() {
    for budget in [300, 700, 1500, 4000] {
        let start = Instant::now();
        let attempt = || async {
            sleep(ms(200)).await;
            answer(503, &[])
        };
        within(ms(budget), guard(settings()).read(Look, &Plain, attempt)).await.unwrap_err();
        assert!(start.elapsed() <= ms(budget - 100), "{:?} of {budget}", start.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_can_be_given_and_the_earlier_one_counts() {
    let guard = guard(settings());
    let sooner = guard.before(Deadline::after(ms(500)));
    let start = Instant::now();
    within(ms(5000), sooner.read(Look, &Plain, std::future::pending)).await.unwrap_err();
    assert_eq!(start.elapsed(), ms(400));

    let later = guard.before(Deadline::after(ms(5000)));
    let start = Instant::now();
    within(ms(500), later.read(Look, &Plain, std::future::pending)).await.unwrap_err();
    assert_eq!(start.elapsed(), ms(400));
}

#[tokio::test(start_paused = true)]
async fn a_caller_in_a_hurry_does_not_make_the_system_sick() {
    let mut settings = settings();
    settings.breaker.config.slow_call = ms(1000);
    let guard = guard(settings);
    within(ms(500), guard.read(Look, &Plain, std::future::pending)).await.unwrap_err();
    assert_eq!(recorded(&guard), (0, 0));
    within(ms(1200), guard.read(Look, &Plain, std::future::pending)).await.unwrap_err();
    assert_eq!(recorded(&guard), (1, 1), "longer than a slow call: that is the system's");
}
