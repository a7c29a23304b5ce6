//! What can go wrong with a call, told to the caller in one type.
//!
//! Neither `Display` nor `Debug` of these types prints a header, a query string, a body or what a body was turned
//! into: they are meant to be logged.

mod call;
mod client;
mod fault;
mod site;

pub use call::CallError;
pub(crate) use call::code;
pub use client::{ClientError, ConnectError, NotSentCause};
pub use fault::{FaultKind, TimeoutPhase, TransportFault};
pub use site::{CallSite, Delivery};
