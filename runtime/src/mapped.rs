//! The crates whose types a project may take for those of its document, as generated code names them: of the very
//! versions that [`Wire`](crate::wire::Wire) is implemented for.

pub use ::chrono;
#[cfg(feature = "jiff")]
pub use ::jiff;
#[cfg(feature = "rust_decimal")]
pub use ::rust_decimal;
#[cfg(feature = "time")]
pub use ::time;
