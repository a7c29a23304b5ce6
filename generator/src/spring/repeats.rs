//! Retry of Resilience4j in the words of our settings.

use std::time::Duration;

use super::duration::written;
use super::exceptions::{Means, means};
use super::property::Property;
use super::reading::Reading;

/// Growth that Resilience4j takes when none is said.
const USUAL_GROWTH: f64 = 1.5;
/// More attempts are left out (R-RES-RE-3).
const MOST_ATTEMPTS: u32 = 5;
/// No wait of ours is longer (R-RES-ASYNC-X2).
const LONGEST: Duration = Duration::from_secs(5);
/// Waits that need no word: the presets' longest wait, and the longest of all together.
const PRESET_WAIT: Duration = Duration::from_secs(2);
const PRESET_TOTAL: Duration = Duration::from_secs(5);

pub(super) fn retry(reading: &mut Reading<'_>) {
    // Versions before 1.7 called it otherwise.
    reading.keep_count("max-retry-attempts", "retry.max-attempts");
    reading.keep_count("max-attempts", "retry.max-attempts");
    waits(reading);
    repeated(reading);
    not_repeated(reading);
    reading.instead(
        &[
            "retry-exception-predicate",
            "result-predicate",
            "interval-bi-function",
            "consume-result-before-retry-attempt",
        ],
        "what is repeated follows from the operation and from what happened; the mapper's `verdict` judges replies",
    );
    reading.instead(
        &["fail-after-max-attempts"],
        "the error of the last attempt is returned, with the number of attempts",
    );
}

fn waits(reading: &mut Reading<'_>) {
    let first = reading.millis("wait-duration");
    let grows = reading.switch("enable-exponential-backoff");
    let factor = reading.number("exponential-backoff-multiplier");
    let longest = reading.millis("exponential-max-wait-duration");
    let random = reading.switch("enable-randomized-wait");
    let part = reading.number("randomized-wait-factor");
    if let Some((_, from)) = random.filter(|(on, _)| *on) {
        let message = "a wait is always drawn from 0 to its bound";
        reading.note("CD-IMPORT-NONE", part.map_or(from, |(_, from)| from), message, "");
    }
    let grows = grows.is_some_and(|(on, _)| on);
    if let Some((first, from)) = first {
        reading.put("retry.wait-duration", written(first), from);
        if !grows {
            let message =
                "without `enable-exponential-backoff: true` every wait is as long as the first; here they grow";
            reading.warn(
                "R-RES-RE-X3",
                from,
                message,
                "twice as long each time, unless `exponential-backoff-multiplier` says otherwise",
            );
        }
    }
    match factor {
        Some((factor, from)) => reading.put("retry.exponential-backoff-multiplier", factor.to_string(), from),
        None if grows => {
            if let Some(from) = reading.take("enable-exponential-backoff") {
                reading.derive("retry.exponential-backoff-multiplier", USUAL_GROWTH.to_string(), from);
            }
        }
        None => {}
    }
    if let Some((longest, from)) = longest {
        reading.put("retry.exponential-max-wait-duration", written(longest), from);
    }
    bounds(reading, first, factor.map_or(if grows { USUAL_GROWTH } else { 2.0 }, |(factor, _)| factor), longest);
}

/// Resilience4j bounds neither a wait nor all of them together. Bounds that hold what is said are written where the
/// presets would cut it short.
fn bounds(
    reading: &mut Reading<'_>,
    first: Option<(Duration, &Property)>,
    factor: f64,
    longest: Option<(Duration, &Property)>,
) {
    let Some((first, from)) = first else { return };
    let attempts = reading.values.iter().find(|value| value.key == "retry.max-attempts");
    let attempts = attempts
        .and_then(|value| value.text.parse::<u32>().ok())
        .filter(|attempts| *attempts <= MOST_ATTEMPTS)
        .unwrap_or(3);
    let cap = longest.map(|(longest, _)| longest);
    let wait = |index: u32| {
        let grown = first.as_secs_f64() * factor.max(1.0).powi(i32::try_from(index).unwrap_or(i32::MAX));
        let grown = Duration::try_from_secs_f64(grown).unwrap_or(Duration::MAX);
        grown.min(cap.unwrap_or(LONGEST)).min(LONGEST.max(first))
    };
    let waits: Vec<Duration> = (0..attempts.saturating_sub(1)).map(wait).collect();
    let largest = waits.iter().max().copied().unwrap_or_default();
    if cap.is_none() && largest > PRESET_WAIT {
        reading.derive("retry.exponential-max-wait-duration", written(largest), from);
    }
    let total = waits.iter().fold(Duration::ZERO, |sum, wait| sum.saturating_add(*wait));
    if total > PRESET_TOTAL {
        reading.derive("retry.max-total-wait", written(total), from);
    }
}

/// Trouble is repeated by the rules; a no never is, but for 429 and 408 where that is asked for.
fn repeated(reading: &mut Reading<'_>) {
    let Some(property) = reading.take("retry-exceptions") else { return };
    for (class, at) in property.words() {
        let from = Property { at, ..property.clone() };
        match means(class) {
            Means::Trouble("undecodable") => {
                let message = format!("`{class}`: an answer that nobody can read is not repeated here");
                reading.note("CD-IMPORT-NONE", &from, message, "");
            }
            Means::Trouble(_) => {}
            Means::No("429") => reading.put("retry.on-429", "true", &from),
            Means::No(class) => {
                let message = format!("a no ({class}) is never repeated: left out");
                reading.warn("R-RES-RE-X2", &from, message, "`retry.on-429` and `retry.on-408` are the exceptions");
            }
            Means::Refused => {
                let message = format!("`{class}`: a call that was refused before it was sent is never repeated");
                reading.warn("R-RES-RE-2", &from, message, "");
            }
            Means::Anything => {
                let message = format!("`{class}` repeats a no (4xx) too; here only trouble is repeated");
                reading.warn("R-RES-RE-X2", &from, message, "`retry.on-429` and `retry.on-408` are the exceptions");
            }
            Means::Unknown => {
                let message =
                    format!("`{class}` is not known: if it stands for a 5xx or a broken exchange, that is repeated");
                reading.note("CD-IMPORT-NONE", &from, message, "what a reply means is for the mapper's `verdict`");
            }
        }
    }
}

fn not_repeated(reading: &mut Reading<'_>) {
    let Some(property) = reading.take("ignore-exceptions") else { return };
    for (class, at) in property.words() {
        let from = Property { at, ..property.clone() };
        match means(class) {
            Means::No(_) | Means::Refused => {}
            Means::Trouble(words) => {
                let message = format!("`{class}`: that {words} is not repeated cannot be said");
                reading.note("CD-IMPORT-NONE", &from, message, "`max-attempts: 1` repeats nothing");
            }
            Means::Anything => {
                let message = format!("`{class}`: nothing would be repeated");
                reading.note("CD-IMPORT-NONE", &from, message, "`max-attempts: 1` repeats nothing");
            }
            Means::Unknown => {
                let message = format!("`{class}` is not known: a no (4xx) is not repeated anyway");
                reading.note("CD-IMPORT-NONE", &from, message, "what a reply means is for the mapper's `verdict`");
            }
        }
    }
}
