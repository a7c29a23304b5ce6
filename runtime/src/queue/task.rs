use std::fmt;
use std::time::{Duration, SystemTime};

use super::connection::Row;
use super::error::QueueError;
use crate::OperationKind;

/// A task's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub i64);

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskState {
    /// It waits for its time.
    Waiting,
    /// A worker has it, and has not begun to send it.
    Claimed,
    /// A worker is sending it.
    Sending,
    /// Done.
    Completed,
    /// Given up: refused, or failed too often. It may be put back.
    Failed,
    /// A write without a key that may have arrived, or not: it is never sent again by itself. Somebody has to find out.
    Unconfirmed,
}

impl TaskState {
    /// Every state.
    pub const ALL: [Self; 6] =
        [Self::Waiting, Self::Claimed, Self::Sending, Self::Completed, Self::Failed, Self::Unconfirmed];

    /// The word in the table, in metrics and events.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Claimed => "claimed",
            Self::Sending => "sending",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Unconfirmed => "unconfirmed",
        }
    }

    /// Whether no worker will touch it again.
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Unconfirmed)
    }

    pub(super) fn read(word: &str) -> Result<Self, QueueError> {
        let known = Self::ALL.into_iter().find(|state| state.as_str() == word);
        known.ok_or_else(|| QueueError::Schema(format!("unknown state {word:?}")))
    }
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(super) const fn kind_word(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Read => "read",
        OperationKind::Keyed => "keyed",
        OperationKind::Once => "once",
    }
}

pub(super) fn read_kind(word: &str) -> Result<OperationKind, QueueError> {
    let kinds = [OperationKind::Read, OperationKind::Keyed, OperationKind::Once];
    let known = kinds.into_iter().find(|kind| kind_word(*kind) == word);
    known.ok_or_else(|| QueueError::Schema(format!("unknown kind {word:?}")))
}

/// A task as it stands in the table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// Its number.
    pub id: TaskId,
    /// The system.
    pub system: String,
    /// The operation's id.
    pub operation: String,
    /// Whether it may be repeated.
    pub kind: OperationKind,
    /// Where it stands.
    pub state: TaskState,
    /// The command, as JSON.
    pub payload: String,
    /// The version of the command's form.
    pub payload_version: i64,
    /// The key: what the system knows a repetition by, or, for a write without one and for a question, only what keeps it
    /// from being put into the queue twice.
    pub key: Option<String>,
    /// Attempts that failed.
    pub attempts: u32,
    /// Whether an attempt that failed may have arrived.
    pub may_have_arrived: bool,
    /// When it was put into the queue.
    pub created_at: SystemTime,
    /// When it is due, if it waits.
    pub next_attempt_at: SystemTime,
    /// When it ended.
    pub finished_at: Option<SystemTime>,
    /// Why the last attempt failed. Nothing of the system's words is in it.
    pub last_error: Option<String>,
    /// The error's stable number (`CallError::code`).
    pub error_code: Option<i64>,
    /// What its handler kept of the outcome, as JSON.
    pub result: Option<String>,
}

impl Task {
    pub(super) fn read(row: &Row) -> Result<Self, QueueError> {
        Ok(Self {
            id: TaskId(row.int(0)?),
            system: row.text(1)?,
            operation: row.text(2)?,
            kind: read_kind(&row.text(3)?)?,
            state: TaskState::read(&row.text(4)?)?,
            payload: row.text(5)?,
            payload_version: row.int(6)?,
            key: row.maybe_text(7)?,
            attempts: u32::try_from(row.int(8)?).unwrap_or(u32::MAX),
            may_have_arrived: row.int(9)? != 0,
            created_at: moment(row.int(10)?),
            next_attempt_at: moment(row.int(11)?),
            finished_at: row.maybe_int(12)?.map(moment),
            last_error: row.maybe_text(13)?,
            error_code: row.maybe_int(14)?,
            result: row.maybe_text(15)?,
        })
    }
}

/// A moment of the database; what no clock can show becomes the beginning of 1970.
fn moment(millis: i64) -> SystemTime {
    let since = Duration::from_millis(u64::try_from(millis).unwrap_or_default());
    SystemTime::UNIX_EPOCH.checked_add(since).unwrap_or(SystemTime::UNIX_EPOCH)
}
