use std::borrow::Cow;

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose},
};
use bytes::Bytes;
use serde_json::Value;

use super::{DecodeError, EncodeError, Wire, scalars};

/// Bytes that travel as base64 text (`format: byte`).
///
/// Written in the standard alphabet with padding. Read more leniently: padding may be missing, the URL-safe alphabet
/// and line breaks are understood. Anything else in the text is an error.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Base64(pub Bytes);

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

impl Wire for Base64 {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(general_purpose::STANDARD.encode(&self.0)))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "base64 text";
        let text = standard(scalars::as_text(value, EXPECTED)?);
        match LENIENT.decode(text.as_bytes()) {
            Ok(bytes) => Ok(Self(bytes.into())),
            Err(_) => Err(DecodeError::mismatch(EXPECTED, value)),
        }
    }
}

/// The text in the standard alphabet, on one line.
fn standard(text: &str) -> Cow<'_, str> {
    if !text.contains(['-', '_', '\r', '\n']) {
        return Cow::Borrowed(text);
    }
    let letters = text.chars().filter(|letter| !matches!(letter, '\r' | '\n'));
    Cow::Owned(
        letters
            .map(|letter| match letter {
                '-' => '+',
                '_' => '/',
                other => other,
            })
            .collect(),
    )
}

impl From<Bytes> for Base64 {
    fn from(bytes: Bytes) -> Self {
        Self(bytes)
    }
}

impl From<Vec<u8>> for Base64 {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<Base64> for Bytes {
    fn from(base64: Base64) -> Self {
        base64.0
    }
}

impl AsRef<[u8]> for Base64 {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

crate::serde_through_wire!(Base64);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_the_standard_alphabet_with_padding() {
        assert_eq!(Base64::from(vec![0xff, 0xfe, 0x00]).encode().unwrap(), json!("//4A"));
        assert_eq!(Base64::from(vec![0xff]).encode().unwrap(), json!("/w=="));
        assert_eq!(Base64::default().encode().unwrap(), json!(""));
    }

    #[test]
    fn reads_missing_padding_the_url_safe_alphabet_and_line_breaks() {
        for text in ["/w==", "/w", "_w", "_w==", "/\r\nw==\n"] {
            assert_eq!(Base64::decode(&json!(text)).unwrap(), Base64::from(vec![0xff]), "{text:?}");
        }
    }

    #[test]
    fn refuses_anything_else() {
        for value in [json!("!!"), json!("/w= ="), json!("/w==x"), json!("/"), json!("/x=="), json!(1), json!(null)] {
            let error = Base64::decode(&value).unwrap_err();
            assert!(error.to_string().starts_with("expected base64 text, found "), "{error}");
        }
    }
}
