//! The lock and the atomics that concurrent modules stand on, under one name.
//!
//! They are named here and nowhere else so that the model tests can compile the same modules against a model
//! checker's lock and atomics, and try every interleaving.

pub(crate) use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};
