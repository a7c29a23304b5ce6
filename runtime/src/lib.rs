//! What generated Cofferdam adapters stand on.

pub mod http;
pub mod wire;

pub use ::http::{HeaderMap, StatusCode};
pub use bytes::Bytes;
pub use serde_json::Value;

pub use crate::{
    http::FilePart,
    wire::{Date, DateTime, Maybe, Uuid},
};
