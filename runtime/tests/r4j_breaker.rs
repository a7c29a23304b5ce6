//! The breaker is held to what the real Resilience4j did, recorded step by step.

mod r4j_replay;

use std::time::Duration;

use cofferdam_runtime::breaker::{AfterHalfOpen, BreakerConfig, HalfOpenLimit, OpenWait, SlidingWindow};
use r4j_replay::{Look, Replayed, Trace, Until, config, number, replay, replay_all};

#[test]
fn count_based() {
    let replayed = replay_all("count-based.txt.gz", |words, steps| {
        let config = config(words, SlidingWindow::Calls);
        Some(Trace { config, start: 0, steps, until: Until::End, look: Look::State })
    });
    assert_eq!(replayed, Replayed { lines: 1500, steps: 600_000 });
}

#[test]
fn time_based() {
    let replayed = replay_all("time-based.txt.gz", |words, steps| {
        let wait = OpenWait::fixed(Duration::from_millis(number(words[5])));
        let config = BreakerConfig { open_wait: wait, ..config(words, SlidingWindow::Seconds) };
        Some(Trace { config, start: number(words[6]), steps, until: Until::End, look: Look::State })
    });
    assert_eq!(replayed, Replayed { lines: 1200, steps: 300_000 });
}

/// In `own` lines stale calls are listed, and were not told to Resilience4j: they are told to us, and must not matter.
#[test]
fn overlapping_calls_with_stale_ones_ignored() {
    let replayed = replay_all("count-based-overlap.txt.gz", |words, steps| {
        let config = config(&words[1..], SlidingWindow::Calls);
        (words[0] == "own").then_some(Trace { config, start: 0, steps, until: Until::End, look: Look::State })
    });
    assert_eq!(replayed, Replayed { lines: 400, steps: 100_000 });
}

/// In `all` lines stale calls were told to Resilience4j, which lets them count: the lines hold up to the first one.
#[test]
fn overlapping_calls_up_to_the_first_stale_one() {
    let replayed = replay_all("count-based-overlap.txt.gz", |words, steps| {
        let config = config(&words[1..], SlidingWindow::Calls);
        (words[0] == "all").then_some(Trace { config, start: 0, steps, until: Until::FirstStale, look: Look::State })
    });
    assert_eq!(replayed, Replayed { lines: 800, steps: 58_314 });
}

#[test]
fn timers_orders_and_counters() {
    let replayed = replay_all("half-open-max-wait.txt.gz", |words, steps| {
        (words[0] == "own").then(|| timed(words, steps, Until::End))
    });
    assert_eq!(replayed, Replayed { lines: 600, steps: 72_000 });
}

/// As with overlapping calls; and besides, Resilience4j's reset leaves the timers of the left state running.
#[test]
fn timers_orders_and_counters_up_to_the_first_stale_call_or_reset() {
    let replayed = replay_all("half-open-max-wait.txt.gz", |words, steps| {
        (words[0] == "all").then(|| timed(words, steps, Until::FirstStaleOrReset))
    });
    assert_eq!(replayed, Replayed { lines: 600, steps: 11_334 });
}

fn timed<'t>(words: &[&'t str], steps: &'t str, until: Until) -> Trace<'t> {
    let to = match words[8] {
        "C" => AfterHalfOpen::Closed,
        _ => AfterHalfOpen::Open,
    };
    let limit = Duration::from_millis(number(words[7]));
    let config = BreakerConfig {
        open_wait: open_wait(words[6]),
        half_open_limit: (!limit.is_zero()).then_some(HalfOpenLimit { after: limit, to }),
        half_open_unasked: words[9] == "1",
        ..config(&words[1..], SlidingWindow::Calls)
    };
    Trace { config, start: 0, steps, until, look: Look::Counters }
}

fn open_wait(word: &str) -> OpenWait {
    match word.split(':').collect::<Vec<_>>()[..] {
        ["exp", first, factor, max] => {
            OpenWait::growing(Duration::from_millis(number(first)), number(factor), Duration::from_millis(number(max)))
        }
        [wait] => OpenWait::fixed(Duration::from_millis(number(wait))),
        _ => panic!("unknown wait {word}"),
    }
}

/// Every metric after every step. The overlapping ones are of the `all` kind.
#[test]
fn metrics() {
    let replayed = replay_all("metrics.txt.gz", |words, steps| {
        let (window, until): (fn(u32) -> SlidingWindow, _) = match words[0] {
            "time" => (SlidingWindow::Seconds, Until::End),
            "count" => (SlidingWindow::Calls, Until::End),
            _ => (SlidingWindow::Calls, Until::FirstStale),
        };
        Some(Trace { config: config(&words[1..], window), start: number(words[6]), steps, until, look: Look::Metrics })
    });
    assert_eq!(replayed, Replayed { lines: 240, steps: 29_941 });
}

/// The replay itself must notice each kind of difference.
#[test]
fn a_line_that_was_changed_is_found_out() {
    let run = |steps, look| {
        let config = config(&["2", "2", "50", "100", "1"], SlidingWindow::Calls);
        replay(&Trace { config, start: 0, steps, until: Until::End, look })
    };
    assert_eq!(run("s10=C f10=O n=O t1001=O s10=C", Look::State), Ok(5));
    for (steps, step) in [
        ("s10=C f10=C n=O t1001=O s10=C", "step 2"),
        ("s10=C f10=O s10=O t1001=O s10=C", "step 3"),
        ("s10=C f10=O n=O t1000=O s10=C", "step 5"),
        ("s10=C f10=O n=O t1001=H s10=C", "step 4"),
        ("s10=C n=C", "step 2"),
        ("a1=C t5=C s1/6=C", "step 3"),
        (">H=C", "step 1"),
        (">O!=O", "step 1"),
    ] {
        let difference = run(steps, Look::State).expect_err(steps);
        assert!(difference.starts_with(step), "{steps}: {difference}");
    }
    assert_eq!(run("f10=C,-1,-1,1,1,0,0,0 s101=O,50.0,50.0,2,1,1,0,0", Look::Metrics), Ok(2));
    assert!(run("f10=C,-1,-1,1,1,0,0,0 s101=O,50.000004,50.0,2,1,1,0,0", Look::Metrics).is_err());
}
