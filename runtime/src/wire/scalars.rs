//! Booleans, text, UUIDs, and what stands for other values.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{DecodeError, EncodeError, Wire};

/// The text that a value is, or an error that names what the text should have been.
pub fn as_text<'v>(value: &'v Value, expected: &'static str) -> Result<&'v str, DecodeError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(DecodeError::mismatch(expected, other)),
    }
}

impl Wire for bool {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::Bool(*self))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        match value {
            Value::Bool(flag) => Ok(*flag),
            other => Err(DecodeError::mismatch("true or false", other)),
        }
    }
}

impl Wire for String {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(self.clone()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        as_text(value, "text").map(str::to_owned)
    }
}

/// `null`, and nothing else.
impl Wire for () {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::Null)
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        match value {
            Value::Null => Ok(()),
            other => Err(DecodeError::mismatch("null", other)),
        }
    }
}

/// Any JSON value, kept as it is.
impl Wire for Value {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(self.clone())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        Ok(value.clone())
    }
}

/// Any JSON object, its members in their order.
impl Wire for Map<String, Value> {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::Object(self.clone()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        match value {
            Value::Object(members) => Ok(members.clone()),
            other => Err(DecodeError::mismatch("an object", other)),
        }
    }
}

/// The hyphenated form of RFC 9562, in either case. Other spellings would not be written back as they were read.
impl Wire for Uuid {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(self.hyphenated().to_string()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "a UUID";
        let text = as_text(value, EXPECTED)?;
        if text.len() != 36 {
            return Err(DecodeError::mismatch(EXPECTED, value));
        }
        Self::try_parse(text).map_err(|_| DecodeError::mismatch(EXPECTED, value))
    }
}

impl<T: Wire> Wire for Box<T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        T::encode(self)
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        T::decode(value).map(Self::new)
    }
}

/// `None` is `null`.
impl<T: Wire> Wire for Option<T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        self.as_ref().map_or(Ok(Value::Null), T::encode)
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        match value {
            Value::Null => Ok(None),
            value => T::decode(value).map(Some),
        }
    }
}
