//! The two orders of retry and breaker, for calls that may be repeated.

use std::future::Future;
use std::time::Duration;

use tokio::time::sleep;

use super::attempt::{Judged, Refused};
use super::call::Call;
use super::judge::Judge;
use super::shared::Shared;
use super::telemetry;
use crate::retry::Waits;
use crate::settings::LayerOrder;

impl Shared {
    /// A call that is sent at most once: its attempt is consumed by its only use.
    #[inline]
    pub(crate) async fn once<J, F, Fut>(&self, call: &mut Call<'_>, judge: &J, begin: F) -> Judged<J::Reply, J::Error>
    where
        J: Judge,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        let Some(span) = call.next_span() else { return Judged::not_begun(Refused::OutOfTime) };
        let mut vote = None;
        let judged = self.attempt(call, span, &mut vote, judge, begin).await;
        self.record(vote, judged.verdict);
        judged
    }

    /// A call that may be repeated, in either order:
    ///
    /// - Retry(Breaker(attempt)): each attempt asks the breaker and is recorded by it;
    /// - Breaker(Retry(attempt)): the breaker is asked once, and hears how the last attempt ended.
    #[inline]
    pub(crate) async fn repeated<J, F, Fut>(
        &self,
        call: &mut Call<'_>,
        judge: &J,
        attempt: F,
    ) -> Judged<J::Reply, J::Error>
    where
        J: Judge,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        let Some(mut span) = call.next_span() else { return Judged::not_begun(Refused::OutOfTime) };
        let mut waits = Waits::new(&call.retry);
        let mut vote = None;
        loop {
            let judged = self.attempt(call, span, &mut vote, judge, &attempt).await;
            if call.order == LayerOrder::RetryOutside {
                self.record(vote.take(), judged.verdict);
            }
            if let Some(wait) = self.next_wait(call, judge, &judged, &mut waits) {
                sleep(wait).await;
                if let Some(next) = call.next_span() {
                    span = next;
                    continue;
                }
            }
            self.record(vote, judged.verdict);
            return judged;
        }
    }

    /// The wait before another attempt, if there is to be one: the operation's kind allows it (or this is not
    /// called), the outcome does, attempts, time and budget are left.
    #[inline]
    fn next_wait<J: Judge>(
        &self,
        call: &Call<'_>,
        judge: &J,
        judged: &Judged<J::Reply, J::Error>,
        waits: &mut Waits,
    ) -> Option<Duration> {
        let asked = call.may_repeat(judge, judged)?;
        let wait = waits.next(&call.retry, asked.0)?;
        if !call.has_time_after(wait) {
            return None;
        }
        if !self.budget.withdraw(&call.retry.budget) {
            telemetry::budget_spent(call.meta);
            return None;
        }
        telemetry::repeating(call.meta, call.attempts() + 1, wait);
        Some(wait)
    }
}
