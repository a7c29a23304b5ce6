//! The locks and atomics that concurrent modules stand on, under one name.
//!
//! They are named here and nowhere else so that the model tests can compile the same modules against a model
//! checker's locks and atomics, and try every interleaving.

pub(crate) use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};
#[cfg(feature = "http")]
pub(crate) use std::sync::{MutexGuard, atomic::fence};
