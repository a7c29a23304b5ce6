//! JSON in and out of generated types.
