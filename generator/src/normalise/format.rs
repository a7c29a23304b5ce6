//! `format`, `contentEncoding` and `contentMediaType`, and the bounds that widen an integer.

use std::str::FromStr;

use openapiv3::{IntegerFormat, NumberFormat, StringFormat};
use serde_json::Value;

use crate::model::{FloatWidth, IntWidth, TextFormat};

/// What a `string` carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text {
    /// Text of a format.
    Format(TextFormat),
    /// Raw bytes.
    Binary,
}

/// What the format of a `string` means; `None` for a format nobody registered.
pub(crate) fn text_format(format: &str) -> Option<Text> {
    if let Ok(known) = StringFormat::from_str(format) {
        return Some(match known {
            StringFormat::Date => Text::Format(TextFormat::Date),
            StringFormat::DateTime => Text::Format(TextFormat::DateTime),
            StringFormat::Password => Text::Format(TextFormat::Plain),
            StringFormat::Byte => Text::Format(TextFormat::Base64),
            StringFormat::Binary => Text::Binary,
        });
    }
    let format = match format {
        "uuid" => TextFormat::Uuid,
        "uri" | "url" => TextFormat::Uri,
        "base64" => TextFormat::Base64,
        _ if is_registered_text(format) => TextFormat::Plain,
        _ => return None,
    };
    Some(Text::Format(format))
}

/// Formats of JSON Schema and of OpenAPI's registry that stay plain text.
fn is_registered_text(format: &str) -> bool {
    matches!(
        format,
        "" | "char"
            | "commonmark"
            | "date-time-local"
            | "decimal"
            | "duration"
            | "email"
            | "hostname"
            | "html"
            | "http-date"
            | "idn-email"
            | "idn-hostname"
            | "int64"
            | "ipv4"
            | "ipv6"
            | "iri"
            | "iri-reference"
            | "json-pointer"
            | "media-range"
            | "regex"
            | "relative-json-pointer"
            | "sf-binary"
            | "sf-string"
            | "sf-token"
            | "time"
            | "time-local"
            | "uint64"
            | "uri-reference"
            | "uri-template"
    )
}

/// What 3.1's way of saying `byte` and `binary` means; `None` when it says neither.
pub(crate) fn content_text(encoding: Option<&str>, media_type: Option<&str>) -> Option<Text> {
    match encoding {
        Some("base64") => Some(Text::Format(TextFormat::Base64)),
        Some("binary") => Some(Text::Binary),
        Some(_) => None,
        None => {
            let media_type = media_type?.split(';').next()?.trim();
            let textual =
                media_type.starts_with("text/") || media_type.ends_with("json") || media_type.ends_with("xml");
            (!textual).then_some(Text::Binary)
        }
    }
}

/// What the format of an `integer` means; `None` for one that says nothing of the width.
pub(crate) fn int_width(format: &str) -> Option<IntWidth> {
    if let Ok(known) = IntegerFormat::from_str(format) {
        return Some(match known {
            IntegerFormat::Int32 => IntWidth::I32,
            IntegerFormat::Int64 => IntWidth::I64,
        });
    }
    match format {
        "int8" => Some(IntWidth::I8),
        "int16" => Some(IntWidth::I16),
        "" | "int" | "integer" | "long" => Some(IntWidth::I64),
        "uint8" | "u-int8" => Some(IntWidth::U8),
        "uint16" | "u-int16" => Some(IntWidth::U16),
        "uint32" | "u-int32" => Some(IntWidth::U32),
        "uint64" | "u-int64" | "uint" => Some(IntWidth::U64),
        _ => None,
    }
}

/// What the format of a `number` means; `None` for one that says nothing of the width.
pub(crate) fn float_width(format: &str) -> Option<FloatWidth> {
    if format.is_empty() {
        return Some(FloatWidth::F64);
    }
    match NumberFormat::from_str(format).ok()? {
        NumberFormat::Float => Some(FloatWidth::F32),
        NumberFormat::Double => Some(FloatWidth::F64),
    }
}

/// Whether a bound lies above what `i64` holds. JSON numbers beyond `u64` read as floats.
pub(crate) fn beyond_i64(bound: &Value) -> bool {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    bound.as_i64().is_none() && bound.as_f64().is_some_and(|bound| bound >= LIMIT)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_formats() {
        assert_eq!(text_format("date-time"), Some(Text::Format(TextFormat::DateTime)));
        assert_eq!(text_format("url"), Some(Text::Format(TextFormat::Uri)));
        assert_eq!(text_format("byte"), Some(Text::Format(TextFormat::Base64)));
        assert_eq!(text_format("binary"), Some(Text::Binary));
        assert_eq!(text_format("password"), Some(Text::Format(TextFormat::Plain)));
        assert_eq!(text_format("x-barcode"), None);
    }

    #[test]
    fn content_keywords_say_byte_and_binary() {
        assert_eq!(content_text(Some("base64"), Some("image/png")), Some(Text::Format(TextFormat::Base64)));
        assert_eq!(content_text(Some("binary"), None), Some(Text::Binary));
        assert_eq!(content_text(None, Some("application/octet-stream")), Some(Text::Binary));
        assert_eq!(content_text(None, Some("application/json; charset=utf-8")), None);
        assert_eq!(content_text(Some("quoted-printable"), None), None);
    }

    #[test]
    fn integer_widths() {
        assert_eq!(int_width("int32"), Some(IntWidth::I32));
        assert_eq!(int_width("uint64"), Some(IntWidth::U64));
        assert_eq!(int_width("unix-time"), None);
    }

    #[test]
    fn a_maximum_beyond_i64() {
        assert!(beyond_i64(&json!(u64::MAX)));
        assert!(beyond_i64(&json!(1e19)));
        assert!(!beyond_i64(&json!(i64::MAX)));
        assert!(!beyond_i64(&json!(-1e19)));
        assert!(!beyond_i64(&json!("many")));
    }
}
