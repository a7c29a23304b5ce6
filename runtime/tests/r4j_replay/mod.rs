//! Replays Resilience4j's recorded breaker traces, step by step. `r4j-traces/README.md` explains the format.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cofferdam_runtime::breaker::{
    BreakerConfig, BreakerState, CircuitBreaker, Clock, DroppedCalls, HalfOpenVerdict, IllegalTransition, OpenWait,
    Permit,
};

/// The lines of a trace file.
pub(crate) fn lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/r4j-traces").join(file);
    let mut text = String::new();
    let packed = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("packed text");
    text.lines().map(str::to_owned).collect()
}

/// What all traces have in common, `words` being `window min failure% slow% halfopen`.
pub(crate) fn config(words: &[&str], window: fn(u32) -> cofferdam_runtime::breaker::SlidingWindow) -> BreakerConfig {
    BreakerConfig {
        window: window(number(words[0])),
        minimum_calls: number(words[1]),
        failure_rate_threshold: number(words[2]),
        slow_call_rate_threshold: number(words[3]),
        half_open_calls: number(words[4]),
        slow_call: Duration::from_millis(100),
        open_wait: OpenWait::fixed(Duration::from_millis(1000)),
        half_open_verdict: HalfOpenVerdict::Rate,
        half_open_limit: None,
        half_open_unasked: false,
        dropped_calls: DroppedCalls::Release,
    }
}

pub(crate) fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(word: &str) -> T {
    word.parse().unwrap_or_else(|error| panic!("{word:?} is no number: {error:?}"))
}

/// Where a line stops to hold for a breaker that, unlike the recorded one, ignores stale calls.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Until {
    End,
    FirstStale,
    FirstStaleOrReset,
}

/// What is compared after each step.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    State,
    Counters,
    Metrics,
}

pub(crate) struct Trace<'t> {
    pub(crate) config: BreakerConfig,
    /// The clock when the breaker is made, in ms past a whole second.
    pub(crate) start: u64,
    pub(crate) steps: &'t str,
    pub(crate) until: Until,
    pub(crate) look: Look,
}

#[derive(Clone, Default)]
struct TraceClock(Arc<AtomicU64>);

impl Clock for TraceClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

impl TraceClock {
    fn pass(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::Relaxed);
    }
}

/// Replays every line that `parse` wants and counts the steps. Panics with the first differences.
pub(crate) fn replay_all(file: &str, parse: impl for<'t> Fn(&[&'t str], &'t str) -> Option<Trace<'t>>) -> Replayed {
    let mut replayed = Replayed { lines: 0, steps: 0 };
    let mut differences = Vec::new();
    for (index, line) in lines(file).iter().enumerate() {
        let (words, steps) = line.split_once(" : ").expect("a line has a configuration and steps");
        let Some(trace) = parse(&words.split(' ').collect::<Vec<_>>(), steps) else { continue };
        replayed.lines += 1;
        match replay(&trace) {
            Ok(steps) => replayed.steps += steps,
            Err(difference) => differences.push(format!("{file}:{} ({words}): {difference}", index + 1)),
        }
    }
    let first = &differences[..differences.len().min(20)];
    assert!(first.is_empty(), "{} lines differ, the first:\n{}", differences.len(), first.join("\n"));
    replayed
}

#[derive(Debug, PartialEq)]
pub(crate) struct Replayed {
    pub(crate) lines: usize,
    pub(crate) steps: usize,
}

/// Replays one line. Ok: how many steps. Err: the first step that came out differently.
pub(crate) fn replay(trace: &Trace<'_>) -> Result<usize, String> {
    let clock = TraceClock::default();
    clock.pass(trace.start);
    let breaker = CircuitBreaker::with_clock("trace", trace.config.clone(), clock.clone()).expect("R4J took it");
    let mut calls = Calls::default();
    let mut done = 0;
    for (index, step) in trace.steps.split(' ').enumerate() {
        let (action, expected) = step.split_once('=').expect("a step has an outcome");
        if trace.until != Until::End && action.starts_with(['S', 'F', 'R'])
            || trace.until == Until::FirstStaleOrReset && action == ">X"
        {
            break;
        }
        let differs = |what: String| format!("step {} `{step}`: {what}", index + 1);
        take(&breaker, &clock, &mut calls, action).map_err(differs)?;
        let seen = look(&breaker, trace.look);
        if seen != expected {
            return Err(differs(format!("got {seen}")));
        }
        done += 1;
    }
    Ok(done)
}

type Calls<'b> = [Option<Permit<'b, TraceClock>>; 10];

fn take<'b>(
    breaker: &'b CircuitBreaker<TraceClock>,
    clock: &TraceClock,
    calls: &mut Calls<'b>,
    action: &str,
) -> Result<(), String> {
    let (kind, rest) = action.split_at(1);
    match kind {
        "t" => clock.pass(number(rest)),
        "n" => match breaker.try_acquire() {
            Ok(_) => return Err("permitted".into()),
            Err(refused) if refused.state != breaker.state() => return Err(format!("{refused:?}")),
            Err(_) => {}
        },
        "a" => {
            let permit = breaker.try_acquire().map_err(|refused| refused.to_string())?;
            assert!(calls[number::<usize>(rest)].replace(permit).is_none(), "call {rest} is in flight already");
        }
        ">" => order(breaker, rest)?,
        _ => match rest.split_once('/') {
            // A call that was permitted before.
            Some((call, elapsed)) => end(calls, kind, call, Some(number(elapsed)))?,
            None if calls[number::<usize>(rest) % 10].is_some() && rest.len() == 1 => end(calls, kind, rest, None)?,
            // A call from permission to outcome in one step.
            None => {
                let permit = breaker.try_acquire().map_err(|refused| refused.to_string())?;
                clock.pass(number(rest));
                calls[0] = Some(permit);
                end(calls, kind, "0", Some(number(rest)))?;
            }
        },
    }
    Ok(())
}

fn end(calls: &mut Calls<'_>, kind: &str, call: &str, millis: Option<u64>) -> Result<(), String> {
    let permit = calls[number::<usize>(call)].take().expect("only a call in flight can end");
    let elapsed = permit.elapsed();
    if millis.is_some_and(|millis| Duration::from_millis(millis) != elapsed) {
        return Err(format!("elapsed {elapsed:?}"));
    }
    match kind {
        "s" | "S" => permit.success(elapsed),
        "f" | "F" => permit.failure(elapsed),
        // Given back or dropped: the same thing when dropped calls are released.
        "r" | "R" if elapsed.as_millis().is_multiple_of(2) => permit.ignore(),
        "r" | "R" => drop(permit),
        other => panic!("unknown step {other}"),
    }
    Ok(())
}

fn order(breaker: &CircuitBreaker<TraceClock>, order: &str) -> Result<(), String> {
    let (order, illegal) = match order.strip_suffix('!') {
        Some(order) => (order, true),
        None => (order, false),
    };
    let to = match order {
        "C" => BreakerState::Closed,
        "O" => BreakerState::Open,
        "H" => BreakerState::HalfOpen,
        "F" => BreakerState::ForcedOpen,
        "D" => BreakerState::Disabled,
        "M" => BreakerState::MetricsOnly,
        "X" => {
            breaker.reset();
            return Ok(());
        }
        wait => return legality(illegal, breaker.transition_to_open_for(Duration::from_millis(number(&wait[1..])))),
    };
    legality(illegal, breaker.transition_to(to))
}

fn legality(illegal: bool, ordered: Result<(), IllegalTransition>) -> Result<(), String> {
    match ordered {
        Err(error) if !illegal => Err(error.to_string()),
        Ok(()) if illegal => Err("legal".into()),
        _ => Ok(()),
    }
}

fn look(breaker: &CircuitBreaker<TraceClock>, look: Look) -> String {
    let metrics = breaker.metrics();
    let state = letter(breaker.state());
    assert_eq!(letter(metrics.state), state);
    let rate = |rate: Option<f32>| rate.map_or("-1".to_owned(), |rate| format!("{rate:?}"));
    match look {
        Look::State => state.to_owned(),
        Look::Counters => {
            format!("{state},{},{},{},{}", metrics.buffered, metrics.failed, metrics.slow, metrics.not_permitted)
        }
        Look::Metrics => format!(
            "{state},{},{},{},{},{},{},{}",
            rate(metrics.failure_rate),
            rate(metrics.slow_call_rate),
            metrics.buffered,
            metrics.failed,
            metrics.slow,
            metrics.slow_failed,
            metrics.not_permitted
        ),
    }
}

fn letter(state: BreakerState) -> &'static str {
    match state {
        BreakerState::Closed => "C",
        BreakerState::Open => "O",
        BreakerState::HalfOpen => "H",
        BreakerState::ForcedOpen => "F",
        BreakerState::Disabled => "D",
        BreakerState::MetricsOnly => "M",
    }
}
