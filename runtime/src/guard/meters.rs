//! The numbers of one system, kept as Resilience4j's Micrometer binding keeps them.
//!
//! Every series is registered when the guard is made, so that a call only adds to numbers: it formats no label, looks
//! nothing up, allocates nothing. What is read off the breaker and the bulkhead (gauges) is refreshed on a change of
//! state, once a second while calls are made, and whenever somebody publishes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use metrics::{
    Counter, Gauge, Histogram, IntoF64, Label, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use tokio::time::Instant;

use super::classify::Ended;
use crate::Verdict;
use crate::breaker::{BreakerMetrics, BreakerState, StateChange};
use crate::moment::{Moment, nanos};
use crate::observability::names;

/// While calls are made, gauges are not older than this.
const REFRESH: Duration = Duration::from_secs(1);
/// A longest call is remembered for this long, in so many parts (Micrometer's defaults).
const PEAK_PARTS: usize = 3;
const PEAK_PART: Duration = Duration::from_secs(40);

/// All series of a system.
pub(super) struct Meters {
    calls: [Timer; 3],
    not_permitted: Counter,
    retry: [Counter; 4],
    budget_spent: Counter,
    refused: Counter,
    over_quota: Counter,
    gauges: Gauges,
    states: Arc<StateSeries>,
}

impl Meters {
    pub(super) fn new(system: &str) -> Self {
        describe();
        let zero = Instant::now();
        let kind = |kind| labels(system, names::KIND, kind);
        let timer = |word| Timer::new(kind(word), zero);
        let retry = |word| counter!(names::RETRY_CALLS, kind(word));
        Self {
            calls: [timer("successful"), timer("failed"), timer("ignored")],
            not_permitted: counter!(names::BREAKER_NOT_PERMITTED, kind("not_permitted")),
            retry: [
                retry("successful_without_retry"),
                retry("successful_with_retry"),
                retry("failed_without_retry"),
                retry("failed_with_retry"),
            ],
            budget_spent: counter!(names::RETRY_BUDGET_SPENT, name(system)),
            refused: counter!(names::BULKHEAD_REFUSED, name(system)),
            over_quota: counter!(names::RATE_LIMIT_REFUSED, name(system)),
            gauges: Gauges::new(system),
            states: Arc::new(StateSeries::new(system)),
        }
    }

    /// What a breaker's listener calls to have its state shown.
    pub(super) fn states(&self) -> Arc<StateSeries> {
        Arc::clone(&self.states)
    }

    /// An attempt ended after so many nanoseconds, or a logical call where the breaker is the outer layer.
    #[inline]
    pub(super) fn call(&self, verdict: Verdict, elapsed: u64) {
        let [successful, failed, ignored] = &self.calls;
        match verdict {
            Verdict::Success => successful.record(elapsed),
            Verdict::Failure => failed.record(elapsed),
            Verdict::Ignored => ignored.record(elapsed),
        }
    }

    /// The breaker refused.
    pub(super) fn not_permitted(&self) {
        self.not_permitted.increment(1);
    }

    /// The bulkhead had no place.
    pub(super) fn no_place(&self) {
        self.refused.increment(1);
    }

    /// The quota was used up.
    pub(super) fn over_quota(&self) {
        self.over_quota.increment(1);
    }

    /// A call that might have been repeated is over.
    pub(super) fn repeatable_ended(&self, ended: Ended) {
        let [at_once, again, unretried, spent] = &self.retry;
        let counter = match ended {
            Ended::Well(..=1) => at_once,
            Ended::Well(_) => again,
            Ended::Unretried => unretried,
            Ended::Spent => spent,
        };
        counter.increment(1);
    }

    /// A repetition was not made for want of budget.
    pub(super) fn budget_spent(&self) {
        self.budget_spent.increment(1);
    }

    /// Whether the gauges are to be refreshed; says so to one caller only.
    #[inline]
    pub(super) fn is_due(&self, now: Moment) -> bool {
        let due = self.states.due.load(Ordering::Relaxed);
        now.number() >= due && {
            let next = now.plus(nanos(REFRESH)).number();
            self.states.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        }
    }

    /// Shows breaker and bulkhead as they are. The state is not shown here but when it changes: between looking at it
    /// and showing it, it may have changed again.
    pub(super) fn refresh(&self, breaker: &BreakerMetrics, available: usize, places: usize) {
        self.gauges.set(breaker, available, places);
        self.refresh_longest();
    }

    /// Another engine decides: our breaker is in no state, our bulkhead has no places, and no rate is known.
    pub(super) fn not_ours(&self) {
        self.states.hide();
        self.gauges.hide();
    }

    /// Shows the longest calls of the last time.
    pub(super) fn refresh_longest(&self) {
        let now = Instant::now();
        self.calls.iter().for_each(|timer| timer.refresh(now));
    }
}

/// A duration, as Micrometer's timer shows it to Prometheus: count, sum, and the longest of the last time.
struct Timer {
    durations: Histogram,
    longest: Gauge,
    /// The longest since the last refresh, in nanoseconds.
    recent: AtomicU64,
    peaks: Mutex<Peaks>,
}

/// The longest of the last two minutes, in parts that are forgotten one by one.
struct Peaks {
    parts: [u64; PEAK_PARTS],
    since: Instant,
}

/// Nanoseconds, which become seconds only where somebody counts them.
struct Nanos(u64);

impl IntoF64 for Nanos {
    fn into_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Timer {
    fn new(labels: Vec<Label>, now: Instant) -> Self {
        Self {
            durations: histogram!(names::BREAKER_CALLS, labels.clone()),
            longest: gauge!(names::BREAKER_CALLS_MAX, labels),
            recent: AtomicU64::new(0),
            peaks: Mutex::new(Peaks { parts: [0; PEAK_PARTS], since: now }),
        }
    }

    fn record(&self, nanos: u64) {
        self.durations.record(Nanos(nanos));
        // Nearly always there has been a longer one: then nothing shared is written.
        if nanos > self.recent.load(Ordering::Relaxed) {
            self.recent.fetch_max(nanos, Ordering::Relaxed);
        }
    }

    fn refresh(&self, now: Instant) {
        let mut peaks = self.peaks.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = peaks.with(self.recent.swap(0, Ordering::Relaxed), now);
        self.longest.set(Duration::from_nanos(longest).as_secs_f64());
    }
}

impl Peaks {
    /// Takes in the longest since the last time, and says what is the longest of all that is remembered.
    fn with(&mut self, recent: u64, now: Instant) -> u64 {
        while now.saturating_duration_since(self.since) >= PEAK_PART && self.parts != [0; PEAK_PARTS] {
            self.parts.rotate_right(1);
            self.parts[0] = 0;
            self.since += PEAK_PART;
        }
        if self.parts == [0; PEAK_PARTS] {
            self.since = now;
        }
        self.parts[0] = self.parts[0].max(recent);
        self.parts.into_iter().fold(0, u64::max)
    }
}

/// What is read off breaker and bulkhead.
struct Gauges {
    failure_rate: Gauge,
    slow_call_rate: Gauge,
    buffered_successful: Gauge,
    buffered_failed: Gauge,
    slow_successful: Gauge,
    slow_failed: Gauge,
    available: Gauge,
    places: Gauge,
}

impl Gauges {
    fn new(system: &str) -> Self {
        let kind = |kind| labels(system, names::KIND, kind);
        Self {
            failure_rate: gauge!(names::BREAKER_FAILURE_RATE, name(system)),
            slow_call_rate: gauge!(names::BREAKER_SLOW_CALL_RATE, name(system)),
            buffered_successful: gauge!(names::BREAKER_BUFFERED_CALLS, kind("successful")),
            buffered_failed: gauge!(names::BREAKER_BUFFERED_CALLS, kind("failed")),
            slow_successful: gauge!(names::BREAKER_SLOW_CALLS, kind("successful")),
            slow_failed: gauge!(names::BREAKER_SLOW_CALLS, kind("failed")),
            available: gauge!(names::BULKHEAD_AVAILABLE, name(system)),
            places: gauge!(names::BULKHEAD_MAX_ALLOWED, name(system)),
        }
    }

    fn hide(&self) {
        self.failure_rate.set(-1.0);
        self.slow_call_rate.set(-1.0);
    }

    fn set(&self, breaker: &BreakerMetrics, available: usize, places: usize) {
        let rate = |rate: Option<f32>| rate.map_or(-1.0, f64::from);
        self.failure_rate.set(rate(breaker.failure_rate));
        self.slow_call_rate.set(rate(breaker.slow_call_rate));
        self.buffered_successful.set(breaker.successful() as f64);
        self.buffered_failed.set(breaker.failed as f64);
        self.slow_successful.set(breaker.slow_successful() as f64);
        self.slow_failed.set(breaker.slow_failed as f64);
        self.available.set(available as f64);
        self.places.set(places as f64);
    }
}

/// One series a state of the breaker.
pub(super) struct StateSeries {
    gauges: [Gauge; BreakerState::ALL.len()],
    /// Number of the latest change shown: changes may be told out of order.
    latest: Mutex<u64>,
    /// When the gauges are to be refreshed, as the number of a moment.
    due: AtomicU64,
}

impl StateSeries {
    fn new(system: &str) -> Self {
        let gauge = |state: BreakerState| gauge!(names::BREAKER_STATE, labels(system, names::STATE, state.as_str()));
        let series = Self { gauges: BreakerState::ALL.map(gauge), latest: Mutex::new(0), due: AtomicU64::new(0) };
        series.show(BreakerState::Closed);
        series
    }

    /// Shows a change, and has the other gauges refreshed by the next call.
    pub(super) fn changed(&self, change: &StateChange) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if change.sequence > *latest {
            *latest = change.sequence;
            self.show(change.new);
            self.due.store(0, Ordering::Relaxed);
        }
    }

    fn hide(&self) {
        self.gauges.iter().for_each(|gauge| gauge.set(0.0));
    }

    fn show(&self, now: BreakerState) {
        for (gauge, state) in self.gauges.iter().zip(BreakerState::ALL) {
            gauge.set(if state == now { 1.0 } else { 0.0 });
        }
    }
}

fn name(system: &str) -> Vec<Label> {
    vec![Label::new(names::NAME, system.to_owned())]
}

fn labels(system: &str, label: &'static str, value: &'static str) -> Vec<Label> {
    vec![Label::new(names::NAME, system.to_owned()), Label::from_static_parts(label, value)]
}

fn describe() {
    describe_gauge!(names::BREAKER_STATE, "The states of the circuit breaker");
    describe_histogram!(names::BREAKER_CALLS, "Total number of calls, by how they ended, and their duration");
    describe_gauge!(names::BREAKER_CALLS_MAX, "The longest call of the last two minutes, by how it ended");
    describe_counter!(names::BREAKER_NOT_PERMITTED, "Total number of not permitted calls");
    describe_gauge!(names::BREAKER_FAILURE_RATE, "The failure rate of the circuit breaker");
    describe_gauge!(names::BREAKER_SLOW_CALL_RATE, "The slow call rate of the circuit breaker");
    describe_gauge!(names::BREAKER_SLOW_CALLS, "The number of slow calls in the sliding window, by how they ended");
    describe_gauge!(names::BREAKER_BUFFERED_CALLS, "The number of calls in the sliding window, by how they ended");
    describe_counter!(names::RETRY_CALLS, "Total number of calls that may be repeated, by how they ended");
    describe_counter!(names::RETRY_BUDGET_SPENT, "Total number of repetitions not made: the retry budget was spent");
    describe_gauge!(names::BULKHEAD_AVAILABLE, "The number of available permissions");
    describe_gauge!(names::BULKHEAD_MAX_ALLOWED, "The maximum number of available permissions");
    describe_counter!(names::RATE_LIMIT_REFUSED, "Total number of calls that found the quota used up");
    describe_counter!(names::BULKHEAD_REFUSED, "Total number of calls that got no place in the bulkhead");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_longest_call_is_remembered_for_two_minutes() {
        let start = Instant::now();
        let mut peaks = Peaks { parts: [0; PEAK_PARTS], since: start };
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(peaks.with(7, at(0)), 7);
        assert_eq!(peaks.with(3, at(50)), 7);
        assert_eq!(peaks.with(0, at(119)), 7);
        assert_eq!(peaks.with(0, at(120)), 3);
        assert_eq!(peaks.with(0, at(161)), 0);
        assert_eq!(peaks.with(5, at(1_000_000)), 5, "a long silence is not walked through");
        assert_eq!(peaks.with(0, at(1_000_119)), 5);
        assert_eq!(peaks.with(0, at(1_000_120)), 0);
    }
}
