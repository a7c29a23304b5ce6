//! Normalising: the spellings of OpenAPI 3.0, 3.1 and 3.2 become one.
//!
//! Nothing is rewritten. A [`View`] is laid over a schema where it stands, and says in one dialect what the schema says in
//! its own: which JSON types it admits, whether `null` is among them, which values are listed, what the format means.
//! One rule a function, so that each can be tested alone; the messages cite what the author wrote.

mod format;
mod keyword;
mod kinds;
mod listed;
mod view;

pub(crate) use crate::load::OpenApiVersion as Dialect;
pub(crate) use format::{Text, beyond_i64, content_text, float_width, int_width, text_format};
pub(crate) use kinds::{Kind, Kinds};
pub(crate) use listed::{Listed, ListedValue, consts_of_branches};
pub(crate) use view::{Nulls, Strength, View};
