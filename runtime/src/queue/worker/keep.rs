//! What a worker does beside its tasks: renew leases, find what lost workers left, remove what is old.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::{Reason, Shared};
use crate::queue::QueueError;
use crate::queue::connection::{Arg, Row};
use crate::queue::events::TaskEnded;
use crate::queue::job::millis;
use crate::queue::sql;
use crate::queue::task::{TaskId, TaskState};

/// How often old tasks are removed.
const CLEANING: Duration = Duration::from_secs(600);

/// Keeps the worker's leases, and the table in order, until it is dropped.
pub(super) async fn keep(shared: Arc<Shared>, cleaning: Vec<(TaskState, Duration)>) {
    let mut ticks = interval(shared.lease / 3);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut cleaned: Option<Instant> = None;
    loop {
        ticks.tick().await;
        tell(renew(&shared).await, "leases were not renewed");
        tell(find_lost(&shared).await, "tasks of lost workers were not looked for");
        if cleaned.is_none_or(|then| then.elapsed() >= CLEANING) {
            cleaned = Some(Instant::now());
            for (state, time) in &cleaning {
                tell(shared.queue.clean(*state, *time).await.map(|_| ()), "old tasks were not removed");
            }
        }
    }
}

fn tell(done: Result<(), QueueError>, what: &str) {
    if let Err(error) = done {
        tracing::warn!(%error, "{what}");
    }
}

/// Only tasks it knows that it has: one whose claim was answered into the void is left to its end.
async fn renew(shared: &Shared) -> Result<(), QueueError> {
    let held = shared.holds();
    if held.is_empty() {
        return Ok(());
    }
    let ids = serde_json::Value::from(held).to_string();
    let values = [Arg::Text(&shared.name), Arg::Text(&ids), Arg::Int(millis(shared.lease))];
    let mut connection = shared.queue.pool().acquire().await?;
    connection.connection().execute(sql::RENEW, &values).await?;
    Ok(())
}

async fn find_lost(shared: &Shared) -> Result<(), QueueError> {
    let mut held = shared.queue.pool().acquire().await?;
    let mut rows = held.connection().rows(sql::LOST_FOR_GOOD, &[]).await?;
    let most = [Arg::Int(i64::from(shared.most_losses))];
    rows.extend(held.connection().rows(sql::LOST, &most).await?);
    held.connection().execute(sql::CLOCK_SET_BACK, &[]).await?;
    drop(held);
    for row in &rows {
        let event = lost(row)?;
        match event.state {
            TaskState::Waiting => {
                let (system, operation) = (event.system.as_str(), event.operation.as_str());
                let task = event.id.0;
                tracing::warn!(external.system = system, external.operation = operation, task, "its worker was lost");
            }
            _ => shared.queue.ended(event),
        }
    }
    Ok(())
}

fn lost(row: &Row) -> Result<TaskEnded, QueueError> {
    let reason = Reason::new(row.text(4)?);
    Ok(TaskEnded {
        id: TaskId(row.int(0)?),
        system: row.text(1)?,
        operation: row.text(2)?,
        state: TaskState::read(&row.text(3)?)?,
        reason: Some(reason.text),
    })
}
