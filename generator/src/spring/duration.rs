//! Durations as Spring reads them.

use std::time::Duration;

/// A duration: `10s`, `500ms`, `1h30m`, `PT1.5S`; a plain number is in `unit`, milliseconds where the key says nothing
/// else. `None`: it is none, or negative.
pub(super) fn read(text: &str, unit: Duration) -> Option<Duration> {
    let text = text.trim();
    match text.bytes().next()? {
        b'p' | b'P' => iso(text.get(1..)?),
        _ => simple(text.strip_prefix('+').unwrap_or(text), unit),
    }
}

/// `10s`, and several such parts.
fn simple(text: &str, unit: Duration) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (word, after) = after.split_at(letters);
        let one = match word.to_ascii_lowercase().as_str() {
            "" if after.is_empty() && rest.len() == text.len() => unit,
            "ns" => Duration::from_nanos(1),
            "us" => Duration::from_micros(1),
            "ms" => Duration::from_millis(1),
            "s" => Duration::from_secs(1),
            "m" => Duration::from_secs(60),
            "h" => Duration::from_secs(3600),
            "d" => Duration::from_secs(86_400),
            _ => return None,
        };
        let number: u32 = number.parse().ok()?;
        total = total.checked_add(one.checked_mul(number)?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}

/// What follows the `P` of ISO 8601, as far as `java.time.Duration` knows it: days, hours, minutes, seconds.
fn iso(text: &str) -> Option<Duration> {
    let text = text.to_ascii_uppercase();
    let (days, time) = text.split_once('T').map_or((text.as_str(), None), |(days, time)| (days, Some(time)));
    if (days.is_empty() && time.is_none()) || time.is_some_and(str::is_empty) {
        return None;
    }
    let mut seconds = 0.0;
    for (part, units) in [(days, "D"), (time.unwrap_or_default(), "HMS")] {
        let (mut rest, mut units) = (part, units);
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
            let (number, after) = rest.split_at(end);
            let unit = after.chars().next()?;
            // Each unit once, the larger first; only seconds have a fraction.
            units = units.get(units.find(unit)? + 1..)?;
            let number: f64 = number.parse().ok().filter(|_| unit == 'S' || !number.contains('.'))?;
            seconds += number
                * match unit {
                    'D' => 86_400.0,
                    'H' => 3600.0,
                    'M' => 60.0,
                    _ => 1.0,
                };
            rest = after.get(1..)?;
        }
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// As our settings write it, to the millisecond, never less than it is.
pub(super) fn written(duration: Duration) -> String {
    let millis = duration.as_nanos().div_ceil(1_000_000);
    let (seconds, rest) = (millis / 1000, millis % 1000);
    match (seconds, rest) {
        (0, 0) => "0".to_owned(),
        (0, rest) => format!("{rest}ms"),
        (seconds, 0) if seconds % 3600 == 0 => format!("{}h", seconds / 3600),
        (seconds, 0) if seconds % 60 == 0 => format!("{}m", seconds / 60),
        (seconds, 0) => format!("{seconds}s"),
        _ => format!("{millis}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLI: Duration = Duration::from_millis(1);

    #[test]
    fn every_form_that_spring_takes_is_taken() {
        for (text, millis) in [
            ("10s", 10_000),
            ("500ms", 500),
            ("500", 500),
            ("0", 0),
            ("+5s", 5000),
            ("2m", 120_000),
            ("1H", 3_600_000),
            ("1d", 86_400_000),
            ("1h30m", 5_400_000),
            (" 7s ", 7000),
            ("PT1S", 1000),
            ("pt1.5s", 1500),
            ("PT1M30S", 90_000),
            ("P1DT2H", 93_600_000),
            ("P1D", 86_400_000),
        ] {
            assert_eq!(read(text, MILLI), Some(Duration::from_millis(millis)), "{text}");
        }
        assert_eq!(read("500ns", MILLI), Some(Duration::from_nanos(500)));
        assert_eq!(read("5", Duration::from_secs(1)), Some(Duration::from_secs(5)));
    }

    #[test]
    fn what_is_none_is_none() {
        for text in
            ["", "s", "5x", "-5s", "5 s", "1.5s", "P", "PT", "PT5", "PT5S1M", "P5H", "PT1.5M", "1h30", "99999999999s"]
        {
            assert_eq!(read(text, MILLI), None, "{text}");
        }
    }

    #[test]
    fn it_is_written_for_our_settings() {
        for (duration, text) in [
            (Duration::ZERO, "0"),
            (Duration::from_nanos(500), "1ms"),
            (Duration::from_millis(1500), "1500ms"),
            (Duration::from_secs(30), "30s"),
            (Duration::from_secs(120), "2m"),
            (Duration::from_secs(7200), "2h"),
        ] {
            assert_eq!(written(duration), text);
        }
    }
}
