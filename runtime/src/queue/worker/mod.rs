//! Workers: they take tasks that are due, make the calls and write down how they ended.

mod attempt;
mod handler;
mod keep;
mod lanes;
mod verdict;

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{sleep, timeout};

use self::handler::Handler;
use self::lanes::{Lanes, Look};
use super::end::{Reason, TaskError};
use super::job::{Finish, Job, Polled};
use super::policy::Policy;
use super::task::TaskState;
use super::{Queue, QueueError};
use crate::observability::QueueEnds;
use crate::{Guard, IdempotencyKey, Keyed, Once, Operation, OperationKind, OperationMeta, Read};

/// How long a stopping worker takes to write down how its last attempts ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Makes the calls of a queue's tasks. Any number of workers, in any number of processes, may share a queue.
///
/// Built with the adapters' methods, then [run](Worker::run).
#[must_use = "it works when it is run"]
pub struct Worker {
    queue: Queue,
    systems: Vec<System>,
    jobs: Vec<Registered>,
    lease: Duration,
    poll: Duration,
    grace: Duration,
    most_losses: u32,
    cleaning: Vec<(TaskState, Duration)>,
}

/// A system whose calls it makes.
struct System {
    guard: Guard,
    concurrency: usize,
}

/// One kind of task it works on.
struct Registered {
    meta: &'static OperationMeta,
    kind: OperationKind,
    version: u32,
    policy: Policy,
    handler: Handler,
    meters: QueueEnds,
}

/// A task that is this worker's for the time of its lease.
#[derive(Debug, Clone)]
struct Claimed {
    id: i64,
    /// Which claim of the task this is: only its last holder may say how it ended.
    lease: i64,
    kind: OperationKind,
    payload: String,
    version: i64,
    key: Option<String>,
    attempts: u32,
    age: Duration,
}

impl Claimed {
    /// The same without what only the handler needs.
    fn without_payload(&self) -> Self {
        Self { payload: String::new(), key: None, ..*self }
    }
}

/// What the tasks of a running worker share.
struct Shared {
    queue: Queue,
    /// The worker's name in the table: nobody else's, not even that of the same process run again.
    name: String,
    lease: Duration,
    most_losses: u32,
    /// Tasks whose lease is renewed.
    held: Mutex<HashSet<i64>>,
}

impl Shared {
    fn hold(&self, id: i64) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
    }

    fn forget(&self, id: i64) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    fn holds(&self) -> Vec<i64> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

impl Worker {
    /// A worker of this queue: leases of 30 s, a look for tasks once a second, 25 s to end when it stops; completed tasks
    /// are removed after 7 days, failed ones after 90, unconfirmed ones never.
    pub fn new(queue: &Queue) -> Self {
        let day = Duration::from_secs(24 * 3600);
        Self {
            queue: queue.clone(),
            systems: Vec::new(),
            jobs: Vec::new(),
            lease: Duration::from_secs(30),
            poll: Duration::from_secs(1),
            grace: Duration::from_secs(25),
            most_losses: 10,
            cleaning: vec![(TaskState::Completed, day * 7), (TaskState::Failed, day * 90)],
        }
    }

    /// A system whose tasks it works on, at most so many at once. It takes none while the breaker of this guard is open, and
    /// no more than its bulkhead has places for. The guard is the adapter's own.
    pub fn system(mut self, guard: &Guard, concurrency: usize) -> Self {
        self.systems.push(System { guard: guard.clone(), concurrency });
        self
    }

    /// Works on keyed writes of a job: `call` is the adapter's method, and `done` what follows from its outcome. The key
    /// goes with the call; it is empty for a task that was put into the queue without one.
    pub fn keyed<Op, C, F, Fut, T, E>(
        self,
        job: &Job<Op, C>,
        call: F,
        done: impl Fn(T) -> Finish + Send + Sync + 'static,
    ) -> Self
    where
        Op: Keyed,
        C: Serialize + DeserializeOwned + Send + 'static,
        F: Fn(C, IdempotencyKey) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Into<TaskError> + Send + 'static,
    {
        let handler = handler::keyed(job.clone(), call, done);
        self.register(job, OperationKind::Keyed, handler)
    }

    /// Works on writes without a key: `call` is the adapter's method, and `done` what follows from its outcome. Tasks of the
    /// operation that were put into the queue with a key, when it still had one, are sent at most once too.
    pub fn once<Op, C, F, Fut, T, E>(
        self,
        job: &Job<Op, C>,
        call: F,
        done: impl Fn(T) -> Finish + Send + Sync + 'static,
    ) -> Self
    where
        Op: Once,
        C: Serialize + DeserializeOwned + Send + 'static,
        F: Fn(C) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: Into<TaskError> + Send + 'static,
    {
        let handler = handler::once(job.clone(), call, done);
        self.register(job, OperationKind::Once, handler)
    }

    /// Works on questions (R-RES-ASYNC-1): `ask` calls the adapter's method and says whether the answer is there.
    pub fn poll<Op, C, F, Fut, E>(self, job: &Job<Op, C>, ask: F) -> Self
    where
        Op: Read,
        C: Serialize + DeserializeOwned + Send + 'static,
        F: Fn(C) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Polled, E>> + Send + 'static,
        E: Into<TaskError> + Send + 'static,
    {
        let handler = handler::poll(job.clone(), ask);
        self.register(job, OperationKind::Read, handler)
    }

    fn register<Op, C>(mut self, job: &Job<Op, C>, kind: OperationKind, handler: Handler) -> Self
    where
        Op: Operation,
        C: Serialize + DeserializeOwned + Send + 'static,
    {
        let (meta, version, policy) = (Op::META, job.present_version(), job.policy);
        self.jobs.push(Registered { meta, kind, version, policy, handler, meters: QueueEnds::new(meta.system) });
        self
    }

    /// How long a task stays this worker's without a word from it. It renews its leases three times in this time.
    pub fn lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }

    /// How often it looks for tasks where nothing wakes it.
    pub fn poll_every(self, poll: Duration) -> Self {
        Self { poll, ..self }
    }

    /// How long it waits for attempts under way when it is to stop.
    pub fn grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// So many workers lost in a row over one task, and the task has failed: it may be what ends them.
    pub fn most_losses(self, losses: u32) -> Self {
        Self { most_losses: losses, ..self }
    }

    /// Removes tasks in this state when they ended so long ago; `None` keeps them for ever. Unconfirmed tasks are only
    /// removed if this says so.
    pub fn keep(mut self, state: TaskState, time: Option<Duration>) -> Self {
        self.cleaning.retain(|(other, _)| *other != state);
        self.cleaning.extend(time.map(|time| (state, time)));
        self
    }

    /// Works until `stop` is ready; then takes no more tasks, and ends those under way. What has not ended within the grace
    /// time is cut off: a write without a key becomes unconfirmed, everything else is taken by the next worker.
    ///
    /// While the database is away it tries again. Dropping the future is as if the process had ended.
    ///
    /// # Errors
    /// Before it begins: for settings that cannot work, and a database that is away or not durable.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), QueueError> {
        self.check()?;
        self.queue.pool().check_durable().await?;
        let Self { queue, systems, jobs, lease, poll, grace, most_losses, cleaning } = self;
        let name = uuid::Uuid::now_v7().to_string();
        let shared = Arc::new(Shared { queue, name, lease, most_losses, held: Mutex::default() });
        let (stopping, stopped) = watch::channel(false);
        let mut keeping = JoinSet::new();
        keeping.spawn(keep::keep(Arc::clone(&shared), cleaning));
        let mut running = JoinSet::new();
        let mut lanes = Lanes::new(systems, jobs, poll);
        let mut stop = pin!(stop);
        loop {
            // Asked for before the look, so that what is put there during it wakes us.
            let mut woken = pin!(shared.queue.shared.woken.notified());
            woken.as_mut().enable();
            let look = Look { shared: &shared, stopped: &stopped, running: &mut running };
            let wait = lanes.claim(look).await;
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(ended) = running.join_next() => tell(ended),
                () = &mut woken => lanes.wake(),
                () = sleep(wait) => {}
            }
            while let Some(ended) = running.try_join_next() {
                tell(ended);
            }
        }
        let in_time = timeout(grace, async { while running.join_next().await.is_some() {} }).await;
        if in_time.is_err() {
            stopping.send_replace(true);
            let _ = timeout(LAST_WORDS, async { while running.join_next().await.is_some() {} }).await;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), QueueError> {
        let fault = |text: String| Err(QueueError::Settings(text));
        if self.lease < Duration::from_millis(100) || self.poll.is_zero() || self.most_losses == 0 {
            return fault(
                "a lease lasts at least 100 ms, looks are apart, and a task outlives a lost worker".to_owned(),
            );
        }
        if let Some((state, _)) = self.cleaning.iter().find(|(state, _)| !state.is_end()) {
            return fault(format!("tasks that are {state} are not removed"));
        }
        for (index, job) in self.jobs.iter().enumerate() {
            let (system, operation) = (job.meta.system, job.meta.id);
            job.policy.check()?;
            if !self.systems.iter().any(|known| known.guard.system() == system) {
                return fault(format!("{system} {operation}: the worker was not given the guard of {system}"));
            }
            if self.jobs.iter().take(index).any(|other| (other.meta.system, other.meta.id) == (system, operation)) {
                return fault(format!("{system} {operation}: two handlers"));
            }
        }
        for (index, system) in self.systems.iter().enumerate() {
            let name = system.guard.system();
            if system.concurrency == 0 || self.systems.iter().take(index).any(|other| other.guard.system() == name) {
                return fault(format!("{name}: given twice, or with no task at once"));
            }
        }
        Ok(())
    }
}

/// Handlers' panics are caught in them; one of ours leaves the task to the end of its lease.
fn tell(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "an attempt ended without a word");
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let jobs: Vec<_> = self.jobs.iter().map(|job| (job.meta.system, job.meta.id)).collect();
        f.debug_struct("Worker").field("jobs", &jobs).field("lease", &self.lease).finish_non_exhaustive()
    }
}
