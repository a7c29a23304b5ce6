//! The breaker against a model of it that is as plain as can be: it walks through time millisecond by millisecond,
//! keeps every vote ever cast, and works out each window anew from that list.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cofferdam_runtime::breaker::{
    AfterHalfOpen, BreakerConfig, BreakerState, CircuitBreaker, Clock, DroppedCalls, HalfOpenLimit, HalfOpenVerdict,
    OpenWait, Permit, SlidingWindow,
};
use proptest::prelude::*;

const SLOTS: usize = 6;
const SLOW: u64 = 100;

#[derive(Clone, Default)]
struct TestClock(Arc<AtomicU64>);

impl Clock for TestClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

#[derive(Debug, Clone)]
enum Step {
    Pass(u64),
    Begin(usize),
    End(usize, Ending),
    Order(BreakerState),
    OpenFor(u64),
    Reset,
    Look,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ending {
    Success,
    Failure,
    Ignore,
    Drop,
}

/// What a test sees of a breaker: state, calls in the window, failed, slow, refused, rates.
type Sight = (BreakerState, u64, u64, u64, u64, Option<(f32, f32)>);

#[derive(Clone, Copy)]
struct CastVote {
    period: u64,
    at: u64,
    failed: bool,
    slow: bool,
}

struct Model {
    config: BreakerConfig,
    now: u64,
    state: BreakerState,
    period: u64,
    entered: u64,
    /// Where the counters that are shown began: open shows those of the period before.
    counted_from: u64,
    counted_like: BreakerState,
    votes: Vec<CastVote>,
    refused: u64,
    openings: u32,
    wait: u64,
    used: u32,
    calls: [Option<(u64, u64)>; SLOTS],
}

impl Model {
    fn new(config: BreakerConfig) -> Self {
        Self {
            config,
            now: 0,
            state: BreakerState::Closed,
            period: 0,
            entered: 0,
            counted_from: 0,
            counted_like: BreakerState::Closed,
            votes: Vec::new(),
            refused: 0,
            openings: 0,
            wait: 0,
            used: 0,
            calls: [None; SLOTS],
        }
    }

    fn enter(&mut self, state: BreakerState) {
        match state {
            BreakerState::Open | BreakerState::ForcedOpen => self.openings += 1,
            BreakerState::HalfOpen => {}
            _ => self.openings = 0,
        }
        if state == BreakerState::Open {
            self.wait = self.config.open_wait.base(self.openings).as_millis() as u64;
        }
        self.enter_plainly(state);
    }

    fn enter_plainly(&mut self, state: BreakerState) {
        (self.state, self.period, self.entered, self.used) = (state, self.period + 1, self.now, 0);
        if state != BreakerState::Open {
            (self.counted_from, self.counted_like, self.refused) = (self.period, state, 0);
        }
    }

    fn pass(&mut self, millis: u64) {
        for _ in 0..millis {
            self.now += 1;
            let age = self.now - self.entered;
            match (self.state, self.config.half_open_limit) {
                (BreakerState::Open, _) if self.config.half_open_unasked && age == self.wait => {
                    self.enter(BreakerState::HalfOpen);
                }
                (BreakerState::HalfOpen, Some(limit)) if u128::from(age) == limit.after.as_millis() => {
                    self.enter(match limit.to {
                        AfterHalfOpen::Open => BreakerState::Open,
                        AfterHalfOpen::Closed => BreakerState::Closed,
                    });
                }
                _ => {}
            }
        }
    }

    fn begin(&mut self, slot: usize) -> bool {
        if self.state == BreakerState::Open && self.now - self.entered > self.wait {
            self.enter(BreakerState::HalfOpen);
        }
        let permitted = match self.state {
            BreakerState::Open | BreakerState::ForcedOpen => false,
            BreakerState::HalfOpen => self.used < self.config.half_open_calls,
            _ => true,
        };
        if permitted {
            self.used += 1;
            self.calls[slot] = Some((self.period, self.now));
        } else {
            self.refused += 1;
        }
        permitted
    }

    fn end(&mut self, slot: usize, ending: Ending) {
        let Some((period, began)) = self.calls[slot].take() else { return };
        if period != self.period {
            return;
        }
        let slow = self.now - began > SLOW;
        let failed = match ending {
            Ending::Success => false,
            Ending::Failure => true,
            Ending::Drop if slow && self.config.dropped_calls == DroppedCalls::FailWhenSlow => true,
            Ending::Drop | Ending::Ignore => {
                self.used -= 1;
                return;
            }
        };
        self.votes.push(CastVote { period, at: self.now, failed, slow });
        self.judge();
    }

    fn judge(&mut self) {
        let (votes, minimum) = self.window();
        let count = |holds: fn(&CastVote) -> bool| votes.iter().filter(|vote| holds(vote)).count();
        let exceeded = exceeds(count(|vote| vote.failed), votes.len(), self.config.failure_rate_threshold)
            || exceeds(count(|vote| vote.slow), votes.len(), self.config.slow_call_rate_threshold);
        match (self.state, self.config.half_open_verdict) {
            (BreakerState::Closed, _) if votes.len() >= minimum && exceeded => self.enter(BreakerState::Open),
            (BreakerState::HalfOpen, HalfOpenVerdict::Rate) if votes.len() >= minimum => {
                self.enter(if exceeded { BreakerState::Open } else { BreakerState::Closed });
            }
            (BreakerState::HalfOpen, HalfOpenVerdict::All) => {
                let slow = exceeds(count(|vote| vote.slow), votes.len(), self.config.slow_call_rate_threshold);
                if votes.iter().any(|vote| vote.failed) {
                    self.enter(BreakerState::Open);
                } else if votes.len() == self.config.half_open_calls as usize {
                    self.enter(if slow { BreakerState::Open } else { BreakerState::Closed });
                }
            }
            _ => {}
        }
    }

    /// The votes in the window that is shown, and the fewest that give a rate.
    fn window(&self) -> (Vec<CastVote>, usize) {
        let mut votes: Vec<_> = self.votes.iter().filter(|vote| vote.period == self.counted_from).copied().collect();
        let minimum = self.config.minimum_calls as usize;
        let last = match (self.counted_like, self.config.window) {
            (BreakerState::ForcedOpen | BreakerState::Disabled, _) => 0,
            (BreakerState::HalfOpen, _) => self.config.half_open_calls as usize,
            (_, SlidingWindow::Calls(size)) => size as usize,
            (_, SlidingWindow::Seconds(size)) => {
                votes.retain(|vote| vote.at / 1000 + u64::from(size) > self.now / 1000);
                return (votes, minimum);
            }
        };
        (votes.split_off(votes.len().saturating_sub(last)), minimum.min(last))
    }

    fn order(&mut self, state: BreakerState) -> bool {
        let legal = match self.state {
            BreakerState::Closed => state != BreakerState::HalfOpen,
            BreakerState::MetricsOnly => !matches!(state, BreakerState::Open | BreakerState::HalfOpen),
            _ => true,
        };
        if legal {
            self.enter(state);
        }
        legal
    }

    fn open_for(&mut self, wait: u64) -> bool {
        let legal = self.state != BreakerState::MetricsOnly;
        if legal {
            self.wait = wait;
            self.enter_plainly(BreakerState::Open);
        }
        legal
    }

    fn look(&self) -> Sight {
        let (votes, minimum) = self.window();
        let count = |holds: fn(&CastVote) -> bool| votes.iter().filter(|vote| holds(vote)).count() as u64;
        let (failed, slow) = (count(|vote| vote.failed), count(|vote| vote.slow));
        let calls = votes.len() as u64;
        let percent = |part: u64| part as f32 * 100.0 / calls as f32;
        let rates = (calls > 0 && votes.len() >= minimum).then(|| (percent(failed), percent(slow)));
        (self.state, calls, failed, slow, self.refused, rates)
    }
}

/// Equal or above, in whole numbers: the thresholds of these tests are whole percent.
fn exceeds(part: usize, whole: usize, threshold: f32) -> bool {
    part * 100 >= threshold as usize * whole
}

fn look(breaker: &CircuitBreaker<TestClock>) -> Sight {
    let seen = breaker.metrics();
    let rates = seen.failure_rate.zip(seen.slow_call_rate);
    (seen.state, seen.buffered, seen.failed, seen.slow, seen.not_permitted, rates)
}

fn end(permit: Permit<'_, TestClock>, ending: Ending) {
    let elapsed = permit.elapsed();
    match ending {
        Ending::Success => permit.success(elapsed),
        Ending::Failure => permit.failure(elapsed),
        Ending::Ignore => permit.ignore(),
        Ending::Drop => drop(permit),
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let ending = prop::sample::select(vec![
        Ending::Success,
        Ending::Success,
        Ending::Success,
        Ending::Failure,
        Ending::Failure,
        Ending::Ignore,
        Ending::Drop,
    ]);
    let step = prop_oneof![
        4 => prop::sample::select(vec![0, 1, 7, 50, 101, 200, 201, 499, 1000, 2500]).prop_map(Step::Pass),
        8 => (0..SLOTS).prop_map(Step::Begin),
        10 => (0..SLOTS, ending).prop_map(|(slot, ending)| Step::End(slot, ending)),
        1 => prop::sample::select(BreakerState::ALL.to_vec()).prop_map(Step::Order),
        1 => prop_oneof![
            (1u64..900).prop_map(Step::OpenFor),
            Just(Step::Reset),
        ],
        3 => Just(Step::Look),
    ];
    prop::collection::vec(step, 1..120)
}

fn configs() -> impl Strategy<Value = BreakerConfig> {
    let window = prop_oneof![(1u32..9).prop_map(SlidingWindow::Calls), (1u32..4).prop_map(SlidingWindow::Seconds)];
    let percent = prop::sample::select(vec![1.0_f32, 20.0, 34.0, 50.0, 67.0, 100.0]);
    let millis = |most: u64| (1..most).prop_map(Duration::from_millis);
    let wait = prop_oneof![
        millis(700).prop_map(OpenWait::fixed),
        (millis(300), 1.0..3.0).prop_map(|(first, factor)| OpenWait::growing(first, factor, Duration::from_secs(1))),
    ];
    let to = prop::sample::select(vec![AfterHalfOpen::Open, AfterHalfOpen::Closed]);
    let limit = prop::option::of((millis(600), to).prop_map(|(after, to)| HalfOpenLimit { after, to }));
    let verdict = prop::sample::select(vec![HalfOpenVerdict::All, HalfOpenVerdict::Rate]);
    let dropped = prop::sample::select(vec![DroppedCalls::FailWhenSlow, DroppedCalls::Release]);
    (window, 1u32..6, percent.clone(), percent, (wait, limit), 1u32..4, verdict, (any::<bool>(), dropped)).prop_map(
        |(
            window,
            minimum_calls,
            failure,
            slow,
            (open_wait, half_open_limit),
            half_open_calls,
            verdict,
            (auto, dropped),
        )| {
            BreakerConfig {
                window,
                minimum_calls,
                failure_rate_threshold: failure,
                slow_call_rate_threshold: slow,
                slow_call: Duration::from_millis(SLOW),
                open_wait,
                half_open_calls,
                half_open_verdict: verdict,
                half_open_limit,
                half_open_unasked: auto,
                dropped_calls: dropped,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Overlapping calls, orders and time: looked at or not in between, the breaker is where the model is.
    #[test]
    fn overlapping_calls_come_out_as_in_the_model(config in configs(), steps in steps()) {
        let clock = TestClock::default();
        let breaker = CircuitBreaker::with_clock("model", config.clone(), clock.clone()).unwrap();
        let mut model = Model::new(config);
        let mut permits: [Option<Permit<'_, TestClock>>; SLOTS] = Default::default();
        for (index, step) in steps.iter().enumerate() {
            match *step {
                Step::Pass(millis) => {
                    clock.0.fetch_add(millis, Ordering::Relaxed);
                    model.pass(millis);
                }
                Step::Begin(slot) if permits[slot].is_none() => {
                    permits[slot] = breaker.try_acquire().ok();
                    prop_assert_eq!(permits[slot].is_some(), model.begin(slot), "step {} {:?}", index, step);
                }
                Step::Begin(_) => {}
                Step::End(slot, ending) => {
                    permits[slot].take().into_iter().for_each(|permit| end(permit, ending));
                    model.end(slot, ending);
                }
                Step::Order(state) => {
                    prop_assert_eq!(breaker.transition_to(state).is_ok(), model.order(state), "step {}", index);
                }
                Step::OpenFor(wait) => {
                    let done = breaker.transition_to_open_for(Duration::from_millis(wait)).is_ok();
                    prop_assert_eq!(done, model.open_for(wait), "step {}", index);
                }
                Step::Reset => {
                    breaker.reset();
                    model.enter(BreakerState::Closed);
                }
                Step::Look => prop_assert_eq!(look(&breaker), model.look(), "step {}", index),
            }
        }
        prop_assert_eq!(look(&breaker), model.look(), "at the end");
    }

    /// Whatever happens, settings reloaded in the middle of it too: half-open never has more calls in flight than it
    /// may, and the breaker can always be brought to close again.
    #[test]
    fn half_open_is_never_overfull_and_nothing_gets_stuck(
        first in configs(),
        rounds in prop::collection::vec((configs(), steps()), 1..4),
    ) {
        let clock = TestClock::default();
        let breaker = CircuitBreaker::with_clock("limits", first, clock.clone()).unwrap();
        let mut permits: [Option<(Permit<'_, TestClock>, u32)>; SLOTS] = Default::default();
        let mut epoch = 0;
        for (config, steps) in rounds {
            breaker.reconfigure(config.clone()).unwrap();
            // Calls that an earlier, larger number let in may still be there: only those let in since are counted.
            epoch += 1;
            for step in steps {
                match step {
                    Step::Pass(millis) => {
                        clock.0.fetch_add(millis, Ordering::Relaxed);
                        epoch += 1;
                    }
                    Step::Begin(slot) if permits[slot].is_none() => {
                        permits[slot] = breaker.try_acquire().ok().map(|permit| (permit, epoch));
                        if breaker.state() == BreakerState::HalfOpen {
                            let mine = permits.iter().flatten().filter(|(_, begun)| *begun == epoch).count();
                            prop_assert!(mine <= config.half_open_calls as usize, "{} in flight", mine);
                        }
                    }
                    Step::End(slot, ending) => {
                        let before = breaker.state();
                        permits[slot].take().into_iter().for_each(|(permit, _)| end(permit, ending));
                        epoch += u32::from(breaker.state() != before);
                    }
                    Step::Order(state) => {
                        epoch += u32::from(breaker.transition_to(state).is_ok());
                    }
                    _ => {}
                }
            }
        }
        permits.into_iter().flatten().for_each(|(permit, _)| permit.ignore());
        if matches!(breaker.state(), BreakerState::Open | BreakerState::HalfOpen) {
            // Half-open may be as short as a millisecond: come by often enough to find it, with all its probes.
            let mut tries = 0;
            while breaker.state() != BreakerState::Closed && tries < 2_000 {
                (0..4).flat_map(|_| breaker.try_acquire()).for_each(|permit| permit.success(Duration::ZERO));
                clock.0.fetch_add(1, Ordering::Relaxed);
                tries += 1;
            }
            prop_assert_eq!(breaker.state(), BreakerState::Closed);
        }
    }
}
