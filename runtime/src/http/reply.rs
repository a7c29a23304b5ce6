use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::wire::{DecodeError, Wire};

/// What the server answered, in full.
#[derive(Clone)]
pub struct RawReply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl RawReply {
    /// The body read as JSON.
    pub fn json<T: Wire>(&self) -> Result<T, DecodeError> {
        let value = serde_json::from_slice(&self.body).map_err(|error| DecodeError(error.to_string()))?;
        T::decode(&value)
    }
}
