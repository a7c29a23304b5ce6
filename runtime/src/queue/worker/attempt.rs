//! One attempt of one task, from the claim to what is written down about it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::handler::caught;
use super::verdict::{Verdict, cut_off, verdict};
use super::{Claimed, Registered, Shared};
use crate::OperationKind;
use crate::queue::connection::Arg;
use crate::queue::end::{End, Reason};
use crate::queue::error::QueueError;
use crate::queue::events::TaskEnded;
use crate::queue::job::millis;
use crate::queue::sql;
use crate::queue::task::{TaskId, TaskState};

/// Waits between tries to write down how an attempt ended, while the database is away.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Makes the attempt and writes down how it ended. `stopped` turns true when the worker no longer waits for it.
pub(super) async fn make(
    shared: Arc<Shared>,
    job: Arc<Registered>,
    claimed: Claimed,
    mut stopped: watch::Receiver<bool>,
) {
    let (id, lease, kind) = (claimed.id, claimed.lease, claimed.kind);
    let mark = claimed.without_payload();
    let end = match begin(&shared, &claimed).await {
        Ok(true) => {
            tokio::select! {
                end = run(&job, claimed) => end,
                _ = stopped.wait_for(|stopped| *stopped) => cut_off(kind, "the worker stopped before it ended", false),
            }
        }
        // Somebody else's by now: nothing was sent, and nothing is to be said.
        Ok(false) => {
            shared.forget(id);
            return;
        }
        // Whether the mark stands is unknown, but surely nothing was sent.
        Err(error) => {
            let reason = Reason::new(format!("the sending could not begin: {error}"));
            End::Postponed { after: None, reason, may_have_arrived: false }
        }
    };
    let verdict = verdict(end, &mark, &job.policy, fastrand::f64());
    write_down(&shared, &job, (id, lease), &verdict, &mut stopped).await;
    shared.forget(id);
}

/// Marks that the sending begins, where it must not happen twice: from here on a lost worker leaves a task that nobody
/// sends again.
async fn begin(shared: &Shared, claimed: &Claimed) -> Result<bool, sqlx::Error> {
    if claimed.kind != OperationKind::Once {
        return Ok(true);
    }
    let mut held = shared.queue.pool().acquire().await?;
    let values = [Arg::Int(claimed.id), Arg::Int(claimed.lease), Arg::Int(millis(shared.lease))];
    Ok(held.connection().execute(sql::BEGIN_SENDING, &values).await? == 1)
}

async fn run(job: &Registered, claimed: Claimed) -> End {
    let kind = claimed.kind;
    match timeout(job.policy.longest_run(), caught(&job.handler, claimed)).await {
        Ok(Some(end)) => end,
        Ok(None) => cut_off(kind, "the handler panicked", true),
        Err(_) => cut_off(kind, "the handler took longer than its policy allows", true),
    }
}

/// Writes it down, however long the database is away, unless the worker stops: then the lease ends some day, and the task
/// is one of a lost worker.
async fn write_down(
    shared: &Shared,
    job: &Registered,
    of: (i64, i64),
    verdict: &Verdict,
    stopped: &mut watch::Receiver<bool>,
) {
    let (system, operation, task) = (job.meta.system, job.meta.id, of.0);
    let mut wait = FIRST_WAIT;
    loop {
        match record(shared, of, verdict).await {
            Ok(true) => return tell(shared, job, of.0, verdict),
            Ok(false) => {
                tracing::warn!(
                    external.system = system,
                    external.operation = operation,
                    task,
                    state = verdict.state.as_str(),
                    "the task was another's when its attempt ended"
                );
                return;
            }
            Err(error) => {
                tracing::warn!(
                    external.system = system, external.operation = operation, task, %error,
                    "how the task ended is not written down yet"
                );
            }
        }
        if *stopped.borrow() {
            tracing::error!(
                external.system = system,
                external.operation = operation,
                task,
                state = verdict.state.as_str(),
                "how the task ended was not written down"
            );
            return;
        }
        tokio::select! {
            () = sleep(wait) => {}
            // Once more, and then no more.
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Whether it could be written down: the task was still this lease's.
async fn record(shared: &Shared, (id, lease): (i64, i64), verdict: &Verdict) -> Result<bool, QueueError> {
    let reason = verdict.reason.as_ref();
    let result = verdict.finish.result.as_ref().map(ToString::to_string);
    let mut session = shared.queue.pool().begin_if(!verdict.finish.next.is_empty()).await?;
    let mut error = reason.map(|reason| reason.text.clone());
    // Those that follow come first: what is wrong with them is part of what is written down.
    for next in &verdict.finish.next {
        match next.enqueue(session.connection()).await {
            Ok(_) => {}
            Err(taken @ QueueError::KeyTaken(_)) => {
                tracing::error!(task = id, %taken, "a task that follows was not queued");
                error = Some(format!("a task that follows was not queued: {taken}"));
            }
            Err(other) => return Err(other),
        }
    }
    let values = [
        Arg::Int(id),
        Arg::Int(lease),
        Arg::Text(verdict.state.as_str()),
        Arg::Int(i64::from(verdict.counts)),
        Arg::Int(i64::from(verdict.may_have_arrived)),
        Arg::Int(millis(verdict.wait)),
        Arg::Int(i64::from(verdict.state.is_end())),
        Arg::MaybeText(error.as_deref()),
        Arg::MaybeInt(reason.and_then(|reason| reason.code).map(i64::from)),
        Arg::MaybeText(result.as_deref()),
    ];
    if session.connection().execute(sql::RECORD, &values).await? == 0 {
        // Dropped: what follows is not queued either. That it was written down before, by a commit whose answer was lost,
        // is as good.
        drop(session);
        let mut held = shared.queue.pool().acquire().await?;
        let stands = [Arg::Int(id), Arg::Int(lease), Arg::Text(verdict.state.as_str())];
        return Ok(!held.connection().rows(sql::STANDS, &stands).await?.is_empty());
    }
    session.commit().await?;
    Ok(true)
}

fn tell(shared: &Shared, job: &Registered, id: i64, verdict: &Verdict) {
    let (system, operation) = (job.meta.system, job.meta.id);
    let reason = verdict.reason.as_ref().map(|reason| reason.text.as_str());
    if verdict.state.is_end() {
        shared.queue.ended(TaskEnded {
            id: TaskId(id),
            system: system.to_owned(),
            operation: operation.to_owned(),
            state: verdict.state,
            reason: reason.map(str::to_owned),
        });
        return;
    }
    debug_assert_eq!(verdict.state, TaskState::Waiting);
    if verdict.counts {
        job.meters.retried();
    } else if reason.is_some() {
        job.meters.postponed();
    }
    if let Some(reason) = reason {
        let wait = verdict.wait.as_secs_f64();
        tracing::info!(external.system = system, external.operation = operation, task = id, reason, wait, "task waits");
    }
}
