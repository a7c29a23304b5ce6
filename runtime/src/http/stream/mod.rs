//! Replies that come in pieces: bytes, server-sent events, JSON texts one after another.
//!
//! What bounds them: the time limit of a call holds until the head of the reply is there; from then on only silence is
//! limited (by the read timeout, while somebody waits for the next piece), and what one item may take (as much as a whole
//! reply otherwise). A stream that came through a guard keeps its place in the bulkhead until it ends or is dropped.

mod byte_stream;
mod error;
mod events;
mod items;
mod json_lines;
mod open;
mod sse;

pub use byte_stream::ByteStream;
pub use error::StreamError;
pub(crate) use error::TooLarge;
pub use events::{Event, EventData, EventStream};
pub use json_lines::JsonLines;
pub use open::{ItemStream, StreamForm};
pub(crate) use open::{Reopen, WayBack};
