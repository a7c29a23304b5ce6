//! What the protection costs where calls really go out: the generated client alone, and the adapter around one like it,
//! against a server on this machine that answers at once. Rounds of both take turns in one run, each pair in the other
//! order than the pair before, and the figures are medians of the pairs' ratios.
//!
//! `cargo bench -p cofferdam-tests --bench throughput [-- PAIRS]`

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cofferdam_example_committed::integrations::f6::domain::ListProcurementsCommand;
use cofferdam_example_committed::integrations::f6::generated::F6Client;
use cofferdam_example_committed::integrations::f6::generated::operations::ListProcurementsRequest;
use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Credentials, F6Mapping};
use cofferdam_runtime::Settings;
use cofferdam_runtime::http::HttpClient;
use cofferdam_tests::{Answer, MisbehavingServer};
use serde_json::json;
use tokio::task::JoinSet;

/// Calls at once: fewer than the bulkhead has places, so that none of them waits.
const CALLERS: usize = 8;
/// Calls of one caller in a round.
const CALLS: usize = 250;
const PAIRS: usize = 60;

type Refusal = Box<dyn Error + Send + Sync>;

/// The two ways to make the same call.
#[derive(Clone)]
enum Way {
    Client(F6Client),
    Adapter(Arc<F6Adapter<F6Mapping>>),
}

impl Way {
    async fn call(&self) -> Result<usize, Refusal> {
        let store_id = "S-7".to_owned();
        match self {
            Self::Client(client) => {
                let request = ListProcurementsRequest { store_id, status: None, limit: None };
                Ok(client.list_procurements(&request).await?.items.len())
            }
            Self::Adapter(adapter) => {
                let wanted = ListProcurementsCommand { store_id, status: None, limit: None };
                Ok(adapter.list_procurements(wanted).await?.items.len())
            }
        }
    }
}

/// One round: calls a second, and how long each call took.
struct Round {
    throughput: f64,
    took: Vec<Duration>,
}

impl Round {
    async fn of(way: &Way) -> Result<Self, Refusal> {
        let (mut callers, start) = (JoinSet::new(), Instant::now());
        for _ in 0..CALLERS {
            let way = way.clone();
            callers.spawn(async move {
                let mut took = Vec::with_capacity(CALLS);
                for _ in 0..CALLS {
                    let began = Instant::now();
                    way.call().await?;
                    took.push(began.elapsed());
                }
                Ok::<_, Refusal>(took)
            });
        }
        let mut took = Vec::with_capacity(CALLERS * CALLS);
        while let Some(caller) = callers.join_next().await {
            took.extend(caller??);
        }
        let throughput = took.len() as f64 / start.elapsed().as_secs_f64();
        took.sort_unstable();
        Ok(Self { throughput, took })
    }

    fn at(&self, part: f64) -> f64 {
        let place = (self.took.len() as f64 * part) as usize;
        self.took.get(place).map_or(f64::NAN, Duration::as_secs_f64)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A figure of both ways, and the ratio of the adapter's to the client's.
fn line(name: &str, pairs: &[(Round, Round)], unit: &str, figure: impl Fn(&Round) -> f64) {
    let client = median(pairs.iter().map(|(client, _)| figure(client)).collect());
    let adapter = median(pairs.iter().map(|(_, adapter)| figure(adapter)).collect());
    let ratio = median(pairs.iter().map(|(client, adapter)| figure(adapter) / figure(client)).collect());
    println!("{name:<16}{client:>10.0}{unit:<4}{adapter:>10.0}{unit:<4}{ratio:>10.3}");
}

async fn compare(wanted: usize) -> Result<(), Refusal> {
    let server = MisbehavingServer::start()?;
    server.recorder().keep_latest(16);
    server.answers("*", Answer::json(&json!({ "items": [], "total": 0 })));
    // The presets of a system outside, as any team would begin with.
    let settings = Settings::parse(&format!("systems:\n  f6:\n    base-url: {}\n", server.url()), "bench.yaml")?;
    let credentials = || F6Credentials::new().ticket_token("t");
    let http = HttpClient::new(&settings.system(F6Adapter::<F6Mapping>::SYSTEM)?, credentials().into())?;
    let client = Way::Client(F6Client::new(http));
    let adapter = Way::Adapter(Arc::new(F6Adapter::connect(&settings, credentials(), F6Mapping)?));
    // Connections are made and code is warm before anything counts.
    for _ in 0..2 {
        Round::of(&client).await?;
        Round::of(&adapter).await?;
    }
    let mut pairs = Vec::with_capacity(wanted);
    for pair in 0..wanted {
        let (first, second) = if pair % 2 == 0 { (&client, &adapter) } else { (&adapter, &client) };
        let (first, second) = (Round::of(first).await?, Round::of(second).await?);
        pairs.push(if pair % 2 == 0 { (first, second) } else { (second, first) });
    }
    println!("{wanted} pairs of rounds of {} calls, {CALLERS} at once; medians\n", CALLERS * CALLS);
    println!("{:<16}{:>10}    {:>10}    {:>10}", "", "client", "adapter", "ratio");
    line("calls a second", &pairs, "", |round| round.throughput);
    line("p50", &pairs, " µs", |round| round.at(0.5) * 1e6);
    line("p99", &pairs, " µs", |round| round.at(0.99) * 1e6);
    Ok(())
}

fn main() -> Result<(), Refusal> {
    let pairs = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(PAIRS);
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(compare(pairs))
}
