//! Our retry is held to the recorded one of Resilience4j in what they share: which attempts are made, how long the waits
//! between them may be, and what the four counters say. Not shared, and skipped: a Java `Error` (it would be a panic
//! here), and what `failAfterMaxAttempts` counts. Ours draws each wait from zero to the recorded one (full jitter).

use std::io::Read as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use cofferdam_runtime::Guard;
use cofferdam_runtime::settings::SystemSettings;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;
use tokio::time::Instant;

use super::subject::{ClientAnswer, Look, Plain, answer, handle, ms, settings};

/// Waits that tokio's timers round up to whole milliseconds.
const ROUNDING: Duration = Duration::from_millis(1);

struct Rules<'t> {
    max: u32,
    fails_after: bool,
    wait: &'t str,
    retry: &'t str,
    ignore: &'t str,
    predicate: &'t str,
    result: &'t str,
}

impl<'t> Rules<'t> {
    fn read(text: &'t str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let [_api, max, fails_after, wait, retry, ignore, predicate, result] = words[..] else { panic!("{text}") };
        let max = max.parse().unwrap();
        Self { max, fails_after: fails_after == "1", wait, retry, ignore, predicate, result }
    }

    /// Whether an exception of this class, or a result of this digit, is tried again.
    fn is_tried_again(&self, end: char) -> bool {
        if end.is_ascii_digit() {
            return self.result.contains(end);
        }
        let family = match end {
            'T' => "T",
            'R' => "RT",
            'A' => "ART",
            'B' => "BART",
            'C' => "CRT",
            'I' => "IT",
            'J' => "JIT",
            _ => panic!("class {end}"),
        };
        let among = |list: &str| family.chars().any(|class| list.contains(class));
        let nothing_said = self.retry == "-" && self.predicate == "-";
        (nothing_said || among(self.retry) || self.predicate.contains(end)) && !among(self.ignore)
    }

    fn settings(&self) -> SystemSettings {
        let mut settings = settings();
        settings.breaker.enabled = false;
        let retry = &mut settings.retry;
        retry.max_attempts = self.max;
        retry.max_total_wait = Duration::from_secs(86_400);
        (retry.budget.ratio, retry.budget.floor_per_second) = (1.0, 1e6);
        let words: Vec<&str> = self.wait.split(':').collect();
        let millis = |word: &str| ms(word.parse().unwrap());
        (retry.initial_wait, retry.multiplier, retry.max_wait) = match words[..] {
            ["none"] => (ms(500), 1.0, ms(500)),
            ["fixed", wait] => (millis(wait), 1.0, millis(wait)),
            ["exp", first, factor] => (millis(first), factor.parse().unwrap(), Duration::from_secs(86_400)),
            ["expmax", first, factor, max] => (millis(first), factor.parse().unwrap(), millis(max)),
            _ => panic!("{}", self.wait),
        };
        settings
    }

    /// What an attempt of ours answers for one of the recording.
    fn answer(&self, end: char) -> ClientAnswer {
        match (end.is_ascii_digit(), self.is_tried_again(end)) {
            (true, true) => Ok(json!({ "error": "7" })),
            (true, false) => Ok(json!({})),
            (false, true) => answer(503, &[]),
            (false, false) => answer(404, &[]),
        }
    }
}

/// Successes without and with retry, failures without and with.
fn counters(prometheus: &PrometheusHandle) -> [u64; 4] {
    let text = prometheus.render();
    let kinds = ["successful_without_retry", "successful_with_retry", "failed_without_retry", "failed_with_retry"];
    kinds.map(|kind| {
        let of_kind = |line: &&str| line.starts_with("resilience4j_retry_calls_total") && line.contains(kind);
        text.lines().find(of_kind).unwrap().rsplit(' ').next().unwrap().parse().unwrap()
    })
}

#[derive(Default)]
struct Compared {
    calls: u32,
    waits: u32,
    counted: u32,
    waited: Duration,
    bounds: Duration,
}

#[tokio::test(start_paused = true)]
async fn every_recorded_call() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/r4j-traces/retry.txt.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut compared = Compared::default();
    for (index, line) in text.lines().enumerate() {
        let (rules, calls) = line.split_once(" : ").unwrap();
        let rules = Rules::read(rules);
        let recorder = PrometheusBuilder::new().build_recorder();
        let guard = metrics::with_local_recorder(&recorder, || Guard::new(&handle(rules.settings())).unwrap());
        let mut before = [0; 4];
        for call in calls.split(" ; ") {
            let place = format!("retry.txt.gz:{}: {call}", index + 1);
            let parts: Vec<&str> = call.split(" | ").collect();
            let [outcomes, _events, waits, _end, after] = parts[..] else { panic!("{place}") };
            let mut after = after.split(',').map(|count| count.parse::<u64>().unwrap());
            let after = [(); 4].map(|()| after.next().unwrap());
            let ends: Vec<char> = outcomes.split(' ').map(|end| end.chars().next().unwrap()).collect();
            if !ends.contains(&'E') {
                let ours = counters(&recorder.handle());
                replay(&guard, &rules, &ends, waits, &place, &mut compared).await;
                let last = *ends.last().unwrap();
                let unwanted = last.is_ascii_digit() && rules.is_tried_again(last);
                if !(rules.fails_after && unwanted) {
                    let now = counters(&recorder.handle());
                    let delta = |from: [u64; 4], to: [u64; 4]| [0, 1, 2, 3].map(|kind| to[kind] - from[kind]);
                    assert_eq!(delta(ours, now), delta(before, after), "{place}: counters");
                    compared.counted += 1;
                }
            }
            before = after;
        }
    }
    let Compared { calls, waits, counted, waited, bounds } = compared;
    assert!(calls > 3000 && counted > 2900 && waits > 1500, "{calls} calls, {counted} counted, {waits} waits");
    let part = waited.as_secs_f64() / bounds.as_secs_f64();
    assert!((0.4..0.6).contains(&part), "waits are {part} of their bounds on average");
}

async fn replay(guard: &Guard, rules: &Rules<'_>, ends: &[char], waits: &str, place: &str, compared: &mut Compared) {
    // When each attempt began; they take no time.
    let begun = Mutex::new(Vec::new());
    let attempt = || async {
        let mut begun = begun.lock().unwrap();
        begun.push(Instant::now());
        let end = ends.get(begun.len() - 1).unwrap_or_else(|| panic!("{place}: one attempt too many"));
        rules.answer(*end)
    };
    let _ = guard.read(Look, &Plain, attempt).await;
    let begun = begun.into_inner().unwrap();
    assert_eq!(begun.len(), ends.len(), "{place}: attempts");
    let recorded: Vec<&str> = waits.split(' ').filter(|wait| *wait != "-").collect();
    assert_eq!(begun.len() - 1, recorded.len(), "{place}: waits");
    for (pair, recorded) in begun.windows(2).zip(recorded) {
        let (waited, bound) = (pair[1] - pair[0], ms(recorded.parse().unwrap()));
        assert!(waited <= bound + ROUNDING, "{place}: waited {waited:?}");
        compared.waits += 1;
        compared.waited += waited;
        compared.bounds += bound;
    }
    compared.calls += 1;
}
