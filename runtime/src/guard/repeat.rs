//! The two orders of retry and breaker, for calls that may be repeated.

use std::future::Future;
use std::time::Duration;

use tokio::time::sleep;

use super::attempt::{Answered, Judged};
use super::call::Call;
use super::classify::Ended;
use super::judge::Judge;
use super::shared::Shared;
use super::telemetry;
use super::terms::Flag;
use super::vote::Vote;
use crate::Verdict;
use crate::moment::Moment;
use crate::retry::Waits;
use crate::settings::RetrySettings;

impl Shared {
    /// A call that is sent at most once: its attempt is consumed by its only use.
    #[inline]
    pub(crate) async fn once<J, F, Fut>(&self, call: &mut Call<'_>, judge: &J, begin: F, answer: &mut Answered<J>)
    where
        J: Judge,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        let mut vote = Vote::new(&self.breaker, &self.meters);
        let judged = self.attempt(call, &mut vote, judge, begin, answer).await;
        self.record(&mut vote, judged.counted);
    }

    /// A call that may be repeated, in either order:
    ///
    /// - Retry(Breaker(attempt)): each attempt asks the breaker and is recorded by it;
    /// - Breaker(Retry(attempt)): the breaker is asked once, and hears how the last attempt ended.
    #[inline]
    pub(crate) async fn repeated<J, F, Fut>(&self, call: &mut Call<'_>, judge: &J, attempt: F, answer: &mut Answered<J>)
    where
        J: Judge,
        F: Fn() -> Fut,
        Fut: Future<Output = Result<J::Reply, J::Error>>,
    {
        let mut vote = Vote::new(&self.breaker, &self.meters);
        let mut repeats = None;
        loop {
            let Judged { verdict, counted } = self.attempt(call, &mut vote, judge, &attempt, answer).await;
            if !call.terms.has(Flag::BreakerOutside) {
                self.record(&mut vote, counted);
            }
            if call.may_have_to_be_repeated(answer.as_ref(), verdict)
                && let Some(wait) = self.next_wait(call, judge, answer, verdict, &mut repeats, None)
            {
                sleep(wait).await;
                if call.begins_attempt(Moment::now()).is_ok() {
                    continue;
                }
            }
            self.record(&mut vote, counted);
            if call.repeats {
                let ended = match answer {
                    Some(Ok(_)) if verdict != Verdict::Failure => Ended::Well(call.attempts()),
                    _ => self.ended_badly(call, judge, answer, verdict),
                };
                self.meters.repeatable_ended(ended);
            }
            return;
        }
    }

    #[cold]
    fn ended_badly<J: Judge>(&self, call: &Call<'_>, judge: &J, answer: &Answered<J>, verdict: Verdict) -> Ended {
        let retry = self.with_settings(|settings| settings.policy(call.meta.id).retry);
        let again = call.may_have_to_be_repeated(answer.as_ref(), verdict)
            && call.asks_for_another(judge, answer, verdict, &retry).is_some();
        if again { Ended::Spent } else { Ended::Unretried }
    }

    /// The wait before another attempt, if the outcome of the last one allows it, and attempts, time and budget are
    /// left. `asked` is a wait that the server asked for before.
    #[cold]
    pub(super) fn next_wait<J: Judge>(
        &self,
        call: &Call<'_>,
        judge: &J,
        answer: &Answered<J>,
        verdict: Verdict,
        repeats: &mut Option<(RetrySettings, Waits)>,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        let (retry, waits) = repeats.get_or_insert_with(|| {
            let retry = self.with_settings(|settings| settings.policy(call.meta.id).retry);
            (retry, Waits::new(&retry))
        });
        let now_asked = call.may_repeat(judge, answer, verdict, retry)?;
        if let Some(engine) = &self.engine {
            let wait = engine.repeat(call.as_attempt(call.attempts()), verdict)?.max(asked.unwrap_or_default());
            return call.has_time_after(wait).then_some(wait);
        }
        let wait = waits.next(retry, now_asked.0.max(asked))?;
        if !call.has_time_after(wait) {
            return None;
        }
        if !self.budget.withdraw(&retry.budget) {
            self.meters.budget_spent();
            telemetry::budget_spent(call.meta);
            return None;
        }
        telemetry::repeating(call.meta, call.attempts() + 1, wait);
        Some(wait)
    }
}
