//! A circuit breaker with Resilience4j's semantics.
//!
//! Closed, open, half-open; count-based and time-based windows; failure and slow call rates; a wait in open that may
//! grow; and the states an operator can force. It is held to traces recorded from Resilience4j itself (`tests/r4j-traces`).
//!
//! Where it departs from Resilience4j, on purpose:
//! - An outcome counts only in the state period in which its call was permitted. Resilience4j lets late outcomes count
//!   in whatever state they meet, where they can close or open the breaker without a single probe.
//! - Half-open closes only when all its calls succeeded, unless [`HalfOpenVerdict::Rate`] is chosen.
//! - A reset drops the timers of the state it leaves.
//! - The wait in open may be jittered.
//!
//! No timer and no task runs: what time brings about is done when the breaker is next used or looked at.

mod circuit;
mod clock;
mod config;
mod machine;
mod metrics;
mod permit;
mod shortcut;
mod state;
mod transitions;
mod window;

pub use circuit::CircuitBreaker;
pub use clock::{Clock, RuntimeClock};
pub use config::{
    AfterHalfOpen, BreakerConfig, BreakerFault, DroppedCalls, HalfOpenLimit, HalfOpenVerdict, InvalidBreakerConfig,
    OpenWait, SlidingWindow,
};
pub use metrics::BreakerMetrics;
#[cfg(feature = "http")]
pub(crate) use permit::Admission;
pub use permit::{NotPermitted, Permit};
#[cfg(feature = "http")]
pub(crate) use shortcut::StaysOpen;
pub use state::{BreakerState, IllegalTransition, StateChange};
