use std::fmt;
use std::sync::Arc;

use crate::wire::Wire;

/// What makes a repeated write harmless: the system does the work once a key. One key belongs to one logical call
/// and is the same on all its attempts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Arc<str>);

impl IdempotencyKey {
    /// A key of the caller's own, such as an order number.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into().into())
    }

    /// A key nobody else has: a UUID of version 7, so that keys sort by the time they were made.
    pub fn random() -> Self {
        Self(uuid::Uuid::now_v7().to_string().into())
    }

    /// The key that stands in a field of the request. A field that is absent, null or no text or number gives an
    /// empty key, and with an empty key a write is sent once, as if it had none.
    pub fn from_value<T: Wire>(value: &T) -> Self {
        let text = match value.encode() {
            Ok(serde_json::Value::String(text)) => text,
            Ok(serde_json::Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        Self(text.into())
    }

    /// The key as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing by which a server could tell a repetition.
    pub fn is_empty(&self) -> bool {
        self.0.chars().all(char::is_whitespace)
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for IdempotencyKey {
    fn from(key: String) -> Self {
        Self::new(key)
    }
}

impl From<&str> for IdempotencyKey {
    fn from(key: &str) -> Self {
        Self(key.into())
    }
}

impl From<uuid::Uuid> for IdempotencyKey {
    fn from(key: uuid::Uuid) -> Self {
        Self(key.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_key_is_text_or_a_number_and_nothing_else() {
        assert_eq!(IdempotencyKey::from_value(&"A-7".to_owned()).as_str(), "A-7");
        assert_eq!(IdempotencyKey::from_value(&json!(17)).as_str(), "17");
        for no_key in [Value::Null, json!(true), json!(["a"]), json!("  ")] {
            assert!(IdempotencyKey::from_value(&no_key).is_empty(), "{no_key}");
        }
    }

    #[test]
    fn random_keys_differ() {
        assert_ne!(IdempotencyKey::random(), IdempotencyKey::random());
    }
}
