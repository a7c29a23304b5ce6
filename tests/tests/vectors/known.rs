//! Vectors that are not obeyed, each with the reason, and those for which OpenAPI leaves a choice.

/// Vectors that contradict OpenAPI, the rules beside them, or a choice that is documented. The vectors were written
/// before there was anything to run them against.
pub(crate) const KNOWN: [(&str, &str); 0] = [];
