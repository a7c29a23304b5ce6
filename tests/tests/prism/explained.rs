//! Calls that Prism refuses, or answers with what does not decode, although they are right: each with the reason.

/// Document, operation (`*` for all), reason.
const EXPLAINED: &[(&str, &str, &str)] = &[];

/// Why a call does not pass, if that is known.
pub(crate) fn explained(document: &str, operation: &str) -> Option<&'static str> {
    let is_it = |entry: &&(&str, &str, &str)| entry.0 == document && (entry.1 == operation || entry.1 == "*");
    EXPLAINED.iter().find(is_it).map(|(_, _, reason)| *reason)
}
