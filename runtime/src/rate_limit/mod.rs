//! A limit on calls a period, with Resilience4j's semantics: cycles, not a smooth flow.
//!
//! Time since the limiter was made is cut into whole periods. Each cycle brings `limit` permissions; what a cycle did
//! not use is not kept, and what was reserved ahead is taken from the cycles to come. A caller that finds none may
//! wait for the cycle that has one for it, if that is within the longest wait; its permission is reserved at once, so
//! that nobody who comes later gets it. It is held to traces recorded from Resilience4j (`tests/r4j-traces`).
//!
//! Why not a token bucket (governor's GCRA): suppliers count calls a period, as cycles do; a bucket that is full lets
//! `limit` calls pass and then one each `period / limit`, and cannot reserve ahead, so that waiting callers race each
//! other instead of standing in line. Both let up to twice the limit pass within one period's length: here at the
//! border of two cycles. A supplier that counts over a moving span is told half of its number.
//!
//! Where it departs from Resilience4j, on purpose: a caller that cannot get a permission in time is refused at once,
//! with the time after which it could; Resilience4j lets it sleep its whole longest wait first.

mod cycles;
mod limiter;

pub use limiter::{RateLimited, RateLimiter};
