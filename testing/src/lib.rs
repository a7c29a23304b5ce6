//! A loopback server that fails in the ways servers fail, and counts what arrived.
//!
//! [`MisbehavingServer`] listens on a free port of 127.0.0.1. A test tells it what each path answers
//! ([`Answer`]) and what goes wrong ([`Fault`], in an order given by a [`Script`]), calls it through the code under
//! test, and then asks its [`Recorder`] what really arrived.
//!
//! The server runs on a thread of its own: a test that blocks its runtime, or drops it, does not disturb it.
//!
//! ```
//! use cofferdam_testing::{Answer, MisbehavingServer, Script};
//!
//! let server = MisbehavingServer::start()?;
//! server.answers("/deposit.do", Answer::json(&serde_json::json!({ "errorCode": "0" })));
//! server.script("/deposit.do", Script::times(2, Answer::status(503)));
//! # assert_eq!(server.recorder().count("/deposit.do"), 0);
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod arrival;
mod black_hole;
mod connection;
mod fault;
mod play;
mod recorder;
mod routes;
mod script;
mod server;

pub use answer::Answer;
pub use arrival::Arrival;
pub use black_hole::BlackHole;
pub use fault::{Door, Fault};
pub use recorder::{Late, Recorder};
pub use script::{Script, Step};
pub use server::MisbehavingServer;

#[cfg(feature = "secure")]
mod secure;
#[cfg(feature = "secure")]
pub use secure::{Handshake, Http2Fault, SecureServer};

#[cfg(feature = "trial")]
pub mod trial;
