//! JSON text.
//!
//! - The text is UTF-8 (RFC 8259); a byte order mark before it is skipped.
//! - Of two members of one name the last one counts.
//! - Nothing but blanks may follow the value.
//! - Nesting is limited to 127 levels: a deeper body is an error, not a stack overflow.
//! - Numbers within 64 bits are exact. A longer integer, or a fraction with more digits than a double holds, is read into
//!   [`Value`] as the nearest double; the feature `exact-numbers` keeps its digits (it is a feature because it changes
//!   `serde_json` for the whole program).

use bytes::Bytes;
use serde_json::Value;

use super::{DecodeError, Wire};

/// Parses JSON text.
pub fn parse(text: &[u8]) -> Result<Value, DecodeError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    serde_json::from_slice(text).map_err(|error| {
        // serde_json's messages hold positions and names of tokens, never the text itself.
        DecodeError::other(format!("not JSON: {error}"))
    })
}

/// Parses JSON text and reads it into a type.
pub fn decode<T: Wire>(text: &[u8]) -> Result<T, DecodeError> {
    T::decode(&parse(text)?)
}

/// JSON text of a value, without blanks.
#[must_use]
pub fn print(value: &Value) -> Bytes {
    // Writing into memory cannot fail, and a value's keys are text: the other arm is never taken.
    serde_json::to_vec(value).unwrap_or_else(|_| value.to_string().into_bytes()).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_of_two_members_counts_and_a_mark_is_skipped() {
        assert_eq!(parse(b"\xef\xbb\xbf {\"a\":1,\"b\":2,\"a\":3} ").unwrap(), json!({"a": 3, "b": 2}));
    }

    #[test]
    fn anything_after_the_value_is_an_error() {
        for text in ["{} x", "1 2", "", " ", "{", "[1,]", "nul", "'a'", "NaN", "01"] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with("not JSON: "), "{text}: {error}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(127).as_bytes()).is_ok());
        let error = parse(nested(100_000).as_bytes()).unwrap_err();
        assert!(error.to_string().contains("recursion limit"), "{error}");
    }

    #[test]
    fn integers_within_64_bits_are_exact() {
        for text in ["18446744073709551615", "-9223372036854775808", "9007199254740993", "0.1", "1e21"] {
            let printed = String::from_utf8(print(&parse(text.as_bytes()).unwrap()).to_vec()).unwrap();
            assert_eq!(printed.replace('+', ""), text);
        }
    }
}
