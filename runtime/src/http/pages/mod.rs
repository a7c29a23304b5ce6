//! Lists that come page by page: what a page says about the next one.
//!
//! The document does not say how an operation pages; the project file does, and it becomes a [`PageRule`]. The rule is
//! about the bytes of request and reply, not about their types, so one piece of code serves all operations.

mod link;
mod next;
mod rule;
mod source;

pub(crate) use next::Position;
pub use rule::{NextPage, PageRule, PageSize};
pub use source::Pages;
pub(crate) use source::{PageSource, Tail, Walk};
