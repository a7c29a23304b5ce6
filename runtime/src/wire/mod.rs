//! Values in and out of JSON.
//!
//! Generated types implement [`Wire`] instead of deriving serde's traits: encoding and decoding go through one value
//! ([`serde_json::Value`], members in order), which compiles in a fraction of the time, tells where a value went wrong
//! ([`DecodeError`]), and makes unions, open enums and three-state members plain code. serde's traits are there on top
//! ([`serde_through_wire!`](crate::serde_through_wire)).

mod base64;
mod collections;
mod error;
pub mod json;
mod mapped;
mod maybe;
mod numbers;
mod object;
mod own;
mod path;
mod scalars;
mod serde_bridge;
mod stack;
pub mod style;
pub mod text;
mod time;
mod union;
mod uri;

#[cfg(test)]
mod tests;

use serde_json::Value;

#[doc(hidden)]
pub use self::serde_bridge::__private;
pub use self::{
    base64::Base64,
    error::{DecodeError, EncodeError},
    maybe::Maybe,
    object::{ObjectReader, ObjectWriter},
    own::{AsText, Serde},
    scalars::as_text,
    style::Style,
    union::{Candidate, UnionReader, tag, tag_if_any, with_one_tag_of, with_tag},
    uri::{NotAUri, Uri},
};

/// A point in time with its zone (`format: date-time`).
pub type DateTime = chrono::DateTime<chrono::FixedOffset>;

/// A calendar day (`format: date`).
pub type Date = chrono::NaiveDate;

/// A UUID (`format: uuid`).
pub type Uuid = uuid::Uuid;

/// A type with a JSON form.
pub trait Wire: Sized {
    /// The JSON form. Fails for what JSON cannot say, such as NaN.
    fn encode(&self) -> Result<Value, EncodeError>;

    /// Reads the JSON form.
    fn decode(value: &Value) -> Result<Self, DecodeError>;
}
