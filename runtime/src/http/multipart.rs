//! `multipart/*` bodies.
//!
//! Scalars are parts of plain text without a content type of their own; objects are `application/json`; an array is one
//! part an item, all of one name. `encoding.contentType` overrides: JSON writes any value as JSON, one fixed type is set
//! on the part, and of several types a file must name the one it has.

use std::fmt;

use bytes::{BufMut, Bytes, BytesMut};
use serde_json::Value;

use super::{BuildError, Place, media_type};
use crate::wire::{DecodeError, EncodeError, Maybe, Wire, style};

/// A file in a multipart body: its bytes, and what the receiver is told about them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct FilePart {
    /// The name to give it. A path never leaves the program.
    pub filename: Option<String>,
    /// Its media type; the document's, or `application/octet-stream`, when not said.
    pub content_type: Option<String>,
    /// Its bytes.
    pub content: Bytes,
}

impl FilePart {
    /// A file without name and type.
    pub fn new(content: impl Into<Bytes>) -> Self {
        Self { filename: None, content_type: None, content: content.into() }
    }

    /// The same with a name.
    #[must_use]
    pub fn named(self, filename: impl Into<String>) -> Self {
        Self { filename: Some(filename.into()), ..self }
    }

    /// The same with a media type.
    #[must_use]
    pub fn typed(self, content_type: impl Into<String>) -> Self {
        Self { content_type: Some(content_type.into()), ..self }
    }
}

impl fmt::Debug for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilePart")
            .field("filename", &self.filename)
            .field("content_type", &self.content_type)
            .field("content", &format_args!("{} bytes", self.content.len()))
            .finish()
    }
}

/// Outside a multipart body, where a document uses one type for both, a file is its content, as text.
impl Wire for FilePart {
    fn encode(&self) -> Result<Value, EncodeError> {
        match std::str::from_utf8(&self.content) {
            Ok(text) => Ok(Value::from(text)),
            Err(_) => Err(EncodeError::new("a file that is not text has no JSON form")),
        }
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        String::decode(value).map(Self::new)
    }
}

/// What a file property may hold: a file, several, or none.
pub trait FileSource {
    /// The files in order.
    fn files(&self) -> Vec<&FilePart>;
}

impl FileSource for FilePart {
    fn files(&self) -> Vec<&FilePart> {
        vec![self]
    }
}

impl<F: FileSource> FileSource for Vec<F> {
    fn files(&self) -> Vec<&FilePart> {
        self.iter().flat_map(F::files).collect()
    }
}

impl<F: FileSource> FileSource for Option<F> {
    fn files(&self) -> Vec<&FilePart> {
        self.as_ref().map(F::files).unwrap_or_default()
    }
}

impl<F: FileSource> FileSource for Maybe<F> {
    fn files(&self) -> Vec<&FilePart> {
        self.as_ref().value().map(F::files).unwrap_or_default()
    }
}

/// One part of a multipart body.
#[derive(Clone, PartialEq, Eq)]
pub struct Part {
    /// The property's name.
    pub name: String,
    /// The file's name.
    pub filename: Option<String>,
    /// The part's media type.
    pub content_type: Option<String>,
    /// Its bytes.
    pub content: Bytes,
}

/// The parts of a multipart body, in order.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Multipart {
    /// The parts.
    pub parts: Vec<Part>,
    subtype: String,
}

impl Multipart {
    /// A body without parts yet, `multipart/form-data`.
    #[must_use]
    pub fn new() -> Self {
        Self { parts: Vec::new(), subtype: "form-data".to_owned() }
    }

    pub(super) fn set_media_type(&mut self, media_type: &str) {
        if let Some(subtype) = media_type::essence(media_type).strip_prefix("multipart/") {
            self.subtype = subtype.to_owned();
        }
    }

    /// Adds a property that is not a file. `null` is left out.
    pub fn field<T: Wire>(
        &mut self,
        name: &str,
        value: &T,
        content_types: &'static [&'static str],
    ) -> Result<(), BuildError> {
        let value = value.encode().map_err(|error| BuildError::new(Place::Body, name.to_owned(), error.to_string()))?;
        let items = match &value {
            Value::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        };
        for item in items {
            self.parts.extend(value_part(name, item, content_types)?);
        }
        Ok(())
    }

    /// Adds the files of a property, none when there is none.
    pub fn file(
        &mut self,
        name: &'static str,
        files: &impl FileSource,
        content_types: &'static [&'static str],
    ) -> Result<(), BuildError> {
        for file in files.files() {
            let content_type = file_type(name, file.content_type.as_deref(), content_types)?;
            self.parts.push(Part {
                name: name.to_owned(),
                filename: file.filename.clone(),
                content_type: Some(content_type),
                content: file.content.clone(),
            });
        }
        Ok(())
    }

    /// The `content-type` header that goes with a boundary.
    #[must_use]
    pub fn content_type(&self, boundary: &str) -> String {
        format!("multipart/{}; boundary={boundary}", self.subtype)
    }

    /// A boundary that none of the parts holds.
    #[must_use]
    pub fn boundary(&self) -> String {
        loop {
            let boundary = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
            let holds = |part: &Part| part.content.windows(boundary.len()).any(|window| window == boundary.as_bytes());
            if !self.parts.iter().any(holds) {
                return boundary;
            }
        }
    }

    /// The body, byte for byte, with a boundary.
    #[must_use]
    pub fn render(&self, boundary: &str) -> Bytes {
        let mut body = BytesMut::new();
        for part in &self.parts {
            body.put_slice(format!("--{boundary}\r\n{}\r\n", part.headers()).as_bytes());
            body.put_slice(&part.content);
            body.put_slice(b"\r\n");
        }
        body.put_slice(format!("--{boundary}--\r\n").as_bytes());
        body.freeze()
    }
}

impl Part {
    fn headers(&self) -> String {
        let mut headers = format!("Content-Disposition: form-data; name=\"{}\"", quoted(&self.name));
        if let Some(filename) = &self.filename {
            headers.push_str(&format!("; filename=\"{}\"", quoted(filename)));
        }
        headers.push_str("\r\n");
        if let Some(content_type) = &self.content_type {
            headers.push_str(&format!("Content-Type: {content_type}\r\n"));
        }
        headers
    }
}

/// As browsers write names: UTF-8, with the three characters escaped that would end the quotes or the line.
fn quoted(text: &str) -> String {
    text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

fn value_part(name: &str, value: &Value, content_types: &[&'static str]) -> Result<Option<Part>, BuildError> {
    let fixed = content_types.first().copied().filter(|content_type| !content_type.contains('*'));
    let as_json = match fixed.map(media_type::essence) {
        Some(essence) => media_type::is_json(&essence),
        None => value.is_object() || value.is_array(),
    };
    if !as_json && (value.is_object() || value.is_array()) {
        let message = format!("an object cannot be written as {}", fixed.unwrap_or_default());
        return Err(BuildError::new(Place::Body, name.to_owned(), message));
    }
    let Some(text) = style::plain_text(value) else {
        return Ok(None);
    };
    let (content_type, content) = if as_json {
        (Some(fixed.unwrap_or("application/json").to_owned()), value.to_string())
    } else {
        (fixed.map(str::to_owned), text.into_owned())
    };
    Ok(Some(Part { name: name.to_owned(), filename: None, content_type, content: content.into() }))
}

/// The type of a file among those the document allows.
fn file_type(name: &'static str, own: Option<&str>, allowed: &[&'static str]) -> Result<String, BuildError> {
    let wrong = |message: String| Err(BuildError::new(Place::Body, name, message));
    match (own, allowed) {
        (Some(own), _) if !is_media_type(own) => wrong("its content type is not a media type".to_owned()),
        (Some(own), []) => Ok(own.to_owned()),
        (Some(own), allowed) => {
            let essence = media_type::essence(own);
            match allowed.iter().any(|range| media_type::falls_under(&essence, range)) {
                true => Ok(own.to_owned()),
                false => wrong(format!("its content type must be {}", allowed.join(" or "))),
            }
        }
        (None, []) => Ok("application/octet-stream".to_owned()),
        (None, [fixed]) if !fixed.contains('*') => Ok((*fixed).to_owned()),
        (None, allowed) => wrong(format!("say its content type: {}", allowed.join(" or "))),
    }
}

/// `type/subtype` and perhaps parameters, nothing that could end the header.
fn is_media_type(text: &str) -> bool {
    media_type::essence(text).split_once('/').is_some_and(|(kind, subtype)| !kind.is_empty() && !subtype.is_empty())
        && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Part({:?}, {} bytes)", self.name, self.content.len())
    }
}

impl fmt::Debug for Multipart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Multipart").field(&self.parts).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> Result<Multipart, BuildError> {
        let mut form = Multipart::new();
        form.field("title", &"T é".to_owned(), &[])?;
        form.field("pages", &Some(3_i64), &[])?;
        form.field("meta", &json!({"lang": "en"}), &[])?;
        form.file("main", &FilePart::new(vec![0xff, 0x00]).named("m\"\r\n.pdf"), &["application/pdf"])?;
        form.file("extras", &vec![FilePart::new("A").named("a.bin"), FilePart::new("B")], &[])?;
        form.file("cover", &Maybe::Value(FilePart::new("P").typed("image/png")), &["image/png", "image/jpeg"])?;
        form.field("none", &None::<i64>, &[])?;
        form.file("absent", &None::<Vec<FilePart>>, &[])?;
        Ok(form)
    }

    #[test]
    fn renders_parts_in_order() {
        let body = report().unwrap().render("B");
        let expected: &[u8] = b"--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nT \xc3\xa9\r\n\
            --B\r\nContent-Disposition: form-data; name=\"pages\"\r\n\r\n3\r\n\
            --B\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"lang\":\"en\"}\r\n\
            --B\r\nContent-Disposition: form-data; name=\"main\"; filename=\"m%22%0D%0A.pdf\"\r\nContent-Type: application/pdf\r\n\r\n\xff\0\r\n\
            --B\r\nContent-Disposition: form-data; name=\"extras\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream\r\n\r\nA\r\n\
            --B\r\nContent-Disposition: form-data; name=\"extras\"\r\nContent-Type: application/octet-stream\r\n\r\nB\r\n\
            --B\r\nContent-Disposition: form-data; name=\"cover\"\r\nContent-Type: image/png\r\n\r\nP\r\n\
            --B--\r\n";
        assert_eq!(body.escape_ascii().to_string(), expected.escape_ascii().to_string());
        assert_eq!(report().unwrap().content_type("B"), "multipart/form-data; boundary=B");
    }

    #[test]
    fn arrays_are_one_part_an_item() {
        let mut form = Multipart::new();
        form.field("tags", &json!(["a", null, {"k": 1}]), &[]).unwrap();
        form.field("ids", &vec![1, 2], &["application/json"]).unwrap();
        let parts: Vec<_> = form.parts.iter().map(|part| (part.name.as_str(), part.content.as_ref())).collect();
        let expected: [(&str, &[u8]); 4] = [("tags", b"a"), ("tags", b"{\"k\":1}"), ("ids", b"1"), ("ids", b"2")];
        assert_eq!(parts, expected);
        assert_eq!(form.parts[0].content_type, None);
        assert_eq!(form.parts[1].content_type.as_deref(), Some("application/json"));
        assert_eq!(form.parts[2].content_type.as_deref(), Some("application/json"));
    }

    #[test]
    fn content_types_are_those_of_the_document() {
        let field = |value: Value, types| {
            let mut form = Multipart::new();
            form.field("x", &value, types).map(|()| form.parts)
        };
        assert_eq!(field(json!("a"), &["text/csv"]).unwrap()[0].content_type.as_deref(), Some("text/csv"));
        assert_eq!(field(json!("a"), &["application/json"]).unwrap()[0].content, "\"a\"");
        assert_eq!(
            field(json!({}), &["application/x+json"]).unwrap()[0].content_type.as_deref(),
            Some("application/x+json")
        );
        assert!(field(json!({}), &["application/xml"]).is_err());
        let file = |file: FilePart, types| {
            let mut form = Multipart::new();
            form.file("x", &file, types).map(|()| form.parts[0].content_type.clone().unwrap())
        };
        let typed = |own: &str| FilePart::new("").typed(own);
        assert_eq!(file(typed("image/png; a=b"), &["image/*"]).unwrap(), "image/png; a=b");
        assert_eq!(file(typed("text/csv"), &[]).unwrap(), "text/csv");
        for (own, types) in [
            (typed("image/gif"), &["image/png", "image/jpeg"][..]),
            (typed("image/gif"), &["application/pdf"]),
            (FilePart::new(""), &["image/png", "image/jpeg"]),
            (FilePart::new(""), &["image/*"]),
            (typed("a/b\r\nEvil: 1"), &[]),
            (typed("gif"), &[]),
        ] {
            let error = file(own, types).unwrap_err();
            assert_eq!((error.place, error.name.as_ref()), (Place::Body, "x"));
        }
    }

    #[test]
    fn a_boundary_is_in_no_part() {
        let form = report().unwrap();
        let boundary = form.boundary();
        assert_eq!(form.render(&boundary).windows(boundary.len()).filter(|w| *w == boundary.as_bytes()).count(), 8);
        assert_ne!(boundary, form.boundary());
    }

    #[test]
    fn debug_shows_no_content() {
        assert!(!format!("{:?} {:?}", FilePart::new("hunter2"), report().unwrap()).contains("hunter2"));
        let mut form = Multipart::new();
        form.field("password", &"hunter2".to_owned(), &[]).unwrap();
        assert!(!format!("{form:?}").contains("hunter2"));
    }
}
