//! Stands for the numbers of a system where the `metrics` feature is off: nothing is counted, nothing is paid for.

use super::classify::Ended;
use crate::Verdict;
use crate::breaker::{BreakerMetrics, StateChange};
use crate::moment::Moment;

pub(super) struct Meters;
pub(super) struct StateSeries;

#[allow(clippy::unused_self, reason = "the same methods as where the feature is on")]
impl Meters {
    pub(super) fn new(_: &str) -> Self {
        Self
    }
    pub(super) fn states(&self) -> StateSeries {
        StateSeries
    }
    pub(super) fn call(&self, _: Verdict, _: u64) {}
    pub(super) fn not_permitted(&self) {}
    pub(super) fn no_place(&self) {}
    pub(super) fn over_quota(&self) {}
    pub(super) fn repeatable_ended(&self, _: Ended) {}
    pub(super) fn budget_spent(&self) {}
    pub(super) fn is_due(&self, _: Moment) -> bool {
        false
    }
    pub(super) fn not_ours(&self) {}
    pub(super) fn refresh_longest(&self) {}
    pub(super) fn refresh(&self, _: &BreakerMetrics, _: usize, _: usize) {}
}

impl StateSeries {
    pub(super) fn changed(&self, _: &StateChange) {}
}
