use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::connection::{Arg, Connection};
use super::error::QueueError;
use super::policy::Policy;
use super::sql;
use super::task::{TaskId, kind_word};
use crate::{IdempotencyKey, Keyed, Once, Operation, OperationKind, OperationMeta, Read};

/// Turns a command of an earlier version into one of the present; the text says why it cannot.
type Upcast = dyn Fn(u32, Value) -> Result<Value, String> + Send + Sync;

/// One kind of task: an operation of a system, with the command that its adapter's method takes.
///
/// What stands in the table is the command, the domain's own type by serde, and not the request: the mapping is asked when
/// the task is sent, so that a task outlives a new edition of the system's document.
pub struct Job<Op, C> {
    version: u32,
    upcast: Option<Arc<Upcast>>,
    pub(super) policy: Policy,
    types: PhantomData<fn(C) -> Op>,
}

impl<Op, C> Clone for Job<Op, C> {
    fn clone(&self) -> Self {
        Self { version: self.version, upcast: self.upcast.clone(), policy: self.policy, types: PhantomData }
    }
}

impl<Op, C> Job<Op, C>
where
    Op: Operation,
    C: Serialize + DeserializeOwned + Send + 'static,
{
    /// Tasks of this operation, the first version of their command.
    pub fn new(_: Op) -> Self {
        Self { version: 1, upcast: None, policy: Policy::default(), types: PhantomData }
    }

    /// The command has had other forms before: this is version `version`, and `upcast` turns the JSON of an earlier one into
    /// it. Without it a task of an earlier version has failed when its turn comes, with these words; a task of a later
    /// version waits for a worker that knows it.
    #[must_use]
    pub fn version(
        self,
        version: u32,
        upcast: impl Fn(u32, Value) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Self {
        Self { version, upcast: Some(Arc::new(upcast)), ..self }
    }

    /// How it is repeated.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// A write with its key, which is the same on every attempt. A key belongs to one task: the same one again is found to be
    /// there already. With an empty key it is a write [without one](Self::once).
    ///
    /// Where the key stands in the command, it must be this one: the guard lets nothing else through.
    ///
    /// # Errors
    /// When the command has no JSON form.
    pub fn keyed(&self, command: &C, key: &IdempotencyKey) -> Result<NewTask, QueueError>
    where
        Op: Keyed,
    {
        match key.is_empty() {
            true => self.task(command, OperationKind::Once, None),
            false => self.task(command, OperationKind::Keyed, Some(key.as_str().to_owned())),
        }
    }

    /// A write without a key: sent at most once, whatever happens. What may have arrived and was not answered ends as
    /// [unconfirmed](super::TaskState::Unconfirmed).
    ///
    /// # Errors
    /// When the command has no JSON form.
    pub fn once(&self, command: &C) -> Result<NewTask, QueueError>
    where
        Op: Once,
    {
        self.task(command, OperationKind::Once, None)
    }

    /// A question that is asked until its answer is there.
    ///
    /// # Errors
    /// When the command has no JSON form.
    pub fn poll(&self, command: &C) -> Result<NewTask, QueueError>
    where
        Op: Read,
    {
        self.task(command, OperationKind::Read, None)
    }

    fn task(&self, command: &C, kind: OperationKind, key: Option<String>) -> Result<NewTask, QueueError> {
        let payload = serde_json::to_string(command).map_err(QueueError::Payload)?;
        let meta = Op::META;
        Ok(NewTask { meta, kind, payload, version: self.version, key, wait: Duration::ZERO })
    }

    pub(super) fn present_version(&self) -> u32 {
        self.version
    }

    /// The command of a task; the text says why it cannot be read.
    pub(super) fn read(&self, version: i64, payload: &str) -> Result<C, String> {
        let mut value: Value = serde_json::from_str(payload).map_err(|error| unreadable(&error))?;
        if version != i64::from(self.version) {
            let upcast = self.upcast.as_ref().ok_or_else(|| {
                format!("the command has version {version}, and nothing turns it into version {}", self.version)
            })?;
            let earlier = u32::try_from(version).map_err(|_| format!("the command has version {version}"))?;
            value = upcast(earlier, value)?;
        }
        serde_json::from_value(value).map_err(|error| unreadable(&error))
    }
}

/// Where it went wrong, and not what stands there: it may be secret.
fn unreadable(error: &serde_json::Error) -> String {
    format!("the command cannot be read: {:?} at line {} column {}", error.classify(), error.line(), error.column())
}

impl<Op: Operation, C> fmt::Debug for Job<Op, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("system", &Op::META.system)
            .field("operation", &Op::META.id)
            .field("version", &self.version)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// A task that is not in the queue yet.
#[derive(Clone)]
#[must_use = "it is in the queue when it was enqueued"]
pub struct NewTask {
    meta: &'static OperationMeta,
    kind: OperationKind,
    payload: String,
    version: u32,
    key: Option<String>,
    wait: Duration,
}

/// What became of putting a task into the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enqueued {
    /// Its number.
    pub id: TaskId,
    /// Whether it is new; if not, a task with this key and this command was there already, in whatever state.
    pub is_new: bool,
}

impl NewTask {
    /// Due after this time only.
    pub fn due_in(self, wait: Duration) -> Self {
        Self { wait, ..self }
    }

    /// A name within its operation, for what has no key: a second task of the same name is found to be there already. The
    /// system never sees it. A keyed task keeps its key as its name.
    pub fn named(self, name: impl Into<String>) -> Self {
        match self.kind {
            OperationKind::Keyed => self,
            OperationKind::Read | OperationKind::Once => Self { key: Some(name.into()), ..self },
        }
    }

    /// Puts it into the queue, over this connection: in the caller's own transaction (`&mut *transaction`) the task is there
    /// if and only if that is committed.
    ///
    /// # Errors
    /// When the database says no; when the key belongs to a task with another command. Where the database is PostgreSQL and
    /// says no, the transaction can only be rolled back.
    pub async fn enqueue(&self, connection: impl Into<Connection<'_>>) -> Result<Enqueued, QueueError> {
        let mut connection = connection.into();
        let key = self.key.as_deref();
        let values = [
            Arg::Text(self.meta.system),
            Arg::Text(self.meta.id),
            Arg::Text(kind_word(self.kind)),
            Arg::Text(&self.payload),
            Arg::Int(i64::from(self.version)),
            Arg::MaybeText(key),
            Arg::Int(millis(self.wait)),
        ];
        // A task that is removed right between the two statements leaves its key free: once more.
        for _ in 0..3 {
            if let Some(row) = connection.rows(sql::INSERT, &values).await?.first() {
                return Ok(Enqueued { id: TaskId(row.int(0)?), is_new: true });
            }
            let names = [Arg::Text(self.meta.system), Arg::Text(self.meta.id), Arg::MaybeText(key)];
            if let Some(row) = connection.rows(sql::WITH_KEY, &names).await?.first() {
                let id = TaskId(row.int(0)?);
                let is_same = row.int(2)? != i64::from(self.version) || same(&row.text(1)?, &self.payload);
                return if is_same { Ok(Enqueued { id, is_new: false }) } else { Err(QueueError::KeyTaken(id)) };
            }
        }
        Err(QueueError::Schema("the task was neither taken nor found".to_owned()))
    }
}

/// Whether two commands say the same; the order of members does not count.
fn same(left: &str, right: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    left == right || read(left).is_some_and(|left| read(right) == Some(left))
}

/// Whole milliseconds, for the database.
pub(super) fn millis(time: Duration) -> i64 {
    // A century is as good as for ever, and leaves room for additions.
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).min(3_155_760_000_000)
}

impl fmt::Debug for NewTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the command: it may hold what must not be logged.
        f.debug_struct("NewTask")
            .field("system", &self.meta.system)
            .field("operation", &self.meta.id)
            .field("kind", &self.kind)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// What follows from an outcome: written with the task's end, in one transaction.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Finish {
    pub(super) result: Option<Value>,
    pub(super) next: Vec<NewTask>,
}

impl Finish {
    /// Nothing more.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps this of the outcome with the task.
    pub fn keep(self, result: impl Into<Value>) -> Self {
        Self { result: Some(result.into()), ..self }
    }

    /// Puts a further task into the queue.
    pub fn then(mut self, task: NewTask) -> Self {
        self.next.push(task);
        self
    }
}

/// What a question was answered with.
#[derive(Debug, Clone)]
pub enum Polled {
    /// The answer is there.
    Done(Finish),
    /// Not yet: ask again after this time. It is no failure, and counts as none; the job's policy says when to give up.
    Again(Duration),
}
