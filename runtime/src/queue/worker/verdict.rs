//! What is written down about a task when an attempt has ended.

use std::time::Duration;

use super::Claimed;
use crate::OperationKind;
use crate::queue::end::{End, Reason};
use crate::queue::job::Finish;
use crate::queue::policy::Policy;
use crate::queue::task::TaskState;

/// The shortest wait: no task is asked for all the time.
const SHORTEST: Duration = Duration::from_millis(100);
/// The wait where nothing says how long to keep away.
const USUAL: Duration = Duration::from_secs(1);

/// What is written down.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) state: TaskState,
    /// Whether it counts as a failed attempt.
    pub(super) counts: bool,
    pub(super) may_have_arrived: bool,
    pub(super) wait: Duration,
    pub(super) reason: Option<Reason>,
    pub(super) finish: Finish,
}

impl Verdict {
    fn ended(state: TaskState, reason: Option<Reason>) -> Self {
        let counts = reason.is_some();
        let may_have_arrived = state == TaskState::Unconfirmed;
        Self { state, counts, may_have_arrived, wait: Duration::ZERO, reason, finish: Finish::new() }
    }

    fn later(wait: Duration, reason: Option<Reason>) -> Self {
        Self { wait: wait.max(SHORTEST), ..Self::ended(TaskState::Waiting, reason) }
    }
}

/// Decides (R-RES-RE-5). `random` is drawn, 0 to 1.
pub(super) fn verdict(end: End, claimed: &Claimed, policy: &Policy, random: f64) -> Verdict {
    let is_question = claimed.kind == OperationKind::Read;
    match end {
        End::Done(finish) => Verdict { finish, ..Verdict::ended(TaskState::Completed, None) },
        End::Again(_) | End::Postponed { .. } if is_question && policy.is_expired(claimed.age) => {
            let reason = Reason::new("there was no answer within the time that the policy gives");
            Verdict::ended(TaskState::Failed, Some(reason))
        }
        End::Again(after) => Verdict::later(after, None),
        End::Postponed { after, reason, may_have_arrived } => {
            let wait = after.unwrap_or(USUAL);
            // Those that were refused together do not come back in the same moment.
            let wait = wait + crate::backoff::fraction(wait.min(USUAL), random);
            Verdict { counts: false, may_have_arrived, ..Verdict::later(wait, Some(reason)) }
        }
        // No handler says so; should one, the write is not sent again.
        End::Failed { reason, may_have_arrived: true, .. } if claimed.kind == OperationKind::Once => {
            Verdict::ended(TaskState::Unconfirmed, Some(reason))
        }
        End::Failed { after, reason, may_have_arrived } => {
            let failures = claimed.attempts.saturating_add(1);
            match policy.is_spent(failures) {
                true => Verdict { may_have_arrived, ..Verdict::ended(TaskState::Failed, Some(reason)) },
                false => {
                    let wait = policy.wait(failures, after, random);
                    Verdict { may_have_arrived, ..Verdict::later(wait, Some(reason)) }
                }
            }
        }
        End::Refused(reason) => Verdict::ended(TaskState::Failed, Some(reason)),
        End::Unconfirmed(reason) => Verdict::ended(TaskState::Unconfirmed, Some(reason)),
    }
}

/// The end of an attempt that was cut off from outside: by a panic, its time limit, the stop of the worker.
pub(super) fn cut_off(kind: OperationKind, text: &str, counts: bool) -> End {
    let reason = Reason::new(text);
    match (kind, counts) {
        (OperationKind::Once, _) => End::Unconfirmed(reason),
        (_, true) => End::Failed { after: None, reason, may_have_arrived: true },
        (_, false) => End::Postponed { after: Some(Duration::ZERO), reason, may_have_arrived: true },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(kind: OperationKind, attempts: u32) -> Claimed {
        let (payload, key) = ("{}".to_owned(), None);
        Claimed { id: 1, lease: 1, kind, payload, version: 1, key, attempts, age: Duration::from_secs(60) }
    }

    fn reason() -> Reason {
        Reason::new("no")
    }

    #[test]
    fn r_res_re_5_the_attempt_after_which_it_has_failed_is_the_one_the_policy_names() {
        let policy = Policy::default().attempts(3);
        let fail = |attempts| {
            let end = End::Failed { after: None, reason: reason(), may_have_arrived: false };
            verdict(end, &claimed(OperationKind::Keyed, attempts), &policy, 0.5).state
        };
        assert_eq!([fail(0), fail(1), fail(2)], [TaskState::Waiting, TaskState::Waiting, TaskState::Failed]);
    }

    #[test]
    fn what_was_postponed_counts_as_no_attempt_however_often() {
        let policy = Policy::default().attempts(1);
        let after = Some(Duration::from_secs(30));
        let end = End::Postponed { after, reason: reason(), may_have_arrived: false };
        let verdict = verdict(end, &claimed(OperationKind::Once, 0), &policy, 0.0);
        assert_eq!((verdict.state, verdict.counts), (TaskState::Waiting, false));
        assert_eq!(verdict.wait, Duration::from_secs(30));
    }

    #[test]
    fn r_res_re_x1_a_write_without_a_key_that_was_cut_off_is_never_sent_again() {
        let policy = Policy::default();
        for counts in [true, false] {
            let once =
                verdict(cut_off(OperationKind::Once, "cut", counts), &claimed(OperationKind::Once, 0), &policy, 0.0);
            assert_eq!((once.state, once.may_have_arrived), (TaskState::Unconfirmed, true));
            let keyed =
                verdict(cut_off(OperationKind::Keyed, "cut", counts), &claimed(OperationKind::Keyed, 0), &policy, 0.0);
            assert_eq!((keyed.state, keyed.may_have_arrived, keyed.counts), (TaskState::Waiting, true, counts));
        }
        let end = End::Failed { after: None, reason: reason(), may_have_arrived: true };
        assert_eq!(verdict(end, &claimed(OperationKind::Once, 0), &policy, 0.0).state, TaskState::Unconfirmed);
    }

    #[test]
    fn r_res_async_1_a_question_is_asked_again_until_it_expires() {
        let ask = |policy: Policy| {
            verdict(End::Again(Duration::from_secs(5)), &claimed(OperationKind::Read, 0), &policy, 0.5)
        };
        let again = ask(Policy::default().expires(Duration::from_secs(61)));
        assert_eq!((again.state, again.counts, again.wait), (TaskState::Waiting, false, Duration::from_secs(5)));
        assert_eq!(ask(Policy::default().expires(Duration::from_secs(60))).state, TaskState::Failed);
    }
}
