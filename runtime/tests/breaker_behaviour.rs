//! What the breaker does beside Resilience4j's semantics: probes that must all succeed, dropped calls, events,
//! settings reloaded, and time that tokio pauses.
#![cfg(feature = "http")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cofferdam_runtime::breaker::{
    AfterHalfOpen, BreakerConfig, BreakerFault, BreakerState, CircuitBreaker, DroppedCalls, HalfOpenLimit,
    HalfOpenVerdict, NotPermitted, OpenWait, Permit, SlidingWindow, StateChange,
};

const QUICK: Duration = Duration::from_millis(5);
const SLOW: Duration = Duration::from_millis(101);

/// Four calls, judged from two on; 50 % failed or slow opens for a second; two probes.
fn config() -> BreakerConfig {
    BreakerConfig {
        window: SlidingWindow::Calls(4),
        minimum_calls: 2,
        failure_rate_threshold: 50.0,
        slow_call_rate_threshold: 50.0,
        slow_call: Duration::from_millis(100),
        open_wait: OpenWait::fixed(Duration::from_secs(1)),
        half_open_calls: 2,
        ..BreakerConfig::default()
    }
}

fn breaker(config: BreakerConfig) -> CircuitBreaker {
    CircuitBreaker::new("sber", config).expect("a valid configuration")
}

fn permit(breaker: &CircuitBreaker) -> Permit<'_> {
    breaker.try_acquire().expect("permitted")
}

/// A breaker whose next call is a probe.
async fn about_to_probe(config: BreakerConfig) -> CircuitBreaker {
    let breaker = breaker(config);
    breaker.transition_to_open().expect("closed can be opened");
    tokio::time::advance(Duration::from_millis(1001)).await;
    breaker
}

#[tokio::test(start_paused = true)]
async fn r_res_cb_4_open_admits_no_call_for_the_wait_and_tells_the_rest_of_it() {
    let breaker = breaker(config());
    permit(&breaker).failure(QUICK);
    permit(&breaker).failure(QUICK);
    let refused =
        |rest| Some(NotPermitted { state: BreakerState::Open, retry_after: Some(Duration::from_millis(rest)) });
    assert_eq!(breaker.try_acquire().err(), refused(1000));
    tokio::time::advance(Duration::from_millis(400)).await;
    assert_eq!(breaker.try_acquire().err(), refused(600));
    tokio::time::advance(Duration::from_millis(600)).await;
    assert_eq!(breaker.try_acquire().err(), refused(0));
    assert_eq!(breaker.metrics().not_permitted, 3);
    tokio::time::advance(Duration::from_millis(1)).await;
    let probes = [permit(&breaker), permit(&breaker)];
    let full = breaker.try_acquire().expect_err("two probes are permitted");
    assert_eq!(full, NotPermitted { state: BreakerState::HalfOpen, retry_after: None });
    assert_eq!(full.to_string(), "not permitted: the circuit breaker is half_open");
    probes.into_iter().for_each(|probe| probe.success(QUICK));
    assert_eq!(breaker.state(), BreakerState::Closed);
}

/// As Resilience4j does it (`r` steps of the recorded traces): an ignored call, such as a no of the system (4xx), gives its
/// permission back. It is neither a success nor a failure, so probing goes on with the next one.
#[tokio::test(start_paused = true)]
async fn probes_that_say_nothing_give_their_permission_back_and_decide_nothing() {
    for verdict in [HalfOpenVerdict::All, HalfOpenVerdict::Rate] {
        let breaker = about_to_probe(BreakerConfig { half_open_verdict: verdict, ..config() }).await;
        for _ in 0..10 {
            let probes = [permit(&breaker), permit(&breaker)];
            assert!(breaker.try_acquire().is_err(), "two at once");
            probes.into_iter().for_each(Permit::ignore);
            assert_eq!(breaker.state(), BreakerState::HalfOpen);
        }
        assert_eq!(breaker.metrics().buffered, 0);
        [permit(&breaker), permit(&breaker)].into_iter().for_each(|probe| probe.success(QUICK));
        assert_eq!(breaker.state(), BreakerState::Closed);
    }
}

/// What bounds probing that never gets a verdict: the longest wait in half-open, where one is set.
#[tokio::test(start_paused = true)]
async fn probes_that_say_nothing_do_not_keep_half_open_beyond_its_longest_wait() {
    let limit = HalfOpenLimit { after: Duration::from_secs(5), to: AfterHalfOpen::Open };
    let breaker = about_to_probe(BreakerConfig { half_open_limit: Some(limit), ..config() }).await;
    permit(&breaker).ignore();
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    tokio::time::advance(Duration::from_secs(6)).await;
    assert_eq!(breaker.state(), BreakerState::Open);
}

#[tokio::test(start_paused = true)]
async fn the_first_probe_that_fails_opens() {
    let breaker = about_to_probe(BreakerConfig { failure_rate_threshold: 100.0, ..config() }).await;
    permit(&breaker).failure(QUICK);
    assert_eq!(breaker.state(), BreakerState::Open);
}

/// The minimum number of calls, when it is below the number of probes, must not close the breaker early.
#[tokio::test(start_paused = true)]
async fn all_probes_must_succeed_whatever_the_minimum() {
    let strict = BreakerConfig { minimum_calls: 1, half_open_calls: 3, ..config() };
    let breaker = about_to_probe(strict.clone()).await;
    permit(&breaker).success(QUICK);
    permit(&breaker).success(QUICK);
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    permit(&breaker).success(QUICK);
    assert_eq!(breaker.state(), BreakerState::Closed);

    let by_rate = about_to_probe(BreakerConfig { half_open_verdict: HalfOpenVerdict::Rate, ..strict }).await;
    permit(&by_rate).success(QUICK);
    assert_eq!(by_rate.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn slow_probes_are_judged_by_their_rate_when_all_are_in() {
    let patient = BreakerConfig { half_open_calls: 3, ..config() };
    let breaker = about_to_probe(patient.clone()).await;
    [SLOW, QUICK, QUICK].into_iter().for_each(|elapsed| permit(&breaker).success(elapsed));
    assert_eq!(breaker.state(), BreakerState::Closed);
    let breaker = about_to_probe(patient).await;
    [SLOW, SLOW].into_iter().for_each(|elapsed| permit(&breaker).success(elapsed));
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    permit(&breaker).success(QUICK);
    assert_eq!(breaker.state(), BreakerState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_counts_as_failed_and_slow_only_when_it_was_older_than_a_slow_call() {
    let breaker = breaker(config());
    let [at_the_limit, beyond] = [permit(&breaker), permit(&breaker)];
    tokio::time::advance(Duration::from_millis(100)).await;
    drop(at_the_limit);
    assert_eq!(breaker.metrics().buffered, 0);
    tokio::time::advance(Duration::from_millis(1)).await;
    drop(beyond);
    let metrics = breaker.metrics();
    assert_eq!((metrics.buffered, metrics.failed, metrics.slow, metrics.slow_failed), (1, 1, 1, 1));
    assert_eq!((metrics.successful(), metrics.slow_successful()), (0, 0));

    breaker.reconfigure(BreakerConfig { dropped_calls: DroppedCalls::Release, ..config() }).unwrap();
    let released = permit(&breaker);
    tokio::time::advance(SLOW).await;
    drop(released);
    assert_eq!(breaker.metrics().buffered, 1);
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_is_dropped_or_panics_gives_its_permit_back() {
    let breaker = about_to_probe(config()).await;
    for _ in 0..5 {
        let [one, other] = [permit(&breaker), permit(&breaker)];
        assert!(breaker.try_acquire().is_err());
        drop(one);
        catch_unwind(AssertUnwindSafe(|| {
            let _held = other;
            panic!("a mapper of the caller's");
        }))
        .unwrap_err();
    }
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    // A probe that hung until the caller gave it up is a verdict.
    let hung = permit(&breaker);
    tokio::time::advance(SLOW).await;
    drop(hung);
    assert_eq!(breaker.state(), BreakerState::Open);
}

#[tokio::test(start_paused = true)]
async fn late_outcomes_do_not_count_in_another_state_period() {
    let breaker = breaker(config());
    let late: Vec<_> = (0..4).map(|_| permit(&breaker)).collect();
    permit(&breaker).failure(QUICK);
    permit(&breaker).failure(QUICK);
    tokio::time::advance(Duration::from_millis(1001)).await;
    let probe = permit(&breaker);
    let before = breaker.metrics();
    let mut late = late.into_iter();
    late.next().unwrap().success(QUICK);
    late.next().unwrap().failure(QUICK);
    late.next().unwrap().ignore();
    drop(late.next());
    assert_eq!(breaker.metrics(), before);
    probe.success(QUICK);
    permit(&breaker).success(QUICK);
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn changes_are_told_once_with_rates_and_outside_the_lock() {
    let told: Arc<Mutex<Vec<StateChange>>> = Arc::default();
    let (heard, shared): (_, Arc<std::sync::OnceLock<Arc<CircuitBreaker>>>) = (Arc::clone(&told), Arc::default());
    let looked_at = Arc::clone(&shared);
    let breaker = CircuitBreaker::new("sber", config()).unwrap().on_state_change(move |change| {
        // Looking at the breaker from here would hang if the lock were held.
        assert_eq!(looked_at.get().unwrap().state(), change.new);
        heard.lock().unwrap().push(*change);
    });
    let breaker = Arc::new(breaker);
    shared.set(Arc::clone(&breaker)).unwrap();

    permit(&breaker).success(SLOW);
    permit(&breaker).failure(QUICK);
    tokio::time::advance(Duration::from_millis(1500)).await;
    permit(&breaker).success(QUICK);
    permit(&breaker).success(QUICK);
    breaker.transition_to_closed();
    breaker.transition_to_forced_open();
    breaker.transition_to_disabled();
    breaker.transition_to_metrics_only();
    breaker.reset();

    let told: Vec<StateChange> = told.lock().unwrap().clone();
    use BreakerState::{Closed, Disabled, ForcedOpen, HalfOpen, MetricsOnly, Open};
    let ways: Vec<_> = told.iter().map(|change| (change.previous, change.new)).collect();
    let expected = [
        (Closed, Open),
        (Open, HalfOpen),
        (HalfOpen, Closed),
        (Closed, ForcedOpen),
        (ForcedOpen, Disabled),
        (Disabled, MetricsOnly),
        (MetricsOnly, Closed),
    ];
    assert_eq!(ways, expected);
    assert_eq!((told[0].failure_rate, told[0].slow_call_rate), (Some(50.0), Some(50.0)));
    assert_eq!((told[2].failure_rate, told[2].slow_call_rate), (Some(0.0), Some(0.0)));
    assert_eq!(told[3].failure_rate, None);
    assert_eq!([told[0].at, told[1].at], [Duration::ZERO, Duration::from_millis(1500)]);
    assert!(told.windows(2).all(|pair| pair[0].sequence < pair[1].sequence));
}

#[tokio::test(start_paused = true)]
async fn time_brings_changes_in_order_and_dated_to_when_they_were_due() {
    let told: Arc<Mutex<Vec<(BreakerState, u128)>>> = Arc::default();
    let heard = Arc::clone(&told);
    let limit = HalfOpenLimit { after: Duration::from_millis(200), to: AfterHalfOpen::Closed };
    let timed = BreakerConfig { half_open_unasked: true, half_open_limit: Some(limit), ..config() };
    let breaker = CircuitBreaker::new("f6", timed)
        .unwrap()
        .on_state_change(move |change| heard.lock().unwrap().push((change.new, change.at.as_millis())));
    breaker.transition_to_open().unwrap();
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(breaker.state(), BreakerState::Closed);
    let expected = [(BreakerState::Open, 0), (BreakerState::HalfOpen, 1000), (BreakerState::Closed, 1200)];
    assert_eq!(*told.lock().unwrap(), expected);
}

/// A system nobody calls for years goes round between open and half-open: looking at it then must not walk each round.
#[tokio::test(start_paused = true)]
async fn years_without_a_call_are_passed_over_at_once_and_in_step() {
    let limit = HalfOpenLimit { after: Duration::from_millis(3), to: AfterHalfOpen::Open };
    let wait = OpenWait::growing(Duration::from_millis(1), 2.0, Duration::from_millis(4));
    let round = BreakerConfig { half_open_unasked: true, half_open_limit: Some(limit), open_wait: wait, ..config() };
    let breaker = breaker(round);
    breaker.transition_to_open().unwrap();
    assert!(breaker.try_acquire().is_err());
    // 1 ms and 3, 2 ms and 3, then rounds of 4 ms and 3.
    tokio::time::advance(Duration::from_millis(9 + 7 * 30_000_000_000)).await;
    assert_eq!(breaker.state(), BreakerState::Open);
    assert_eq!(breaker.metrics().not_permitted, 0);
    assert_eq!(breaker.try_acquire().unwrap_err().retry_after, Some(Duration::from_millis(4)));
    tokio::time::advance(Duration::from_millis(4)).await;
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    tokio::time::advance(Duration::from_millis(3)).await;
    assert_eq!(breaker.state(), BreakerState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_hardly_grows_is_passed_over_too() {
    let limit = HalfOpenLimit { after: Duration::from_millis(1), to: AfterHalfOpen::Open };
    let wait = OpenWait::growing(Duration::from_millis(1000), 1.001, Duration::from_secs(86_400)).jittered(0.5);
    let round = BreakerConfig { half_open_unasked: true, half_open_limit: Some(limit), open_wait: wait, ..config() };
    let breaker = breaker(round);
    breaker.transition_to_open().unwrap();
    tokio::time::advance(Duration::from_secs(86_400 * 365 * 20)).await;
    assert!(matches!(breaker.state(), BreakerState::Open | BreakerState::HalfOpen));
}

#[tokio::test(start_paused = true)]
async fn jitter_prolongs_the_wait_by_at_most_its_part_even_at_the_maximum() {
    let longest = Duration::from_secs(2);
    let wait = OpenWait::growing(Duration::from_secs(1), 2.0, longest).jittered(0.25);
    let breaker = breaker(BreakerConfig { open_wait: wait, ..config() });
    let mut waits = Vec::new();
    for _ in 0..200 {
        breaker.transition_to_open().unwrap();
        waits.push(breaker.try_acquire().unwrap_err().retry_after.unwrap());
    }
    let at_maximum = &waits[1..];
    assert!(at_maximum.iter().all(|wait| (longest..=longest.mul_f64(1.25)).contains(wait)), "{at_maximum:?}");
    let (shortest, longest) = (at_maximum.iter().min().unwrap(), at_maximum.iter().max().unwrap());
    assert!(*longest - *shortest > Duration::from_millis(250), "no spread: {shortest:?} to {longest:?}");
}

#[tokio::test(start_paused = true)]
async fn settings_that_cannot_work_are_refused_and_the_old_ones_stay() {
    let wrong = BreakerConfig { minimum_calls: 0, half_open_calls: 0, ..config() };
    let faults = CircuitBreaker::new("sber", wrong.clone()).unwrap_err().faults;
    assert_eq!(faults, [BreakerFault::NoMinimumCalls, BreakerFault::HalfOpenCalls(0)]);
    let breaker = breaker(config());
    assert_eq!(breaker.reconfigure(wrong).unwrap_err().faults, faults);
    assert_eq!(breaker.config(), config());
}

#[tokio::test(start_paused = true)]
async fn new_settings_keep_what_closed_has_counted_and_calls_in_flight() {
    let breaker = breaker(config());
    let in_flight = permit(&breaker);
    permit(&breaker).failure(QUICK);
    let wider = BreakerConfig { window: SlidingWindow::Calls(100), minimum_calls: 3, ..config() };
    breaker.reconfigure(wider).unwrap();
    in_flight.failure(QUICK);
    let metrics = breaker.metrics();
    assert_eq!((metrics.state, metrics.failed, metrics.failure_rate), (BreakerState::Closed, 2, None));
    permit(&breaker).success(QUICK);
    assert_eq!(breaker.state(), BreakerState::Open);

    breaker.reset();
    permit(&breaker).failure(QUICK);
    breaker.reconfigure(BreakerConfig { window: SlidingWindow::Seconds(10), ..config() }).unwrap();
    assert_eq!(breaker.metrics().buffered, 0, "calls have no time");
    permit(&breaker).success(QUICK);
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(breaker.metrics().buffered, 0);
}

/// The slow call duration is known outside the lock as well: a new one must get there.
#[tokio::test(start_paused = true)]
async fn a_new_slow_call_duration_holds_at_once() {
    let breaker = breaker(config());
    (0..4).for_each(|_| permit(&breaker).success(QUICK));
    breaker.reconfigure(BreakerConfig { slow_call: Duration::from_millis(4), ..config() }).unwrap();
    permit(&breaker).success(QUICK);
    assert_eq!(breaker.metrics().slow, 1);
}

#[tokio::test(start_paused = true)]
async fn new_settings_measure_a_running_wait_anew_from_its_beginning() {
    let breaker = breaker(config());
    breaker.transition_to_open().unwrap();
    tokio::time::advance(Duration::from_millis(300)).await;
    let rest = |breaker: &CircuitBreaker| breaker.try_acquire().unwrap_err().retry_after.unwrap().as_millis();
    let waiting = |millis| BreakerConfig { open_wait: OpenWait::fixed(Duration::from_millis(millis)), ..config() };
    breaker.reconfigure(waiting(5000)).unwrap();
    assert_eq!(rest(&breaker), 4700);
    breaker.reconfigure(BreakerConfig { minimum_calls: 4, ..waiting(5000) }).unwrap();
    assert_eq!(rest(&breaker), 4700);
    breaker.reconfigure(BreakerConfig { half_open_unasked: true, ..waiting(200) }).unwrap();
    assert_eq!(breaker.state(), BreakerState::HalfOpen);

    breaker.transition_to_open_for(Duration::from_secs(60)).unwrap();
    breaker.reconfigure(waiting(200)).unwrap();
    assert_eq!(rest(&breaker), 60_000, "an operator's wait is no setting");
}

#[tokio::test(start_paused = true)]
async fn fewer_probes_than_are_in_already_come_to_a_verdict_at_once() {
    let breaker = about_to_probe(BreakerConfig { half_open_calls: 5, ..config() }).await;
    permit(&breaker).success(QUICK);
    permit(&breaker).success(QUICK);
    let in_flight = permit(&breaker);
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    breaker.reconfigure(config()).unwrap();
    assert_eq!(breaker.state(), BreakerState::Closed);
    in_flight.failure(QUICK);
    assert_eq!(breaker.metrics().failed, 0);
}

#[tokio::test(start_paused = true)]
async fn a_new_limit_of_half_open_counts_from_its_beginning() {
    let breaker = about_to_probe(config()).await;
    let probe = permit(&breaker);
    let limit = |millis| HalfOpenLimit { after: Duration::from_millis(millis), to: AfterHalfOpen::Closed };
    tokio::time::advance(Duration::from_millis(50)).await;
    breaker.reconfigure(BreakerConfig { half_open_limit: Some(limit(80)), ..config() }).unwrap();
    tokio::time::advance(Duration::from_millis(29)).await;
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    breaker.reconfigure(BreakerConfig { half_open_limit: Some(limit(10)), ..config() }).unwrap();
    assert_eq!(breaker.state(), BreakerState::Closed);
    probe.failure(QUICK);
    assert_eq!(breaker.metrics().buffered, 0);
}

#[tokio::test]
async fn a_permit_may_wait_in_a_task() {
    let breaker = Arc::new(breaker(config()));
    let shared = Arc::clone(&breaker);
    let call = tokio::spawn(async move {
        let permit = shared.try_acquire().expect("closed");
        tokio::task::yield_now().await;
        permit.failure(QUICK);
    });
    call.await.unwrap();
    assert_eq!(breaker.metrics().failed, 1);
    assert_eq!(breaker.name(), "sber");
}
