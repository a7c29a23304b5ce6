//! The rate limiter is held to Resilience4j's AtomicRateLimiter: every step of every recorded line.

#![allow(clippy::unwrap_used, reason = "a trace that cannot be read is a failure")]

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cofferdam_runtime::breaker::Clock;
use cofferdam_runtime::rate_limit::RateLimiter;
use cofferdam_runtime::settings::RateLimitSettings;

/// Nanoseconds, moved by the trace.
#[derive(Clone, Default)]
struct Hand(Arc<AtomicU64>);

impl Clock for Hand {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

#[test]
fn every_recorded_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/r4j-traces/rate-limiter.txt.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let steps: usize = text
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let (configuration, steps) = line.split_once(" : ").unwrap();
            let mut replay = Replay::new(configuration);
            let steps = steps.split(' ').enumerate();
            steps.map(|(step, text)| replay.step(text, &format!("line {}, step {}", index + 1, step + 1))).count()
        })
        .sum();
    assert_eq!(steps, 150_000);
}

struct Replay {
    limiter: RateLimiter<Hand>,
    clock: Hand,
    settings: RateLimitSettings,
}

impl Replay {
    fn new(configuration: &str) -> Self {
        let numbers: Vec<u64> = configuration.split(' ').map(|number| number.parse().unwrap()).collect();
        let [limit, period, timeout] = numbers[..] else { panic!("{configuration}") };
        let settings = RateLimitSettings {
            limit: u32::try_from(limit).unwrap(),
            period: Duration::from_nanos(period),
            max_wait: Duration::from_nanos(timeout),
        };
        let clock = Hand::default();
        Self { limiter: RateLimiter::with_clock(&settings, clock.clone()), clock, settings }
    }

    fn step(&mut self, step: &str, place: &str) {
        let (action, available) = step.split_once('/').unwrap();
        let (what, argument) = action.split_at(1);
        match what {
            "t" => {
                self.clock.0.fetch_add(argument.parse().unwrap(), Ordering::Relaxed);
            }
            "p" => {
                let (permits, recorded) = argument.split_once('=').unwrap();
                let recorded = recorded.parse().ok().map(Duration::from_nanos);
                let reserved = self.limiter.reserve(permits.parse().unwrap());
                assert_eq!(reserved.ok(), recorded, "{place}: {step}");
                if let Err(refused) = reserved {
                    self.refused(permits.parse().unwrap(), refused.retry_after, place);
                }
            }
            "d" => self.limiter.drain(),
            "l" => self.settings.limit = argument.parse().unwrap(),
            "o" => self.settings.max_wait = Duration::from_nanos(argument.parse().unwrap()),
            _ => panic!("{place}: unknown step {step}"),
        }
        if what == "l" || what == "o" {
            self.limiter.reconfigure(&self.settings);
        }
        assert_eq!(self.limiter.available(), available.parse::<i64>().unwrap(), "{place}: {step}");
    }

    /// What a refusal says is exact: that long a wait would have done, and not a nanosecond less.
    fn refused(&self, permits: u32, retry_after: Duration, place: &str) {
        assert!(retry_after > self.settings.max_wait, "{place}");
        let less = retry_after - Duration::from_nanos(1);
        assert_eq!(self.limiter.reserve_within(permits, less).unwrap_err().retry_after, retry_after, "{place}");
    }
}
