//! Spring's relaxed names: `failure-rate-threshold`, `failureRateThreshold` and `failure_rate_threshold` are one key.

/// What all spellings of a name have in common.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// Whether two names are spellings of one.
pub(super) fn same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}
