//! Numbers read off the scrape. The runtime counts through the `metrics` facade only, so whoever shows counts reads them
//! where Prometheus does, and shows the same.

use std::collections::HashMap;

use cofferdam_runtime::observability::names;

/// Counts of one system since the service started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) succeeded: u64,
    pub(super) failed: u64,
    pub(super) ignored: u64,
    pub(super) refused: u64,
    pub(super) no_place: u64,
    pub(super) over_quota: u64,
    pub(super) retried_well: u64,
    pub(super) retried_in_vain: u64,
    pub(super) stale: u64,
    pub(super) neutral: u64,
    pub(super) queued: u64,
    pub(super) unconfirmed: u64,
}

/// The counts in a scrape, by system.
pub(super) fn counts(scrape: &str) -> HashMap<&str, Counts> {
    let mut all: HashMap<&str, Counts> = HashMap::new();
    let durations = format!("{}_count", names::BREAKER_CALLS);
    for line in scrape.lines() {
        let Some(series) = Series::read(line) else { continue };
        let counts = all.entry(series.name).or_default();
        let place = match (series.metric, series.kind) {
            (metric, "successful") if metric == durations => &mut counts.succeeded,
            (metric, "failed") if metric == durations => &mut counts.failed,
            (metric, "ignored") if metric == durations => &mut counts.ignored,
            (names::BREAKER_NOT_PERMITTED, _) => &mut counts.refused,
            (names::BULKHEAD_REFUSED, _) => &mut counts.no_place,
            (names::RATE_LIMIT_REFUSED, _) => &mut counts.over_quota,
            (names::RETRY_CALLS, "successful_with_retry") => &mut counts.retried_well,
            (names::RETRY_CALLS, "failed_with_retry") => &mut counts.retried_in_vain,
            (names::FALLBACK_CALLS, "stale") => &mut counts.stale,
            (names::FALLBACK_CALLS, "default") => &mut counts.neutral,
            (names::FALLBACK_CALLS, "queued") => &mut counts.queued,
            (names::FALLBACK_CALLS, "unconfirmed") => &mut counts.unconfirmed,
            _ => continue,
        };
        *place = series.value;
    }
    all
}

struct Series<'a> {
    metric: &'a str,
    name: &'a str,
    kind: &'a str,
    value: u64,
}

impl<'a> Series<'a> {
    /// A line of a counter with the label of a system. Names and kinds hold nothing that is escaped.
    fn read(line: &'a str) -> Option<Self> {
        let (series, value) = line.rsplit_once(' ')?;
        let (metric, labels) = series.strip_suffix('}')?.split_once('{')?;
        let label = |wanted: &str| {
            let value = labels.split(',').find_map(|label| label.strip_prefix(wanted)?.strip_prefix("=\""))?;
            value.strip_suffix('"')
        };
        let value = value.parse::<u64>().ok()?;
        Some(Self { metric, name: label(names::NAME)?, kind: label(names::KIND).unwrap_or_default(), value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_by_system_and_kind_and_the_rest_is_left() {
        let scrape = "# TYPE resilience4j_retry_calls_total counter\n\
            resilience4j_retry_calls_total{name=\"sber\",kind=\"failed_with_retry\"} 3\n\
            resilience4j_circuitbreaker_calls_seconds{name=\"sber\",kind=\"failed\",quantile=\"0.5\"} 0.25\n\
            resilience4j_circuitbreaker_calls_seconds_sum{name=\"sber\",kind=\"failed\"} 1.5\n\
            resilience4j_circuitbreaker_calls_seconds_count{kind=\"failed\",name=\"sber\"} 6\n\
            cofferdam_fallback_calls_total{name=\"f6\",kind=\"stale\"} 2\n\
            cofferdam_settings_refused 0\nnonsense\n";
        let counts = counts(scrape);
        assert_eq!(counts["sber"], Counts { failed: 6, retried_in_vain: 3, ..Counts::default() });
        assert_eq!(counts["f6"].stale, 2);
    }
}
