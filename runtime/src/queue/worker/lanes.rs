//! Which tasks a worker takes, and how many: as many of a system as it may run at once, none while the system is kept away
//! from.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Claimed, Registered, Shared, System, attempt};
use crate::backoff::full_jitter;
use crate::breaker::BreakerState;
use crate::moment::Moment;
use crate::queue::QueueError;
use crate::queue::connection::{Arg, Row};
use crate::queue::job::millis;
use crate::queue::sql;
use crate::queue::task::read_kind;
use crate::{Guard, OperationKind};

/// How long single free places are kept together, so that not each is filled by a statement of its own.
const GATHER: Duration = Duration::from_millis(20);
/// The rest where the system has no place for a call: nothing tells when it has one again.
const CROWDED: Duration = Duration::from_millis(100);
/// The longest rest between two looks while a breaker is open: an operator may close it.
const LONGEST_REST: Duration = Duration::from_secs(5);

/// The systems a worker works for.
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    poll: Duration,
}

/// One system with its jobs.
struct Lane {
    guard: Guard,
    concurrency: usize,
    /// One permit for each task that may still begin; those under way hold theirs.
    places: Arc<Semaphore>,
    /// Nothing is taken before.
    rests_until: Instant,
    /// When tasks were last taken, if they were.
    taken: Option<Instant>,
    jobs: Vec<Queued>,
}

/// One job of a system.
struct Queued {
    job: Arc<Registered>,
    /// When to look for its tasks again.
    due: Instant,
}

/// What is shared by all looks.
pub(super) struct Look<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) stopped: &'a watch::Receiver<bool>,
    pub(super) running: &'a mut JoinSet<()>,
}

impl Lanes {
    pub(super) fn new(systems: Vec<System>, jobs: Vec<Registered>, poll: Duration) -> Self {
        let now = Instant::now();
        let lane = |System { guard, concurrency }| {
            let places = Arc::new(Semaphore::new(concurrency));
            Lane { guard, concurrency, places, rests_until: now, taken: None, jobs: Vec::new() }
        };
        let mut lanes: Vec<_> = systems.into_iter().map(lane).collect();
        for job in jobs {
            if let Some(lane) = lanes.iter_mut().find(|lane| lane.guard.system() == job.meta.system) {
                lane.jobs.push(Queued { job: Arc::new(job), due: now });
            }
        }
        Self { lanes, poll }
    }

    /// There may be tasks: all jobs are looked at.
    pub(super) fn wake(&mut self) {
        let now = Instant::now();
        self.lanes.iter_mut().flat_map(|lane| &mut lane.jobs).for_each(|queued| queued.due = now);
    }

    /// Takes what may begin, and begins it. How long to wait for the next look, if nothing else happens.
    pub(super) async fn claim(&mut self, mut look: Look<'_>) -> Duration {
        let mut wait = self.poll;
        for lane in &mut self.lanes {
            wait = wait.min(lane.claim(&mut look, self.poll).await);
        }
        wait.max(Duration::from_millis(1))
    }
}

impl Lane {
    async fn claim(&mut self, look: &mut Look<'_>, poll: Duration) -> Duration {
        let now = Instant::now();
        if let Some(rest) = self.rests(now) {
            return rest;
        }
        let mut wait = poll;
        // Each time another job is first, so that none keeps the others from their turn.
        let first = 1.min(self.jobs.len());
        self.jobs.rotate_left(first);
        for index in 0..self.jobs.len() {
            let Some(queued) = self.jobs.get_mut(index) else { break };
            if queued.due > now {
                wait = wait.min(queued.due - now);
                continue;
            }
            let room = self.places.available_permits().min(room(&self.guard));
            if room == 0 {
                // Its own tasks tell when they end; others' calls do not.
                return if self.places.available_permits() == 0 { wait } else { wait.min(CROWDED) };
            }
            match take(look.shared, &queued.job, room).await {
                Ok(claimed) => {
                    let all = claimed.len() < room;
                    queued.due = if all { now + poll + full_jitter(poll / 4, fastrand::f64()) } else { now };
                    if !all {
                        wait = wait.min(GATHER);
                    }
                    if !claimed.is_empty() {
                        self.taken = Some(now);
                    }
                    let job = Arc::clone(&queued.job);
                    self.begin(look, &job, claimed);
                }
                Err(error) => {
                    tracing::warn!(external.system = self.guard.system(), %error, "no tasks were taken");
                    self.rests_until = now + poll;
                    return poll;
                }
            }
        }
        wait
    }

    /// How much longer nothing is taken.
    fn rests(&mut self, now: Instant) -> Option<Duration> {
        if self.rests_until > now {
            return Some(self.rests_until - now);
        }
        if let Some(rest) = kept_away(&self.guard) {
            self.rests_until = now + rest;
            return Some(rest);
        }
        let since = self.taken.map_or(GATHER, |taken| now - taken);
        let few = self.places.available_permits() * 4 < self.concurrency;
        (few && since < GATHER).then(|| GATHER - since)
    }

    fn begin(&self, look: &mut Look<'_>, job: &Arc<Registered>, claimed: Vec<Claimed>) {
        for claimed in claimed {
            look.shared.hold(claimed.id);
            // There are as many as were taken: only this worker takes permits, here.
            let place = Arc::clone(&self.places).try_acquire_owned();
            let (shared, job, stopped) = (Arc::clone(look.shared), Arc::clone(job), look.stopped.clone());
            look.running.spawn(async move {
                let _place = place;
                attempt::make(shared, job, claimed, stopped).await;
            });
        }
    }
}

/// How long to keep away from a system whose breaker is open.
fn kept_away(guard: &Guard) -> Option<Duration> {
    if !matches!(guard.breaker().state(), BreakerState::Open | BreakerState::ForcedOpen) {
        return None;
    }
    // Open, and the wait is over: the next call is the probe.
    let refused = guard.breaker().refuses_at(Moment::now())?;
    let rest = refused.retry_after().unwrap_or(LONGEST_REST);
    Some(rest.clamp(CROWDED, LONGEST_REST))
}

/// How many calls the system has room for.
fn room(guard: &Guard) -> usize {
    let places = if guard.has_bulkhead() { guard.available_places() } else { usize::MAX };
    match guard.breaker().state() {
        // Probes are few, and those too many would only be put back.
        BreakerState::Open | BreakerState::HalfOpen => places.min(1),
        _ => places,
    }
}

/// Takes tasks of a job that are due.
async fn take(shared: &Shared, job: &Registered, most: usize) -> Result<Vec<Claimed>, QueueError> {
    let values = [
        Arg::Text(job.meta.system),
        Arg::Text(job.meta.id),
        Arg::Int(i64::from(job.version)),
        Arg::Int(i64::try_from(most).unwrap_or(i64::MAX)),
        Arg::Text(&shared.name),
        Arg::Int(millis(shared.lease)),
        Arg::Int(i64::from(job.kind == OperationKind::Once)),
    ];
    let mut held = shared.queue.pool().acquire().await?;
    let rows = held.connection().rows(sql::CLAIM, &values).await?;
    let mut claimed = Vec::with_capacity(rows.len());
    for row in &rows {
        match read(row) {
            Ok(task) => claimed.push(task),
            // The others are taken all the same; this one is left to the end of its lease.
            Err(error) => tracing::error!(external.system = job.meta.system, %error, "a task cannot be read"),
        }
    }
    Ok(claimed)
}

fn read(row: &Row) -> Result<Claimed, QueueError> {
    Ok(Claimed {
        id: row.int(0)?,
        lease: row.int(1)?,
        kind: read_kind(&row.text(2)?)?,
        payload: row.text(3)?,
        version: row.int(4)?,
        key: row.maybe_text(5)?,
        attempts: u32::try_from(row.int(6)?).unwrap_or(u32::MAX),
        age: Duration::from_millis(u64::try_from(row.int(7)?).unwrap_or_default()),
    })
}
