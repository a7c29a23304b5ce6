//! Diagnostics: everything wrong, told at once.
