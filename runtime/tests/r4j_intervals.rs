//! The waits of a retry are held to those of Resilience4j's interval functions.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use cofferdam_runtime::backoff::Backoff;

#[test]
fn every_recorded_interval() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/r4j-traces/retry-intervals.txt.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut compared = 0;
    for (index, line) in text.lines().enumerate() {
        let (function, recorded) = line.split_once(" : ").unwrap();
        let backoff = backoff(function);
        let recorded: Vec<u128> = recorded.split(' ').map(|wait| wait.parse().unwrap()).collect();
        let in_a_row: Vec<_> = backoff.waits().take(recorded.len()).map(|wait| wait.as_millis()).collect();
        assert_eq!(in_a_row, recorded, "retry-intervals.txt.gz:{} ({function})", index + 1);
        let each: Vec<_> = (1..=recorded.len()).map(|failures| backoff.wait(failures as u32).as_millis()).collect();
        assert_eq!(each, recorded, "retry-intervals.txt.gz:{} ({function}), one by one", index + 1);
        compared += recorded.len();
    }
    assert_eq!(compared, 10_000);
}

fn backoff(function: &str) -> Backoff {
    let millis = |word: &str| Duration::from_millis(word.parse().expect("milliseconds"));
    match function.split(' ').collect::<Vec<_>>()[..] {
        ["fixed", wait] => Backoff::fixed(millis(wait)),
        ["exp", first, factor] => Backoff::exponential(millis(first), factor.parse().expect("a factor")),
        ["expmax", first, factor, max] => {
            Backoff::exponential(millis(first), factor.parse().expect("a factor")).capped(millis(max))
        }
        _ => panic!("unknown function {function}"),
    }
}
