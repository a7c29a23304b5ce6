//! Edited.
