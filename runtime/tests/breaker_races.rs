//! Every interleaving of a few threads on one breaker, tried out by a model checker (loom).
//!
//! The breaker's own sources are compiled here a second time, against the model checker's lock and atomics: they name
//! theirs in `crate::sync` only.
#![allow(dead_code, unreachable_pub, unused_imports, reason = "a part of the library, compiled for a test")]

#[path = "../src/backoff.rs"]
mod backoff;
#[path = "../src/breaker/mod.rs"]
mod breaker;
#[path = "../src/moment.rs"]
mod moment;
mod sync {
    pub(crate) use loom::sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    };
    pub(crate) use std::sync::PoisonError;
}

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use breaker::{BreakerConfig, BreakerState, CircuitBreaker, Clock, HalfOpenVerdict, OpenWait, SlidingWindow};

const QUICK: Duration = Duration::from_millis(1);
const WAIT: Duration = Duration::from_secs(1);

/// Time is none of the things that race here: it stands where a test puts it.
#[derive(Clone, Default)]
struct StandingClock(Arc<AtomicU64>);

impl Clock for StandingClock {
    fn now(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}

type Breaker = CircuitBreaker<StandingClock>;

/// A breaker of two calls (all must have failed) and two probes, and how often it changed to which state.
fn breaker(verdict: HalfOpenVerdict) -> (Arc<Breaker>, StandingClock, Arc<[AtomicU32; 3]>) {
    let config = BreakerConfig {
        window: SlidingWindow::Calls(2),
        minimum_calls: 2,
        failure_rate_threshold: 100.0,
        slow_call_rate_threshold: 100.0,
        open_wait: OpenWait::fixed(WAIT),
        half_open_calls: 2,
        half_open_verdict: verdict,
        ..BreakerConfig::default()
    };
    let clock = StandingClock::default();
    let changes: Arc<[AtomicU32; 3]> = Arc::default();
    let counted = Arc::clone(&changes);
    let breaker = Breaker::with_clock("races", config, clock.clone()).expect("a valid configuration");
    let breaker = breaker.on_state_change(move |change| {
        let index = match change.new {
            BreakerState::Closed => 0,
            BreakerState::Open => 1,
            _ => 2,
        };
        counted[index].fetch_add(1, Ordering::Relaxed);
    });
    (Arc::new(breaker), clock, changes)
}

fn half_open(verdict: HalfOpenVerdict) -> (Arc<Breaker>, Arc<[AtomicU32; 3]>) {
    let (breaker, clock, changes) = breaker(verdict);
    breaker.transition_to_open().expect("closed can be opened");
    clock.0.store(10, Ordering::Relaxed);
    (breaker, changes)
}

fn changes(changes: &[AtomicU32; 3]) -> [u32; 3] {
    [0, 1, 2].map(|index| changes[index].load(Ordering::Relaxed))
}

/// Runs `model` in every interleaving with up to two forced switches between threads, main thread included.
fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(model);
}

/// Three callers meet a breaker whose wait is over; one succeeds, one gives up, one fails or succeeds.
fn probes_race(verdict: HalfOpenVerdict, third_fails: bool) {
    explore(move || {
        let (breaker, changed) = half_open(verdict);
        let in_flight = Arc::new(AtomicU32::new(0));
        let callers: Vec<_> = (0..3)
            .map(|caller| {
                let (breaker, in_flight) = (Arc::clone(&breaker), Arc::clone(&in_flight));
                let changed = Arc::clone(&changed);
                loom::thread::spawn(move || {
                    let Ok(permit) = breaker.try_acquire() else { return };
                    let now_in_flight = in_flight.fetch_add(1, Ordering::Relaxed) + 1;
                    let decided = changed[0].load(Ordering::Relaxed) + changed[1].load(Ordering::Relaxed) > 1;
                    assert!(now_in_flight <= 2 || decided, "{now_in_flight} probes at once");
                    // The others' turn, while this call is in flight.
                    loom::thread::yield_now();
                    // Gone before its permit is: the count may be too low for a moment, never too high.
                    in_flight.fetch_sub(1, Ordering::Relaxed);
                    match caller {
                        0 => permit.success(QUICK),
                        1 => drop(permit),
                        _ if third_fails => permit.failure(QUICK),
                        _ => permit.success(QUICK),
                    }
                })
            })
            .collect();
        callers.into_iter().for_each(|caller| caller.join().expect("no caller panics"));

        let [closed, opened, half_opened] = changes(&changed);
        assert_eq!(half_opened, 1, "half-open begins once");
        assert!(closed + (opened - 1) <= 1, "one verdict at most: {closed} closed, {opened} opened");
        match breaker.state() {
            BreakerState::HalfOpen => {
                // Not decided: a permit must be left, or probes would be waited for that nobody can make.
                assert!(breaker.try_acquire().is_ok(), "a permit was lost: {breaker:?}");
            }
            BreakerState::Closed => assert_eq!((closed, opened), (1, 1)),
            BreakerState::Open => assert_eq!((closed, opened, third_fails), (0, 2, true)),
            other => panic!("{other}"),
        }
    });
}

#[test]
fn probes_that_all_succeed_close_once_and_no_permit_is_lost() {
    probes_race(HalfOpenVerdict::All, false);
}

#[test]
fn probes_of_which_one_fails_open_at_most_once_and_no_permit_is_lost() {
    probes_race(HalfOpenVerdict::All, true);
}

#[test]
fn probes_judged_by_rate_come_to_one_verdict_and_no_permit_is_lost() {
    probes_race(HalfOpenVerdict::Rate, true);
}

/// The vote that is left out because it changes nothing must not hide one that does: what comes out is what some
/// order of the votes gives.
#[test]
fn votes_beside_a_window_full_of_successes_come_out_as_in_some_order() {
    let seen: Arc<std::sync::Mutex<BTreeSet<u64>>> = Arc::default();
    let collected = Arc::clone(&seen);
    explore(move || {
        let (breaker, _, changed) = breaker(HalfOpenVerdict::All);
        (0..2).flat_map(|_| breaker.try_acquire()).for_each(|permit| permit.success(QUICK));
        let one = Arc::clone(&breaker);
        let one = loom::thread::spawn(move || {
            one.try_acquire().expect("closed").failure(QUICK);
            // Its own failure came before: this success may never be left out.
            one.try_acquire().expect("closed").success(QUICK);
        });
        let other = Arc::clone(&breaker);
        let other = loom::thread::spawn(move || other.try_acquire().expect("closed").success(QUICK));
        one.join().expect("no panic");
        other.join().expect("no panic");
        let metrics = breaker.metrics();
        assert_eq!((metrics.buffered, changes(&changed)), (2, [0, 0, 0]));
        collected.lock().expect("no panic").insert(metrics.failed);
    });
    // The other's success before both leaves failure and success in the window; between or after them, only successes.
    assert_eq!(*seen.lock().expect("no panic"), BTreeSet::from([0, 1]));
}

/// Failures open the breaker once, and nobody is let in after somebody has seen it open.
#[test]
fn failures_open_once_and_whoever_saw_it_is_refused() {
    explore(|| {
        let (breaker, _, changed) = breaker(HalfOpenVerdict::All);
        let failing: Vec<_> = (0..2)
            .map(|_| {
                let breaker = Arc::clone(&breaker);
                loom::thread::spawn(move || {
                    let refused = breaker.try_acquire().map(|permit| permit.failure(QUICK)).is_err();
                    assert!(!refused, "two failures are needed to open");
                })
            })
            .collect();
        let saw_it_open = breaker.state() == BreakerState::Open;
        let refused = breaker.try_acquire().map(breaker::Permit::ignore).is_err();
        assert!(refused || !saw_it_open, "let in after it was seen open");
        failing.into_iter().for_each(|caller| caller.join().expect("no panic"));
        assert_eq!(breaker.state(), BreakerState::Open);
        assert_eq!(changes(&changed), [0, 1, 0]);
        assert_eq!(breaker.metrics().not_permitted, u64::from(refused));
    });
}

/// A late outcome never counts in a later state period, whoever is first.
#[test]
fn an_outcome_that_races_with_a_reset_counts_before_it_or_not_at_all() {
    explore(|| {
        let (breaker, ..) = breaker(HalfOpenVerdict::All);
        let late = Arc::clone(&breaker);
        let begun = Arc::new((loom::sync::Notify::new(), AtomicBool::new(false)));
        let go = Arc::clone(&begun);
        let caller = loom::thread::spawn(move || {
            let permit = late.try_acquire().expect("closed");
            go.1.store(true, Ordering::Relaxed);
            go.0.notify();
            permit.failure(QUICK);
        });
        // The model checker also wakes those who wait for nothing.
        while !begun.1.load(Ordering::Relaxed) {
            begun.0.wait();
        }
        breaker.reset();
        caller.join().expect("no panic");
        assert_eq!(breaker.metrics().buffered, 0);
    });
}

/// An open breaker refuses without its lock: each refusal is counted once, whoever looks at the breaker meanwhile.
#[test]
fn refusals_beside_each_other_are_all_counted() {
    explore(|| {
        let (breaker, ..) = breaker(HalfOpenVerdict::All);
        breaker.transition_to_open().expect("closed can be opened");
        let callers: Vec<_> = (0..2)
            .map(|_| {
                let breaker = Arc::clone(&breaker);
                loom::thread::spawn(move || assert!(breaker.try_acquire().is_err()))
            })
            .collect();
        assert_eq!(breaker.state(), BreakerState::Open);
        callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
        assert_eq!(breaker.metrics().not_permitted, 2);
    });
}

/// Closing the breaker ends the refusals, and one that comes at the same moment is a refusal of its open state.
#[test]
fn a_refusal_that_races_with_closing_comes_before_it_or_not_at_all() {
    explore(|| {
        let (breaker, ..) = breaker(HalfOpenVerdict::All);
        breaker.transition_to_open().expect("closed can be opened");
        let asking = Arc::clone(&breaker);
        let caller = loom::thread::spawn(move || {
            let first = asking.try_acquire().map(breaker::Permit::ignore).is_ok();
            let second = asking.try_acquire().map(breaker::Permit::ignore).is_ok();
            assert!(second || !first, "refused after it was let in");
        });
        breaker.transition_to_closed();
        assert!(breaker.try_acquire().map(breaker::Permit::ignore).is_ok(), "refused after it was closed");
        caller.join().expect("no panic");
        assert_eq!(breaker.metrics().buffered, 0);
    });
}

/// What counts as slow and what the window holds are read apart from each other without the lock: a vote beside new
/// settings for both must come out as under the old ones or as under the new ones.
#[test]
fn a_vote_that_races_with_new_settings_counts_under_the_old_or_the_new() {
    explore(|| {
        let (breaker, ..) = breaker(HalfOpenVerdict::All);
        (0..2).flat_map(|_| breaker.try_acquire()).for_each(|permit| permit.success(QUICK));
        let old = breaker.config();
        let between = old.slow_call * 2;
        let late = Arc::clone(&breaker);
        let caller = loom::thread::spawn(move || late.try_acquire().expect("closed").success(between));
        let new = BreakerConfig { window: SlidingWindow::Calls(3), slow_call: old.slow_call * 3, ..old };
        breaker.reconfigure(new).expect("a valid configuration");
        caller.join().expect("no panic");
        let metrics = breaker.metrics();
        let seen = (metrics.buffered, metrics.slow);
        assert!(seen == (2, 1) || seen == (3, 0), "{seen:?}");
    });
}
