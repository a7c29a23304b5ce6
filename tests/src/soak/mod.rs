//! Many calls to several systems under random faults, while callers go away, mappers panic, settings are reloaded and
//! deadlines differ. Afterwards: what must never have happened did not, and everything that was held is back.

mod caller;
mod chaos;
mod ledger;
mod memory;
mod settings;
mod system;
mod transitions;
mod trouble;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use self::caller::Caller;
use self::ledger::Ledger;
pub use self::memory::Memory;
use self::system::System;
use self::transitions::Transitions;

/// What is run.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Logical calls.
    pub calls: u64,
    /// Callers at once.
    pub callers: usize,
    /// Where the random numbers begin. What is drawn is the same each time; in which order things happen is not.
    pub seed: u64,
    /// Bytes that are allocated now, if somebody counts.
    pub allocated: Option<fn() -> usize>,
}

/// What was seen.
#[derive(Debug, Default)]
pub struct Report {
    /// Calls by how they ended.
    pub endings: BTreeMap<&'static str, u64>,
    /// Requests that arrived, by what the server did.
    pub faults: BTreeMap<&'static str, u64>,
    /// Changes of the breakers' states.
    pub transitions: BTreeMap<String, u64>,
    /// Settings that were taken, and those that were refused.
    pub reloads: (u64, u64),
    /// Writes without a key that arrived, and those with one.
    pub writes: (u64, u64),
    /// Memory over the time of the run.
    pub memory: Memory,
    /// How long it took.
    pub took: Duration,
    /// What must not have happened and did. Empty when all is well.
    pub violations: Vec<String>,
}

/// How long everything may take to be well again when the faults have ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs a plan. It uses the runtime it is called in, and the process's `tracing` subscriber, which must not be set.
///
/// # Errors
/// When no server, adapter or subscriber can be made.
pub async fn run(plan: Plan) -> Result<Report, Box<dyn std::error::Error>> {
    chaos::silence_own_panics();
    let transitions = Transitions::install()?;
    let (before, start) = (Handle::current().metrics().num_alive_tasks(), Instant::now());
    let ledger = Arc::new(Ledger::new(plan.calls));
    let systems: Vec<Arc<System>> =
        (0..4).map(|number| System::start(number, plan.seed, &ledger).map(Arc::new)).collect::<Result<_, _>>()?;
    let (next, mut callers) = (Arc::new(AtomicU64::new(0)), JoinSet::new());
    for number in 0..plan.callers {
        callers.spawn(Caller::new(number, plan, &systems, &next).run());
    }
    let mut report = Report::default();
    watch(&plan, &next, &systems, &mut report).await;
    for endings in callers.join_all().await {
        endings.into_iter().for_each(|(ending, count)| *report.endings.entry(ending).or_default() += count);
    }
    for system in &systems {
        system.calm();
        recover(system, &mut report).await;
        system.faults().into_iter().for_each(|(fault, count)| *report.faults.entry(fault).or_default() += count);
    }
    report.memory.sample(1.0, plan.allocated);
    report.transitions = transitions.counted();
    report.writes = ledger.writes();
    report.violations.extend(ledger.violations());
    drop(systems);
    all_tasks_end(before, &mut report).await;
    report.took = start.elapsed();
    Ok(report)
}

/// Reloads settings and looks at the memory until all calls have begun.
async fn watch(plan: &Plan, next: &AtomicU64, systems: &[Arc<System>], report: &mut Report) {
    let mut reloads = fastrand::Rng::with_seed(plan.seed ^ 0xaced);
    let mut sampled = 0;
    loop {
        let begun = next.load(Ordering::Relaxed).min(plan.calls);
        let twentieth = begun * 20 / plan.calls.max(1);
        if twentieth > sampled {
            sampled = twentieth;
            report.memory.sample(begun as f64 / plan.calls as f64, plan.allocated);
        }
        if begun == plan.calls {
            return;
        }
        for system in systems {
            match system.reload(&mut reloads) {
                Ok(true) => report.reloads.0 += 1,
                Ok(false) => report.reloads.1 += 1,
                Err(what) => report.violations.push(what),
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// All is well again: the breaker closes, and no place is held.
async fn recover(system: &System, report: &mut Report) {
    let closing = async {
        while !system.is_closed() {
            system.read().await;
            sleep(Duration::from_millis(5)).await;
        }
    };
    if timeout(PATIENCE, closing).await.is_err() {
        report.violations.push(format!("system {}: its breaker does not close: {}", system.number(), system.shown()));
    }
    if !system.is_free() {
        report.violations.push(format!("system {}: places are held: {}", system.number(), system.shown()));
    }
    if !system.read().await {
        report.violations.push(format!("system {}: a call fails though all is well", system.number()));
    }
}

/// Nothing goes on behind anybody's back.
async fn all_tasks_end(before: usize, report: &mut Report) {
    let alive = || Handle::current().metrics().num_alive_tasks();
    let ending = async {
        while alive() > before {
            sleep(Duration::from_millis(10)).await;
        }
    };
    if timeout(PATIENCE, ending).await.is_err() {
        report.violations.push(format!("{} tasks before, {} after", before, alive()));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |counts: &BTreeMap<&'static str, u64>| counts.values().sum::<u64>();
        writeln!(f, "{} calls in {:.0?}, {} requests arrived", sum(&self.endings), self.took, sum(&self.faults))?;
        writeln!(f, "  writes that arrived: {} without a key, {} with one", self.writes.0, self.writes.1)?;
        writeln!(f, "  settings: {} taken, {} refused", self.reloads.0, self.reloads.1)?;
        for (title, counts) in [("calls ended", &self.endings), ("the servers did", &self.faults)] {
            writeln!(f, "{title}:")?;
            counts.iter().try_for_each(|(what, count)| writeln!(f, "  {count:>9} {what}"))?;
        }
        writeln!(f, "breakers:")?;
        self.transitions.iter().try_for_each(|(what, count)| writeln!(f, "  {count:>9} {what}"))?;
        writeln!(f, "{}", self.memory)?;
        match self.violations.len() {
            0 => writeln!(f, "nothing happened that must not"),
            count => {
                writeln!(f, "{count} VIOLATIONS")?;
                self.violations.iter().take(20).try_for_each(|what| writeln!(f, "  {what}"))
            }
        }
    }
}
