//! JSON in and out of generated types.

use std::fmt;

use serde_json::Value;

/// A type with a JSON form.
pub trait Wire: Sized {
    /// Writes it.
    fn encode(&self) -> Result<Value, EncodeError>;
    /// Reads it.
    fn decode(value: &Value) -> Result<Self, DecodeError>;
}

/// A value that has no JSON form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError(pub String);

/// JSON that is not what the document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError(pub String);

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EncodeError {}
impl std::error::Error for DecodeError {}

impl Wire for Value {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(self.clone())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        Ok(value.clone())
    }
}

impl Wire for String {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(self.clone()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        value.as_str().map(str::to_owned).ok_or_else(|| DecodeError("expected a string".into()))
    }
}
