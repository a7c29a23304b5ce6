use std::{error::Error, fmt, str::FromStr};

use serde_json::Value;

use super::{DecodeError, EncodeError, Wire, scalars};

/// An absolute URI (`format: uri`), kept letter by letter as it was given.
///
/// It is checked when made, but not normalised: `HTTPS://E.test` is written back just so.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uri(String);

/// The text is not an absolute URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAUri(url::ParseError);

impl Uri {
    /// Checks the text and keeps it.
    pub fn parse(text: impl Into<String>) -> Result<Self, NotAUri> {
        let text = text.into();
        url::Url::parse(&text).map_err(NotAUri)?;
        Ok(Self(text))
    }

    /// The text as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Wire for Uri {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(self.0.clone()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "an absolute URI";
        Self::parse(scalars::as_text(value, EXPECTED)?).map_err(|_| DecodeError::mismatch(EXPECTED, value))
    }
}

impl fmt::Display for NotAUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an absolute URI: {}", self.0)
    }
}

impl Error for NotAUri {}

impl FromStr for Uri {
    type Err = NotAUri;

    fn from_str(text: &str) -> Result<Self, NotAUri> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for Uri {
    type Error = NotAUri;

    fn try_from(text: &str) -> Result<Self, NotAUri> {
        Self::parse(text)
    }
}

impl TryFrom<String> for Uri {
    type Error = NotAUri;

    fn try_from(text: String) -> Result<Self, NotAUri> {
        Self::parse(text)
    }
}

impl From<Uri> for String {
    fn from(uri: Uri) -> Self {
        uri.0
    }
}

impl AsRef<str> for Uri {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Uri({:?})", self.0)
    }
}

crate::serde_through_wire!(Uri);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keeps_the_text_as_given() {
        for text in ["https://e.test/a?b=c", "HTTPS://E.test", "urn:isbn:1", "mailto:a@b.test", "https://e.test/%7e"] {
            let uri = Uri::decode(&json!(text)).unwrap();
            assert_eq!(uri.encode().unwrap(), json!(text));
            assert_eq!(uri.as_str(), text);
        }
    }

    #[test]
    fn refuses_what_is_not_absolute() {
        for text in ["no url", "/a/b", "", "//host/x", "https://"] {
            assert!(Uri::decode(&json!(text)).is_err(), "{text}");
            assert!(text.parse::<Uri>().is_err(), "{text}");
        }
    }
}
