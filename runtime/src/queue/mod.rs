//! A durable queue of calls (R-RES-RE-5): a table in the service's own database, and workers that make the calls.
//!
//! For what must happen although a system is away, and though the process ends: writes that are to be repeated for longer
//! than a call lasts, and questions that are asked until their answer is there (R-RES-ASYNC-1).
//!
//! - A [`Job`] is an operation with the command of its adapter's method. It makes tasks, which are put into the queue in the
//!   caller's own transaction ([`NewTask::enqueue`]).
//! - A [`Worker`] calls the adapter's methods. It keeps away from a system whose breaker is open.
//! - How often a write is sent is decided by its kind, as everywhere. A keyed write is repeated with its key. A write without
//!   one is **sent at most once**: what surely never left us is tried again, and what may have arrived ends as
//!   [unconfirmed](TaskState::Unconfirmed), whatever happens to the worker, the database or the clock.
//!
//! Features `queue-sqlite` and `queue-postgres`; any number of workers on any number of machines share a queue in
//! PostgreSQL.
//!
//! ```no_run
//! # #[cfg(feature = "queue-sqlite")]
//! # mod example {
//! use cofferdam_runtime::queue::{Finish, Job, Queue, QueueError, Worker};
//! use cofferdam_runtime::{CallError, Guard, IdempotencyKey, Keyed, Once};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(Serialize, Deserialize)] pub struct NewOrder { number: String }
//! # #[derive(Serialize, Deserialize)] pub struct Refunded { order: String, amount: i64 }
//! # #[derive(Clone)] pub struct Sber { guard: Guard }
//! # impl Sber {
//! #     pub fn guard(&self) -> &Guard { &self.guard }
//! #     pub async fn register_order(&self, _: NewOrder) -> Result<String, CallError<()>> { Ok(String::new()) }
//! #     pub async fn refund(&self, _: Refunded) -> Result<(), CallError<()>> { Ok(()) }
//! # }
//!
//! async fn serve<RegisterOrder: Keyed, Refund: Once>(
//!     sber: Sber, // a generated adapter
//!     register_order: RegisterOrder,
//!     refund: Refund,
//!     stop: impl Future<Output = ()>,
//! ) -> Result<(), QueueError> {
//!     let queue = Queue::sqlite_file("tasks.db").await?;
//!     let orders = Job::<_, NewOrder>::new(register_order);
//!     let refunds = Job::<_, Refunded>::new(refund);
//!
//!     let order = NewOrder { number: "A-7".to_owned() };
//!     queue.enqueue(&orders.keyed(&order, &IdempotencyKey::from("A-7"))?).await?;
//!
//!     let (to_register, to_refund) = (sber.clone(), sber.clone());
//!     Worker::new(&queue)
//!         .system(sber.guard(), 8)
//!         .keyed(&orders, move |order, _| register(to_register.clone(), order), |id| Finish::new().keep(id))
//!         .once(&refunds, move |refunded| pay_back(to_refund.clone(), refunded), |()| Finish::new())
//!         .run(stop)
//!         .await
//! }
//! # async fn register(sber: Sber, order: NewOrder) -> Result<String, CallError<()>> { sber.register_order(order).await }
//! # async fn pay_back(sber: Sber, refunded: Refunded) -> Result<(), CallError<()>> { sber.refund(refunded).await }
//! # }
//! ```

#[cfg(all(doctest, feature = "queue-sqlite"))]
#[doc = include_str!("../../../docs/queue.md")]
struct Documentation;

mod connection;
mod end;
mod error;
mod events;
mod fallback;
mod job;
mod policy;
mod pool;
mod schema;
pub(crate) mod scope;
mod sql;
mod task;
mod worker;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, broadcast};

use self::connection::Arg;
pub use self::connection::Connection;
pub use self::end::TaskError;
pub use self::error::QueueError;
pub use self::events::TaskEnded;
use self::job::millis;
pub use self::job::{Enqueued, Finish, Job, NewTask, Polled};
pub use self::policy::Policy;
use self::pool::Pool;
pub use self::task::{Task, TaskId, TaskState};
pub use self::worker::Worker;
use crate::observability::QueueEnds;

/// Ends of tasks that are kept for a subscriber who is behind.
const EVENTS: usize = 1024;
/// Rows that are removed in one statement, so that none holds the table for long.
const BATCH: i64 = 1000;

/// A queue: a table of tasks in a database. Clones are the same queue.
#[derive(Clone)]
pub struct Queue {
    shared: Arc<Shared>,
}

struct Shared {
    pool: Pool,
    woken: Notify,
    events: broadcast::Sender<TaskEnded>,
}

/// How many tasks of a system are in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// The system.
    pub system: String,
    /// The state.
    pub state: TaskState,
    /// How many.
    pub tasks: u64,
}

impl Queue {
    /// A queue in PostgreSQL, its tables made or brought up to date. What the tables are named begins with `cofferdam_`.
    ///
    /// # Errors
    /// When the database says no, or a later version of this crate made the tables.
    #[cfg(feature = "queue-postgres")]
    pub async fn postgres(pool: sqlx::PgPool) -> Result<Self, QueueError> {
        Self::open(Pool::Postgres(pool)).await
    }

    /// A queue in SQLite, its tables made or brought up to date. The pool must be one whose connections have
    /// `synchronous` FULL, which is SQLite's own default; see [`Queue::sqlite_file`].
    ///
    /// # Errors
    /// When the database says no, or a later version of this crate made the tables.
    #[cfg(feature = "queue-sqlite")]
    pub async fn sqlite(pool: sqlx::SqlitePool) -> Result<Self, QueueError> {
        Self::open(Pool::Sqlite(pool)).await
    }

    /// A queue in a file of SQLite, made where there is none: with a write-ahead log, each commit on the disk before it
    /// counts, and 10 s of patience with other writers.
    ///
    /// # Errors
    /// When the database says no, or a later version of this crate made the tables.
    #[cfg(feature = "queue-sqlite")]
    pub async fn sqlite_file(path: impl AsRef<std::path::Path>) -> Result<Self, QueueError> {
        use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10));
        Self::sqlite(SqlitePoolOptions::new().max_connections(4).connect_with(options).await?).await
    }

    async fn open(pool: Pool) -> Result<Self, QueueError> {
        schema::migrate(&pool).await?;
        let (events, _) = broadcast::channel(EVENTS);
        Ok(Self { shared: Arc::new(Shared { pool, woken: Notify::new(), events }) })
    }

    /// Puts a task into the queue, in a transaction of its own, and wakes this process's workers.
    ///
    /// # Errors
    /// As [`NewTask::enqueue`].
    pub async fn enqueue(&self, task: &NewTask) -> Result<Enqueued, QueueError> {
        let mut held = self.shared.pool.acquire().await?;
        let enqueued = task.enqueue(held.connection()).await?;
        self.wake();
        Ok(enqueued)
    }

    /// Has this process's workers look for tasks at once: for after the commit of a transaction that put some there. Others
    /// look once a second.
    pub fn wake(&self) {
        self.shared.woken.notify_waiters();
    }

    /// Tasks that end from now on, as workers of this process see it. A receiver that lags behind by more than 1024 is told
    /// so and goes on with the latest.
    pub fn subscribe(&self) -> broadcast::Receiver<TaskEnded> {
        self.shared.events.subscribe()
    }

    /// A task, if it is there.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn task(&self, id: TaskId) -> Result<Option<Task>, QueueError> {
        let mut held = self.shared.pool.acquire().await?;
        let rows = held.connection().rows(sql::TASK, &[Arg::Int(id.0)]).await?;
        rows.first().map(Task::read).transpose()
    }

    /// Tasks in a state, the oldest first.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn tasks(&self, state: TaskState, most: u32) -> Result<Vec<Task>, QueueError> {
        let mut held = self.shared.pool.acquire().await?;
        let values = [Arg::Text(state.as_str()), Arg::Int(i64::from(most))];
        held.connection().rows(sql::TASKS, &values).await?.iter().map(Task::read).collect()
    }

    /// How many tasks there are, by system and state. It reads the whole table.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn counts(&self) -> Result<Vec<Count>, QueueError> {
        let mut held = self.shared.pool.acquire().await?;
        let rows = held.connection().rows(sql::COUNTS, &[]).await?;
        let count = |row: &connection::Row| {
            let (system, state) = (row.text(0)?, TaskState::read(&row.text(1)?)?);
            Ok(Count { system, state, tasks: u64::try_from(row.int(2)?).unwrap_or_default() })
        };
        rows.iter().map(count).collect()
    }

    /// Puts a failed task back, with all its attempts before it. Whether there was such a task.
    ///
    /// A write without a key that failed was refused by the system, or never left us, so it may be sent again if a person
    /// says so. An unconfirmed one is not put back by this.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn requeue(&self, id: TaskId) -> Result<bool, QueueError> {
        self.change(sql::REQUEUE, &[Arg::Int(id.0), Arg::Text(TaskState::Failed.as_str())]).await
    }

    /// Somebody has found out that an unconfirmed write did arrive: it is completed. Whether there was such a task.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn confirm_arrived(&self, id: TaskId) -> Result<bool, QueueError> {
        self.change(sql::CONFIRM, &[Arg::Int(id.0)]).await
    }

    /// Somebody has found out that an unconfirmed write never arrived and never will: it is sent again. Whoever says so
    /// vouches for it; what the system still has in some buffer of its own would be done twice. Whether there was such a
    /// task.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn confirm_never_arrived(&self, id: TaskId) -> Result<bool, QueueError> {
        self.change(sql::REQUEUE, &[Arg::Int(id.0), Arg::Text(TaskState::Unconfirmed.as_str())]).await
    }

    /// Removes tasks that ended longer ago than this; how many. Their keys are forgotten with them: one that comes again
    /// is a new task.
    ///
    /// # Errors
    /// When the database says no, or the state is none in which a task ends.
    pub async fn clean(&self, state: TaskState, older_than: Duration) -> Result<u64, QueueError> {
        if !state.is_end() {
            return Err(QueueError::Settings(format!("tasks that are {state} are not removed")));
        }
        let values = [Arg::Text(state.as_str()), Arg::Int(millis(older_than)), Arg::Int(BATCH)];
        let mut removed = 0;
        loop {
            let mut held = self.shared.pool.acquire().await?;
            let batch = held.connection().execute(sql::CLEAN, &values).await?;
            removed += batch;
            if batch < BATCH.unsigned_abs() {
                return Ok(removed);
            }
        }
    }

    async fn change(&self, statement: sql::Sql, values: &[Arg<'_>]) -> Result<bool, QueueError> {
        let mut held = self.shared.pool.acquire().await?;
        let changed = held.connection().execute(statement, values).await? > 0;
        self.wake();
        Ok(changed)
    }

    fn pool(&self) -> &Pool {
        &self.shared.pool
    }

    /// A task ended: it is told, counted and passed on.
    fn ended(&self, event: TaskEnded) {
        let (system, operation) = (event.system.as_str(), event.operation.as_str());
        let (task, state) = (event.id.0, event.state.as_str());
        match event.state {
            TaskState::Completed => QueueEnds::new(system).completed(),
            TaskState::Unconfirmed => QueueEnds::new(system).unconfirmed(),
            _ => QueueEnds::new(system).failed(),
        }
        if event.state != TaskState::Completed {
            let reason = event.reason.as_deref();
            tracing::error!(
                external.system = system,
                external.operation = operation,
                task,
                state,
                reason,
                "task ended"
            );
        }
        // Nobody has to listen.
        let _ = self.shared.events.send(event);
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("pool", &self.shared.pool).finish_non_exhaustive()
    }
}
