use super::task::{TaskId, TaskState};

/// A task ended: told to subscribers of the queue in the process whose worker saw it, at ERROR in the log if it is not
/// completed, and counted in `cofferdam_queue_tasks_total`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskEnded {
    /// Its number.
    pub id: TaskId,
    /// The system.
    pub system: String,
    /// The operation's id.
    pub operation: String,
    /// How it ended. An unconfirmed task may be told as completed or failed later, if its worker was thought lost and was
    /// not.
    pub state: TaskState,
    /// Why, if it is not completed.
    pub reason: Option<String>,
}
