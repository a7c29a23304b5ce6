//! Quantities as people write them: `1m 30s`, `50 %`, `10 MiB`. Pure functions; the error says how to write it.

use std::time::Duration;

/// Longer than any wait or limit makes sense: a day. Sums of durations stay far from their largest value.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A length of time: numbers with units, one after the other. Zero needs no unit.
pub fn duration(text: &str) -> Result<Duration, String> {
    const HOW: &str = "write it like `500ms`, `2s`, `1m 30s` or `1h`";
    let mut rest = text.trim();
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    if rest.is_empty() {
        return Err(HOW.into());
    }
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let number_ends = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_ends);
        let after = after.trim_start();
        let unit_ends = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_ends);
        let seconds = match unit {
            "ms" => 0.001,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "" if number.parse::<f64>().is_ok() => {
                return Err(format!("the unit is missing: `{number}s`, or `{number}ms`?"));
            }
            _ => return Err(HOW.into()),
        };
        let number: f64 = number.parse().map_err(|_| HOW.to_owned())?;
        let part = Duration::try_from_secs_f64(number * seconds).ok().filter(|part| *part <= LONGEST);
        total = part.and_then(|part| total.checked_add(part)).ok_or("longer than a day")?;
        rest = after.trim_start();
    }
    if total > LONGEST { Err("longer than a day".into()) } else { Ok(total) }
}

/// A part of a hundred: `50`, `50 %`.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim();
    let number = number.strip_suffix('%').unwrap_or(number).trim_end();
    match decimal(number) {
        Some(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("write it like `50` or `50 %`, from 0 to 100".into()),
    }
}

/// A part of one: `0.2`, `20 %`.
pub(super) fn ratio(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let ratio = match text.strip_suffix('%') {
        Some(percent) => decimal(percent.trim_end()).map(|percent| percent / 100.0),
        None => decimal(text),
    };
    ratio.filter(|ratio| (0.0..=1.0).contains(ratio)).ok_or_else(|| "write it like `0.2` or `20 %`, up to 1".into())
}

/// A number with or without a fraction, not negative.
pub(super) fn number(text: &str) -> Result<f64, String> {
    decimal(text.trim()).ok_or_else(|| "write it like `2` or `1.5`".into())
}

fn decimal(text: &str) -> Option<f64> {
    let plain = text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.parse().ok().filter(|number: &f64| plain && number.is_finite())
}

/// A whole number, not negative.
pub(super) fn count(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(count) if digits => Ok(count),
        _ if digits => Err(format!("too large: at most {}", u32::MAX)),
        _ => Err("write a whole number".into()),
    }
}

/// A number of bytes: `10 MiB`, `512 KiB`, `4096`.
pub(super) fn size(text: &str) -> Result<usize, String> {
    const HOW: &str = "write it like `10 MiB`, `512 KiB` or `4096`";
    let text = text.trim();
    let number_ends = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(number_ends);
    let factor: usize = match unit.trim_start() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return Err(HOW.into()),
    };
    let number: usize = number.parse().map_err(|_| HOW.to_owned())?;
    number.checked_mul(factor).ok_or_else(|| "too large".into())
}

/// Yes or no.
pub(super) fn switch(text: &str) -> Result<bool, String> {
    match text.trim() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("write `true` or `false`".into()),
    }
}

/// A duration as it is written in settings.
pub(in crate::settings) fn written(duration: Duration) -> String {
    let millis = duration.as_millis();
    let (hours, minutes, seconds, rest) =
        (millis / 3_600_000, millis / 60_000 % 60, millis / 1_000 % 60, millis % 1_000);
    let parts = [(hours, "h"), (minutes, "m"), (seconds, "s"), (rest, "ms")];
    let written: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number}{unit}")).collect();
    if written.is_empty() { "0".to_owned() } else { written.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, millis) in [
            ("500ms", 500),
            ("100 ms", 100),
            ("2s", 2_000),
            ("1m 30s", 90_000),
            ("1m30s", 90_000),
            ("1.5s", 1_500),
            ("1h", 3_600_000),
            (" 2 min ", 120_000),
            ("0", 0),
            ("0s", 0),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for wrong in ["", "5", "-5s", "5 x", "s", "1..5s", "5s 3", "999999999999h", "25h", "1e3s", "NaNs", "PT5S"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(duration("30").unwrap_err().contains("`30s`"));
    }

    #[test]
    fn a_duration_is_written_as_it_is_read() {
        for text in ["500ms", "1m 30s", "2s", "1h 500ms", "0"] {
            assert_eq!(written(duration(text).unwrap()), text);
        }
    }

    #[test]
    fn parts_and_numbers() {
        assert_eq!(percent("50"), Ok(50.0));
        assert_eq!(percent("12.5 %"), Ok(12.5));
        assert_eq!(ratio("20%"), Ok(0.2));
        assert_eq!(ratio("0.2"), Ok(0.2));
        assert_eq!(number("1.5"), Ok(1.5));
        assert_eq!(count("20"), Ok(20));
        for wrong in ["", "%", "101", "-1", "NaN", "inf", "1e1", "half", "."] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
        assert!(ratio("1.5").is_err() && ratio("150 %").is_err() && number("-1").is_err());
        assert!(count("1.0").is_err() && count("+1").is_err() && count("99999999999").is_err());
    }

    #[test]
    fn sizes() {
        assert_eq!(size("10 MiB"), Ok(10 << 20));
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("5MB"), Ok(5_000_000));
        assert!(size("MiB").is_err() && size("1 PiB").is_err() && size("99999999999 GiB").is_err());
    }
}
