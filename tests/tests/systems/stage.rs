//! The examples' own settings file, with the address of a test's server in it.

use cofferdam_runtime::{Guard, Settings};

/// The settings of the examples, as they are.
const SETTINGS: &str = include_str!("../../../specs/resilience.yaml");

/// Retries without waiting for them, where a test is not about the wait.
pub(crate) const SOON: (&str, &str) = ("RETRY__WAIT_DURATION", "1ms");

/// The settings of the examples with the system at another address, and what else is said of it, by the tail of the
/// variable's name.
pub(crate) fn settings(system: &str, url: &str, more: &[(&str, &str)]) -> Settings {
    let name = |tail: &str| format!("COFFERDAM__{}__{tail}", system.to_uppercase().replace('-', "_"));
    let mut variables = vec![(name("BASE_URL"), url.to_owned())];
    variables.extend(more.iter().map(|(tail, value)| (name(tail), (*value).to_owned())));
    Settings::parse_with(SETTINGS, "resilience.yaml", variables).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The settings of the examples.
pub(crate) fn as_they_are() -> Settings {
    Settings::parse(SETTINGS, "resilience.yaml").unwrap_or_else(|faults| panic!("{faults}"))
}

/// What the settings check says when these lines of the file are left out.
pub(crate) fn without(line: &str) -> String {
    let lines: Vec<_> = SETTINGS.lines().filter(|one| one.trim() != line).collect();
    assert!(lines.len() < SETTINGS.lines().count(), "no such line: {line}");
    Settings::parse(&lines.join("\n"), "resilience.yaml").map(|_| ()).unwrap_err().to_string()
}

/// Calls recorded by a breaker, and how many of them failed.
pub(crate) fn recorded(guard: &Guard) -> (u64, u64) {
    let metrics = guard.breaker().metrics();
    (metrics.buffered, metrics.failed)
}
