//! The caller's time budget: what is left of it bounds every attempt and every wait (R-RES-TO-3).

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use crate::moment::Moment;

/// Kept back from the budget, so that the caller can still do something with the answer.
pub(crate) const MARGIN: Duration = crate::settings::DEADLINE_MARGIN;

/// Stands for "as long as you like" where a sum would not fit the clock.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

tokio::task_local! {
    static DEADLINE: Deadline;
}

/// The moment by which the caller wants an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// So much time from now.
    pub fn after(budget: Duration) -> Self {
        let now = Instant::now();
        Self(now.checked_add(budget).unwrap_or(now + FAR))
    }

    /// At this moment.
    pub fn at(moment: Instant) -> Self {
        Self(moment)
    }

    /// The one set around the running task by [`within`] or [`Deadline::scope`].
    #[inline]
    pub fn current() -> Option<Self> {
        DEADLINE.try_with(|deadline| *deadline).ok()
    }

    /// The moment itself.
    pub fn moment(self) -> Instant {
        self.0
    }

    /// What is left of it; zero once it has passed.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Up to here an attempt may take: [`MARGIN`] before the deadline itself.
    pub(crate) fn last_moment(self) -> Moment {
        // A clock so young that the margin does not fit has no time left either.
        self.0.checked_sub(MARGIN).map_or(Moment::FIRST, Moment::of)
    }

    /// Runs a future with this deadline around it. An earlier one that is already set stays.
    pub async fn scope<F: Future>(self, future: F) -> F::Output {
        let deadline = Self::current().map_or(self, |outer| outer.min(self));
        DEADLINE.scope(deadline, future).await
    }
}

/// Runs a future with a time budget around it: every protected call in it spends from that budget and none begins
/// an attempt or a wait that cannot finish within it.
pub async fn within<F: Future>(budget: Duration, future: F) -> F::Output {
    Deadline::after(budget).scope(future).await
}

/// When an attempt beginning now must have ended: after its own limit (in nanoseconds), or at the last moment the
/// deadline leaves it. `None` if there is no time left for one.
#[inline]
pub(crate) fn attempt_end(now: Moment, limit: u64, last: Moment) -> Option<Moment> {
    (last > now).then(|| now.plus(limit).min(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::nanos;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn r_res_to_3_the_attempt_ends_before_the_deadline() {
        let now = Instant::now();
        let ms = |ms| now + Duration::from_millis(ms);
        let end = |deadline: Option<u64>| {
            let last = deadline.map_or(Moment::LAST, |deadline| Deadline::at(ms(deadline)).last_moment());
            attempt_end(Moment::of(now), nanos(SECOND), last).map(Moment::instant)
        };
        assert_eq!(end(None), Some(ms(1000)));
        assert_eq!(end(Some(2000)), Some(ms(1000)));
        assert_eq!(end(Some(600)), Some(ms(500)));
        assert_eq!(end(Some(100)), None);
        assert_eq!(end(Some(0)), None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_inner_budget_cannot_extend_the_outer_one() {
        let left = within(SECOND, within(10 * SECOND, async { Deadline::current().unwrap().remaining() })).await;
        assert_eq!(left, SECOND);
        assert_eq!(Deadline::current(), None);
    }

    #[test]
    fn a_budget_beyond_the_clock_is_just_long() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            assert!(Deadline::after(Duration::MAX).remaining() > SECOND);
        });
    }
}
