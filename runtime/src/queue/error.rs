use std::fmt;

use super::TaskId;

/// Why the queue could not do what it was told.
#[derive(Debug)]
#[non_exhaustive]
pub enum QueueError {
    /// The database said no, or is away.
    Database(sqlx::Error),
    /// The command has no JSON form.
    Payload(serde_json::Error),
    /// The idempotency key belongs to a task with another command. One key is one thing to do.
    KeyTaken(TaskId),
    /// The table is not there, or another version of this crate made it. The text says which.
    Schema(String),
    /// The database may forget what it has confirmed when the power fails. The text says which setting does it.
    NotDurable(String),
    /// A worker or a policy that cannot work; the text says why.
    Settings(String),
}

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(error) => write!(f, "the queue's database: {error}"),
            Self::Payload(error) => write!(f, "the command has no JSON form: {error}"),
            Self::KeyTaken(task) => write!(f, "the idempotency key belongs to task {task}, which has another command"),
            Self::Schema(what) => write!(f, "the queue's tables: {what}"),
            Self::NotDurable(what) => write!(f, "the queue's database is not durable: {what}"),
            Self::Settings(what) => write!(f, "the queue's settings: {what}"),
        }
    }
}

impl std::error::Error for QueueError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Database(error) => Some(error),
            Self::Payload(error) => Some(error),
            _ => None,
        }
    }
}

impl From<sqlx::Error> for QueueError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}
