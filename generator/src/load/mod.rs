//! Loading: text to value.
/// Placeholder until loading lands.
pub struct Sources;
