use std::time::Duration;

/// A stretch of time for people: `500 ms`, `2.5 s`, `1 min 49.5 s`, `2 h`.
#[must_use]
pub fn span(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis == 0 {
        return "0 s".to_owned();
    }
    if millis < 1000 {
        return format!("{millis} ms");
    }
    let (hours, minutes, rest) = (millis / 3_600_000, millis / 60_000 % 60, millis % 60_000);
    let mut parts = Vec::new();
    if hours > 0 {
        parts.push(format!("{hours} h"));
    }
    if minutes > 0 {
        parts.push(format!("{minutes} min"));
    }
    if rest > 0 {
        let fraction = format!("{:03}", rest % 1000);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        parts.push(format!("{}{point}{fraction} s", rest / 1000));
    }
    parts.join(" ")
}

/// A part of a width in percent, to a hundredth.
pub(super) fn percent(part: Duration, whole: Duration) -> String {
    let part = part.as_secs_f64() / whole.as_secs_f64().max(f64::MIN_POSITIVE) * 100.0;
    format!("{:.2}%", part.clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_written_as_people_say_them() {
        for (millis, text) in [
            (0, "0 s"),
            (500, "500 ms"),
            (2500, "2.5 s"),
            (36_000, "36 s"),
            (109_500, "1 min 49.5 s"),
            (60_000, "1 min"),
            (7_200_010, "2 h 0.01 s"),
        ] {
            assert_eq!(span(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn percentages_stay_within_the_picture() {
        assert_eq!(percent(Duration::from_secs(1), Duration::from_secs(3)), "33.33%");
        assert_eq!(percent(Duration::from_secs(5), Duration::from_secs(3)), "100.00%");
        assert_eq!(percent(Duration::ZERO, Duration::ZERO), "0.00%");
    }
}
