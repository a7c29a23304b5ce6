//! What the breaker costs a call, as a ratio to a bare tokio semaphore's acquire and release in the same run.
//!
//! `cargo bench -p cofferdam-runtime --bench breaker`

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cofferdam_runtime::breaker::{BreakerConfig, CircuitBreaker, SlidingWindow};

const ROUNDS: usize = 9;
const CALLS: u32 = 500_000;
const QUICK: Duration = Duration::from_millis(1);

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let semaphore = tokio::sync::Semaphore::new(10);
    let permit = fastest(|| {
        runtime.block_on(async {
            for _ in 0..CALLS {
                drop(black_box(black_box(&semaphore).acquire().await));
            }
        });
    });
    println!("{:<58}{permit:>8.1} ns", "tokio semaphore, acquire and release (the measure)");
    let clock = each(|| {
        black_box(Instant::now());
    });
    println!("{:<58}{clock:>8.1} ns{:>7.2}", "reading the clock once", clock / permit);
    for (name, cost) in one_thread() {
        println!("{name:<58}{cost:>8.1} ns{:>7.2}", cost / permit);
    }
    two_threads();
}

fn one_thread() -> Vec<(&'static str, f64)> {
    let healthy = breaker(BreakerConfig::default());
    let ailing = breaker(never_opens(SlidingWindow::Calls(50)));
    let by_time = breaker(never_opens(SlidingWindow::Seconds(60)));
    let open = breaker(BreakerConfig::default());
    open.transition_to_open().expect("closed can be opened");
    let mut call = 0;
    vec![
        (
            "healthy: permission and success",
            each(|| healthy.try_acquire().into_iter().for_each(|it| it.success(QUICK))),
        ),
        ("healthy: the same, with the elapsed time read", {
            each(|| {
                let permit = healthy.try_acquire().expect("closed");
                let elapsed = permit.elapsed();
                permit.success(elapsed);
            })
        }),
        ("one call of 40 fails: permission and outcome", {
            each(|| {
                call += 1;
                mixed_call(&ailing, call);
            })
        }),
        ("time-based window: permission and success", {
            each(|| by_time.try_acquire().into_iter().for_each(|it| it.success(QUICK)))
        }),
        ("open: refusal", each(|| assert!(open.try_acquire().is_err()))),
    ]
}

/// How much more two threads get done than one, beside what an atomic counter that both add to allows.
fn two_threads() {
    let healthy = breaker(BreakerConfig::default());
    let ailing = breaker(never_opens(SlidingWindow::Calls(50)));
    let counter = AtomicU64::new(0);
    let count = |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    };
    println!("\ntwo threads, calls a second as a multiple of one thread's");
    println!("{:<58}{:>8.2}", "an atomic counter both add to", speed_up(count));
    println!("{:<58}{:>8.2}", "healthy", speed_up(|_| healthy.try_acquire().expect("closed").success(QUICK)));
    println!("{:<58}{:>8.2}", "one call of 40 fails", speed_up(|call| mixed_call(&ailing, call)));
}

fn mixed_call(breaker: &CircuitBreaker, call: u32) {
    let permit = breaker.try_acquire().expect("never opens");
    if call.is_multiple_of(40) { permit.failure(QUICK) } else { permit.success(QUICK) }
}

fn breaker(config: BreakerConfig) -> CircuitBreaker {
    let breaker = CircuitBreaker::new("bench", config).expect("a valid configuration");
    (0..50).flat_map(|_| breaker.try_acquire()).for_each(|permit| permit.success(QUICK));
    breaker
}

fn never_opens(window: SlidingWindow) -> BreakerConfig {
    BreakerConfig { window, failure_rate_threshold: 100.0, ..BreakerConfig::default() }
}

/// Nanoseconds a call.
fn each(mut call: impl FnMut()) -> f64 {
    fastest(|| (0..CALLS).for_each(|_| call()))
}

/// Nanoseconds a call of the fastest round: the one that was disturbed least.
fn fastest(mut round: impl FnMut()) -> f64 {
    let seconds = (0..ROUNDS).map(|_| {
        let began = Instant::now();
        round();
        began.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min) * 1e9 / f64::from(CALLS)
}

fn speed_up(call: impl Fn(u32) + Sync) -> f64 {
    let calls_on = |threads: u32| {
        let round = || {
            std::thread::scope(|scope| {
                (0..threads).for_each(|_| {
                    scope.spawn(|| (0..CALLS).for_each(&call));
                });
            });
        };
        f64::from(threads) / fastest(round)
    };
    calls_on(2) / calls_on(1)
}
