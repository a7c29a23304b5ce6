//! What the end-to-end tests share: the misbehaving servers of [`cofferdam_testing`], and a long run under random
//! faults ([`soak`]).

#[cfg(doctest)]
mod book;
pub mod soak;

pub use cofferdam_testing::*;
