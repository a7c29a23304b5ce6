//! Workers as processes of their own, killed in a loop while they work; and what must be true when the dust has settled.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::OperationKind;
use cofferdam_runtime::queue::{Queue, Task, TaskState};
use tokio::time::sleep;

use crate::books::{Gateway, REFUND, REGISTER};
use crate::database::Database;
use crate::shop::{Order, Question, Return, orders, questions, returns};

/// How long everything may take to end after the last kill.
const SETTLED: Duration = Duration::from_secs(180);

/// What is to be done to whom.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The worker's program.
    pub worker: PathBuf,
    /// Worker processes at once.
    pub workers: usize,
    /// Tasks of each kind.
    pub tasks: u32,
    /// Workers that are killed, one after another.
    pub kills: u32,
    /// The longest time between two kills.
    pub between: Duration,
    /// Whether the gateway fails meanwhile.
    pub rough: bool,
}

/// What became of it.
#[derive(Debug)]
pub struct Report {
    /// Tasks by kind and state.
    pub ends: BTreeMap<(&'static str, &'static str), u64>,
    /// Registrations that arrived, and how many numbers they have.
    pub registrations: (u64, u64),
    /// From the first worker's start to the last task's end.
    pub took: Duration,
    /// Tasks claimed more than once.
    pub claimed_again: u64,
    /// What must not have happened.
    pub violations: Vec<String>,
}

/// A worker process. Dropping it kills it.
#[derive(Debug)]
pub struct Process(Child);

impl Process {
    /// Starts one.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &PathBuf, database: &str, gateway: &str) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(program);
        command.args([database, gateway]).stdin(Stdio::piped());
        Ok(Self(command.spawn()?))
    }

    /// SIGKILL.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn kill(&mut self) -> Result<(), Box<dyn Error>> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }

    /// The end of its input is its order to stop.
    ///
    /// # Errors
    /// When it did not stop well.
    pub fn stop(mut self) -> Result<(), Box<dyn Error>> {
        drop(self.0.stdin.take());
        let status = self.0.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the worker ended with {status}").into()) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the plan on a database.
///
/// # Errors
/// When something stands in its way that is not to be proved.
pub async fn run(plan: &Plan, database: &Database) -> Result<Report, Box<dyn Error>> {
    let gateway = Gateway::start()?;
    if plan.rough {
        gateway.is_rough();
    }
    let queue = database.queue().await?;
    audit(database).await?;
    put(&queue, 0..plan.tasks / 2).await?;
    let began = Instant::now();
    let url = gateway.server().url();
    let start = || Process::start(&plan.worker, &database.url, &url);
    let mut workers = (0..plan.workers).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
    let mut next = plan.tasks / 2;
    for killed in 0..plan.kills {
        let share = next + (plan.tasks - plan.tasks / 2) / plan.kills.max(1);
        let until = if killed + 1 == plan.kills { plan.tasks } else { share.min(plan.tasks) };
        put(&queue, next..until).await?;
        next = until;
        sleep(plan.between.mul_f64(fastrand::f64())).await;
        let victim = fastrand::usize(..workers.len());
        if let Some(worker) = workers.get_mut(victim) {
            worker.kill()?;
            *worker = start()?;
        }
    }
    put(&queue, next..plan.tasks).await?;
    settle(&queue).await?;
    let took = began.elapsed();
    for worker in workers {
        worker.stop()?;
    }
    report(plan, database, &queue, &gateway, took).await
}

/// Tasks of each kind with these numbers.
///
/// # Errors
/// When the queue does not take them.
pub async fn put(queue: &Queue, numbers: std::ops::Range<u32>) -> Result<(), Box<dyn Error>> {
    for number in numbers {
        let order = Order { number: format!("A-{number}"), amount: 100 };
        queue.enqueue(&orders().keyed(&order, &IdempotencyKey::new(order.number.clone()))?).await?;
        let command = Return { order: format!("r-{number}"), amount: 100 };
        queue.enqueue(&returns().once(&command)?.named(command.order.clone())).await?;
        queue.enqueue(&questions().poll(&Question { order: format!("q-{number}") })?).await?;
    }
    Ok(())
}

/// Waits until every task has ended.
///
/// # Errors
/// When that takes too long.
pub async fn settle(queue: &Queue) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    loop {
        let counts = queue.counts().await;
        if counts.as_ref().is_ok_and(|counts| counts.iter().all(|count| count.state.is_end())) {
            return Ok(());
        }
        if began.elapsed() > SETTLED {
            return Err(format!("not all tasks have ended: {counts:?}").into());
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Has the database itself write down each time a task ends.
async fn audit(database: &Database) -> Result<(), sqlx::Error> {
    database.execute("CREATE TABLE ends (id BIGINT NOT NULL)").await?;
    if database.is_postgres() {
        database
            .execute(
                "CREATE FUNCTION write_end() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN INSERT INTO ends VALUES (NEW.id); RETURN NEW; END $$",
            )
            .await?;
        database
            .execute(
                "CREATE TRIGGER ended AFTER UPDATE ON cofferdam_tasks FOR EACH ROW \
                 WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL) EXECUTE FUNCTION write_end()",
            )
            .await
    } else {
        database
            .execute(
                "CREATE TRIGGER ended AFTER UPDATE ON cofferdam_tasks \
                 WHEN OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL \
                 BEGIN INSERT INTO ends VALUES (NEW.id); END",
            )
            .await
    }
}

async fn report(
    plan: &Plan,
    database: &Database,
    queue: &Queue,
    gateway: &Gateway,
    took: Duration,
) -> Result<Report, Box<dyn Error>> {
    let mut violations = Vec::new();
    let mut ends = BTreeMap::new();
    let mut tasks = Vec::new();
    for state in TaskState::ALL {
        tasks.extend(queue.tasks(state, u32::MAX).await?);
    }
    if tasks.len() != plan.tasks as usize * 3 {
        violations.push(format!("{} tasks of {}", tasks.len(), plan.tasks * 3));
    }
    for task in &tasks {
        let kind = match task.kind {
            OperationKind::Read => "read",
            OperationKind::Keyed => "keyed",
            OperationKind::Once => "once",
        };
        *ends.entry((kind, task.state.as_str())).or_default() += 1;
        violations.extend(judge(task, gateway));
    }
    let twice =
        database.number("SELECT COUNT(*) FROM (SELECT id FROM ends GROUP BY id HAVING COUNT(*) > 1) AS t").await?;
    let ended = database.number("SELECT COUNT(*) FROM ends").await?;
    if twice != 0 || ended != tasks.len() as i64 {
        violations.push(format!("{ended} ends of {} tasks, {twice} ended twice", tasks.len()));
    }
    let claimed_again = database.number("SELECT COUNT(*) FROM cofferdam_tasks WHERE lease > 1").await?;
    let registrations = gateway.arrivals(REGISTER);
    Ok(Report {
        ends,
        registrations: (registrations.values().map(|count| u64::from(*count)).sum(), registrations.len() as u64),
        took,
        claimed_again: claimed_again.unsigned_abs(),
        violations,
    })
}

/// What is wrong with the end of a task.
fn judge(task: &Task, gateway: &Gateway) -> Option<String> {
    let name = task.key.clone().unwrap_or_default();
    let (arrived, fine) = match task.kind {
        OperationKind::Once => {
            let arrived = gateway.count(REFUND, &name);
            let fine = match task.state {
                TaskState::Completed => arrived == 1,
                TaskState::Unconfirmed => arrived <= 1,
                // Nothing here says no, and nothing is given up.
                _ => false,
            };
            (arrived, fine)
        }
        OperationKind::Keyed => {
            let arrived = gateway.count(REGISTER, &name);
            (arrived, task.state == TaskState::Completed && arrived >= 1)
        }
        OperationKind::Read => (0, task.state == TaskState::Completed),
    };
    (!fine).then(|| {
        format!("{} {name} is {} and arrived {arrived} times: {:?}", task.operation, task.state, task.last_error)
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((kind, state), tasks) in &self.ends {
            writeln!(f, "{kind:6} {state:12} {tasks}")?;
        }
        let (arrivals, numbers) = self.registrations;
        writeln!(f, "{arrivals} registrations arrived, of {numbers} numbers; claimed again: {}", self.claimed_again)?;
        let tasks: u64 = self.ends.values().sum();
        let rate = tasks as f64 / self.took.as_secs_f64().max(0.001);
        writeln!(f, "{tasks} tasks in {:.1} s: {rate:.0} a second", self.took.as_secs_f64())?;
        for violation in &self.violations {
            writeln!(f, "VIOLATION {violation}")?;
        }
        Ok(())
    }
}
