//! What the whole protection costs a call, as a ratio to a bare tokio semaphore's acquire and release in the same run,
//! and beside the same layers out of tower-resilience.
//!
//! `cargo bench -p cofferdam-runtime --bench guard`

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use cofferdam_runtime::settings::{RateLimitSettings, SystemHandle, SystemSettings};
use cofferdam_runtime::{ClientError, Guard, IdempotencyKey, NoRejection, within};
use metrics_exporter_prometheus::PrometheusBuilder;
use tower::{Service, ServiceBuilder};
use tower_resilience::bulkhead::BulkheadLayer;
use tower_resilience::circuitbreaker::CircuitBreakerLayer;
use tower_resilience::retry::RetryLayer;

use self::ping::{Ping, Plain};

#[path = "../tests/ping/mod.rs"]
mod ping;

/// Many short rounds, the best of which counts: on a busy machine a long one is always disturbed.
const ROUNDS: usize = 400;
const CALLS: u32 = 5_000;

/// Names of cases, or parts of them, may be given: only these run then.
fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let table = Table { wanted: &wanted, measure: semaphore().await };
        one_thread(&table).await;
    });
    if wanted.is_empty() {
        two_threads(&guard());
    }
}

/// Prints a line a case: its cost, and how many times the measure that is.
struct Table<'w> {
    wanted: &'w [String],
    measure: f64,
}

impl Table<'_> {
    async fn line(&self, name: &str, call: impl AsyncFn()) {
        if self.wanted.is_empty() || self.wanted.iter().any(|word| name.contains(word.as_str())) {
            let cost = fastest(call).await;
            println!("{name:<58}{cost:>8.1} ns{:>7.2}", cost / self.measure);
        }
    }
}

/// Acquiring and releasing a bare semaphore: what everything else is compared with.
async fn semaphore() -> f64 {
    let semaphore = tokio::sync::Semaphore::new(10);
    fastest(async || drop(black_box(black_box(&semaphore).acquire().await))).await
}

async fn one_thread(table: &Table<'_>) {
    let key = IdempotencyKey::new("K-1");
    let (guard, limited, open) = (guard(), limited(), open());
    let seven = async || Ok::<u64, ClientError<NoRejection>>(7);
    println!("{:<58}{:>8.1} ns", "tokio semaphore, acquire and release (the measure)", table.measure);
    table
        .line("reading the clock once", async || {
            black_box(Instant::now());
        })
        .await;
    let prometheus = PrometheusBuilder::new().build_recorder();
    let counted = metrics::with_local_recorder(&prometheus, self::guard);
    let peer = RefCell::new(peer());
    table.line("read", async || good(guard.read(Ping, &Plain, seven).await)).await;
    table.line("keyed", async || good(guard.keyed(Ping, &key, &Plain, seven).await)).await;
    table.line("once", async || good(guard.once(Ping, &Plain, seven).await)).await;
    let budgeted = table.line("read within a deadline", async || good(guard.read(Ping, &Plain, seven).await));
    within(Duration::from_secs(3600), budgeted).await;
    table.line("read with the rate limiter", async || good(limited.read(Ping, &Plain, seven).await)).await;
    table.line("read, numbers for Prometheus", async || good(counted.read(Ping, &Plain, seven).await)).await;
    prometheus.handle().run_upkeep();
    let others = async || {
        let call = {
            let mut service = peer.borrow_mut();
            assert!(service.poll_ready(&mut Context::from_waker(Waker::noop())).is_ready());
            service.call(())
        };
        good(call.await);
    };
    table.line("tower-resilience: retry(breaker(bulkhead(call)))", others).await;
    table.line("refused by the open breaker", async || bad(open.read(Ping, &Plain, seven).await)).await;
}

/// The layers of tower-resilience that are most like ours: it has no deadline, no budget by default, no time limit here.
fn peer() -> impl Service<(), Response = u64, Error: fmt::Debug, Future: Future> {
    let bulkhead = BulkheadLayer::builder().max_concurrent_calls(16).build().expect("sound");
    let breaker = CircuitBreakerLayer::builder().sliding_window_size(50).minimum_number_of_calls(10);
    let retry = RetryLayer::<(), u64, _>::builder().max_attempts(3).exponential_backoff(Duration::from_millis(500));
    let call = tower::service_fn(async |()| Ok::<u64, Infallible>(7));
    ServiceBuilder::new().layer(retry.build()).layer(breaker.build().expect("sound")).layer(bulkhead).service(call)
}

fn good<R>(answer: Result<u64, R>) {
    assert!(matches!(answer, Ok(7)));
}

fn bad<R>(answer: Result<u64, R>) {
    assert!(answer.is_err());
}

fn settings() -> SystemSettings {
    SystemSettings::external("http://127.0.0.1:9/".parse().expect("a URL"))
}

fn guard() -> Guard {
    Guard::new(&SystemHandle::new("acme", settings())).expect("checked settings")
}

fn limited() -> Guard {
    let mut settings = settings();
    let (period, max_wait) = (Duration::from_secs(1), Duration::ZERO);
    settings.rate_limit = Some(RateLimitSettings { limit: u32::MAX, period, max_wait });
    Guard::new(&SystemHandle::new("acme", settings)).expect("checked settings")
}

fn open() -> Guard {
    let guard = guard();
    guard.breaker().transition_to_open_for(Duration::from_secs(3600)).expect("closed can be opened");
    guard
}

/// How much more two threads get done than one, beside what an atomic counter that both add to allows.
fn two_threads(guard: &Guard) {
    let counter = AtomicU64::new(0);
    println!("\ntwo threads, calls a second as a multiple of one thread's");
    let count = async || {
        black_box(counter.fetch_add(1, Ordering::Relaxed));
    };
    println!("{:<58}{:>8.2}", "an atomic counter both add to", speed_up(count));
    let semaphore = tokio::sync::Semaphore::new(10);
    println!("{:<58}{:>8.2}", "a tokio semaphore", speed_up(async || drop(semaphore.acquire().await)));
    let seven = async || Ok::<u64, ClientError<NoRejection>>(7);
    println!("{:<58}{:>8.2}", "read", speed_up(async || good(guard.read(Ping, &Plain, seven).await)));
}

fn speed_up(call: impl AsyncFn() + Sync) -> f64 {
    let alone = together(1, &call);
    let both = together(2, &call);
    2.0 * alone / both
}

/// Nanoseconds from when the first of so many threads began until the last had made its calls, in the fastest round.
fn together(threads: usize, call: &(impl AsyncFn() + Sync)) -> f64 {
    let round = || {
        let start = std::sync::Barrier::new(threads);
        let spans: Vec<(Instant, Instant)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| one_of_several(&start, call))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let began = spans.iter().map(|span| span.0).min().expect("a thread");
        let ended = spans.iter().map(|span| span.1).max().expect("a thread");
        (ended - began).as_secs_f64()
    };
    (0..ROUNDS / 4).map(|_| round()).fold(f64::INFINITY, f64::min) * 1e9
}

fn one_of_several(start: &std::sync::Barrier, call: &(impl AsyncFn() + Sync)) -> (Instant, Instant) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        call().await;
        start.wait();
        let began = Instant::now();
        for _ in 0..CALLS * 4 {
            call().await;
        }
        (began, Instant::now())
    })
}

/// Nanoseconds a call of the fastest round: the one that was disturbed least.
async fn fastest(call: impl AsyncFn()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for _ in 0..CALLS {
            call().await;
        }
        best = best.min(began.elapsed().as_secs_f64());
    }
    best * 1e9 / f64::from(CALLS)
}
