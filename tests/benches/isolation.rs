//! One of five systems hangs under load: what the callers of the other four notice. Rounds without it and rounds in
//! which it hangs take turns in one run, and the figures are ratios of the two.
//!
//! `cargo bench -p cofferdam-tests --bench isolation [-- ROUNDS]`

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cofferdam_example_committed::integrations::f6::domain::ListProcurementsCommand;
use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Credentials, F6Mapping};
use cofferdam_runtime::Settings;
use cofferdam_tests::{Answer, Fault, MisbehavingServer, Script};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

/// The systems that answer.
const OTHERS: usize = 4;
/// A round's time.
const ROUND: Duration = Duration::from_secs(2);
/// Between two calls to a system.
const EVERY: Duration = Duration::from_millis(5);
const ROUNDS: usize = 10;

/// A system and its adapter.
struct System {
    server: MisbehavingServer,
    adapter: Arc<F6Adapter<F6Mapping>>,
}

impl System {
    fn start() -> Result<Self, Box<dyn Error>> {
        let server = MisbehavingServer::start()?;
        server.recorder().keep_latest(16);
        server.answers("*", Answer::json(&json!({ "items": [], "total": 0 })));
        // The presets of a system outside, as any team would begin with.
        let settings = Settings::parse(&format!("systems:\n  f6:\n    base-url: {}\n", server.url()), "bench.yaml")?;
        let adapter = F6Adapter::connect(&settings, F6Credentials::new().ticket_token("t"), F6Mapping)?;
        Ok(Self { server, adapter: Arc::new(adapter) })
    }

    /// A call at each tick for a round's time, whether or not earlier ones have ended. How long those took that ended
    /// well, and how many did not.
    async fn load(adapter: Arc<F6Adapter<F6Mapping>>) -> (Vec<Duration>, usize) {
        let (mut calls, mut ticks) = (JoinSet::new(), interval(EVERY));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let end = Instant::now() + ROUND;
        while Instant::now() < end {
            ticks.tick().await;
            let adapter = Arc::clone(&adapter);
            calls.spawn(async move {
                let start = Instant::now();
                let wanted = ListProcurementsCommand { store_id: "S-7".to_owned(), status: None, limit: None };
                adapter.list_procurements(wanted).await.is_ok().then(|| start.elapsed())
            });
        }
        // Those that hang still are dropped.
        let (mut took, mut failed) = (Vec::new(), 0);
        while let Some(ended) = calls.try_join_next() {
            match ended {
                Ok(Some(time)) => took.push(time),
                _ => failed += 1,
            }
        }
        (took, failed)
    }
}

/// How long calls to the others took, in one kind of round.
#[derive(Default)]
struct Taken(Vec<Duration>);

impl Taken {
    fn at(&mut self, part: f64) -> Duration {
        self.0.sort_unstable();
        let place = (self.0.len() as f64 * part) as usize;
        self.0.get(place.min(self.0.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

async fn round(others: &[System], beside: Option<&System>) -> (Taken, usize) {
    let mut loads = JoinSet::new();
    others.iter().for_each(|system| drop(loads.spawn(System::load(Arc::clone(&system.adapter)))));
    let hanging = beside.map(|system| tokio::spawn(System::load(Arc::clone(&system.adapter))));
    let (mut taken, mut failed) = (Taken::default(), 0);
    for (took, lost) in loads.join_all().await {
        taken.0.extend(took);
        failed += lost;
    }
    if let Some(hanging) = hanging {
        hanging.abort();
    }
    (taken, failed)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

async fn compare(rounds: usize) -> Result<(), Box<dyn Error>> {
    let others = (0..OTHERS).map(|_| System::start()).collect::<Result<Vec<_>, _>>()?;
    let hanging = System::start()?;
    hanging.server.script_everywhere(Script::always(Fault::Hang));
    round(&others, None).await;
    let (mut without, mut with, mut ratios) = (Taken::default(), Taken::default(), Vec::new());
    let mut failed = 0;
    for _ in 0..rounds {
        let (mut alone, lost) = round(&others, None).await;
        let (mut beside, lost_too) = round(&others, Some(&hanging)).await;
        failed += lost + lost_too;
        ratios.push(beside.at(0.99).as_secs_f64() / alone.at(0.99).as_secs_f64());
        without.0.append(&mut alone.0);
        with.0.append(&mut beside.0);
    }
    println!(
        "{rounds} rounds of each kind, {} calls to the others, {failed} of them failed",
        without.0.len() + with.0.len()
    );
    for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
        let (alone, beside) = (without.at(part), with.at(part));
        println!(
            "{name}: {alone:.0?} without it, {beside:.0?} beside it: {:.2}",
            beside.as_secs_f64() / alone.as_secs_f64()
        );
    }
    println!("p99, median of the ratios of neighbouring rounds: {:.2}", median(ratios));
    println!("calls that hang at once: at most {}", hanging.adapter.guard().places());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(ROUNDS);
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(compare(rounds))
}
