//! What the end-to-end tests share: the misbehaving servers of [`cofferdam_testing`].

pub use cofferdam_testing::*;
