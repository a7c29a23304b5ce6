//! `application/x-www-form-urlencoded` bodies.
//!
//! A property without `encoding` is written as OpenAPI's defaults say: a scalar as text, an array as one pair an item,
//! an object (also as an item) as JSON text. With `style`, `explode` or `allowReserved` it is written in that style, with
//! `contentType: application/json` as JSON text. `null` is left out. Order is that of the properties.

use bytes::Bytes;
use serde_json::Value;

use super::{RequestBody, media_type};
use crate::wire::style::{self, Escape, Style, StyleError};

/// How one property of a form or multipart body is written (OpenAPI's Encoding Object).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldEncoding {
    /// The property's name in JSON.
    pub name: &'static str,
    /// `contentType`, split at commas.
    pub content_types: &'static [&'static str],
    /// `style`.
    pub style: Option<Style>,
    /// `explode`.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
}

impl FieldEncoding {
    /// A property with nothing said but its name; set what else is known.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, content_types: &[], style: None, explode: None, allow_reserved: false }
    }

    fn styled(&self) -> Option<(Style, bool)> {
        let given = self.style.is_some() || self.explode.is_some() || self.allow_reserved;
        let style = self.style.unwrap_or(Style::Form);
        given.then(|| (style, self.explode.unwrap_or(style == Style::Form)))
    }
}

/// The body for an object, or the property that has no form and why.
pub(super) fn body(value: &Value, encodings: &[FieldEncoding]) -> Result<RequestBody, (String, StyleError)> {
    let Value::Object(members) = value else {
        return Err((String::new(), "a form is written from an object only".into()));
    };
    let encoding_of = |name: &str| encodings.iter().find(|encoding| encoding.name == name);
    let plain = members.iter().all(|(name, value)| encoding_of(name).is_none_or(|encoding| is_plain(value, encoding)));
    let mut pairs = Vec::new();
    for (name, value) in members {
        let written = field(name, value, encoding_of(name), plain).map_err(|error| (name.clone(), error))?;
        pairs.extend(written);
    }
    Ok(if plain { RequestBody::Form(pairs) } else { RequestBody::Bytes(joined(&pairs)) })
}

/// Whether the property's pairs mean the same when they are escaped as a whole: no raw delimiter, no raw reserved
/// character.
fn is_plain(value: &Value, encoding: &FieldEncoding) -> bool {
    let nested = value.is_array() || value.is_object();
    !encoding.allow_reserved
        && encoding.styled().is_none_or(|(style, explode)| explode || style == Style::DeepObject || !nested)
}

fn field(
    name: &str,
    value: &Value,
    encoding: Option<&FieldEncoding>,
    plain: bool,
) -> Result<Vec<(String, String)>, StyleError> {
    let escape = if plain { Escape::Plain } else { Escape::Form };
    if let Some((encoding, (style, explode))) = encoding.and_then(|encoding| Some((encoding, encoding.styled()?))) {
        let escape = if encoding.allow_reserved { Escape::FormReserved } else { escape };
        return style::pairs(name, value, style, explode, escape);
    }
    let content_types = encoding.map_or(&[][..], |encoding| encoding.content_types);
    let pair = |text: &str| (escape.name(name), escape.apply(text, None));
    match content_types.first().map(|content_type| media_type::essence(content_type)) {
        _ if value.is_null() => Ok(Vec::new()),
        Some(essence) if media_type::is_json(&essence) => Ok(vec![pair(&value.to_string())]),
        Some(essence) if !essence.starts_with("text/") => {
            Err(format!("a form cannot hold the content type {essence}").into())
        }
        _ => {
            let items = match value {
                Value::Array(items) => items.as_slice(),
                other => std::slice::from_ref(other),
            };
            Ok(items.iter().filter_map(style::plain_text).map(|text| pair(&text)).collect())
        }
    }
}

/// Escaped pairs as a body.
fn joined(pairs: &[(String, String)]) -> Bytes {
    pairs.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("&").into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(value: Value, encodings: &[FieldEncoding]) -> String {
        let bytes = match body(&value, encodings).unwrap() {
            RequestBody::Form(pairs) => {
                url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish().into()
            }
            RequestBody::Bytes(bytes) => bytes,
            other => panic!("{other:?}"),
        };
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    fn styled(name: &'static str, style: Style, explode: Option<bool>) -> FieldEncoding {
        FieldEncoding { style: Some(style), explode, ..FieldEncoding::new(name) }
    }

    #[test]
    fn scalars_and_arrays_in_field_order() {
        assert_eq!(sent(json!({"title": "t", "parts": ["a", "b"]}), &[]), "title=t&parts=a&parts=b");
        assert_eq!(sent(json!({"z": 1, "a": true, "n": null, "e": "", "none": []}), &[]), "z=1&a=true&e=");
        assert_eq!(sent(json!({"a b": "c d+é&="}), &[]), "a+b=c+d%2B%C3%A9%26%3D");
    }

    #[test]
    fn objects_are_json_text_unless_a_style_is_given() {
        let value = json!({"o": {"k": [1]}, "list": [{"a": 1}]});
        assert_eq!(sent(value.clone(), &[]), "o=%7B%22k%22%3A%5B1%5D%7D&list=%7B%22a%22%3A1%7D");
        let deep = [styled("o", Style::DeepObject, None), styled("list", Style::DeepObject, Some(false))];
        assert_eq!(sent(value.clone(), &deep), "o%5Bk%5D%5B0%5D=1&list%5B0%5D%5Ba%5D=1");
        let json = [FieldEncoding { content_types: &["application/json"], ..FieldEncoding::new("list") }];
        assert_eq!(sent(value, &json), "o=%7B%22k%22%3A%5B1%5D%7D&list=%5B%7B%22a%22%3A1%7D%5D");
    }

    #[test]
    fn delimiters_stay_raw_and_inner_ones_are_escaped() {
        let value = json!({"a": ["x,1", "y z"], "b": "p q"});
        assert_eq!(sent(value.clone(), &[styled("a", Style::Form, Some(false))]), "a=x%2C1,y+z&b=p+q");
        assert_eq!(sent(value.clone(), &[styled("a", Style::PipeDelimited, None)]), "a=x%2C1%7Cy+z&b=p+q");
        let error = body(&value, &[styled("a", Style::SpaceDelimited, None)]).unwrap_err();
        assert_eq!(error.0, "a");
        let reserved = [FieldEncoding { allow_reserved: true, ..FieldEncoding::new("a") }];
        assert_eq!(sent(json!({"a": "a/b?c&d+e f%20"}), &reserved), "a=a/b?c%26d%2Be+f%2520");
    }

    #[test]
    fn what_is_no_object_or_no_text_is_refused() {
        assert!(body(&json!([]), &[]).is_err());
        let xml = [FieldEncoding { content_types: &["application/xml"], ..FieldEncoding::new("a") }];
        assert_eq!(body(&json!({"a": {}}), &xml).unwrap_err().0, "a");
        assert!(body(&json!({"a": null}), &xml).is_ok());
    }
}
