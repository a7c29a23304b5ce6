use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue};

/// The parts of a `multipart/*` body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Multipart {
    /// What stands behind `multipart/`; `form-data` when empty.
    pub subtype: &'static str,
    /// The parts, in the order they are sent.
    pub parts: Vec<Part>,
}

/// One part.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// The file's name, when the part is a file.
    pub file_name: Option<String>,
    /// Its media type.
    pub media_type: Option<String>,
    /// Further headers the document asks for.
    pub headers: HeaderMap,
    /// Its bytes.
    pub body: Bytes,
}

impl Multipart {
    /// The value for `content-type` and the bytes. `None` if a media type could not stand in a header.
    pub(super) fn encode(&self) -> Option<(HeaderValue, Bytes)> {
        let boundary = self.unused_boundary();
        let subtype = if self.subtype.is_empty() { "form-data" } else { self.subtype };
        let content_type = HeaderValue::try_from(format!("multipart/{subtype}; boundary={boundary}")).ok()?;
        let mut out = BytesMut::new();
        for part in &self.parts {
            out.put_slice(format!("--{boundary}\r\n").as_bytes());
            part.write_head(&mut out)?;
            out.put_slice(&part.body);
            out.put_slice(b"\r\n");
        }
        out.put_slice(format!("--{boundary}--\r\n").as_bytes());
        Some((content_type, out.freeze()))
    }

    /// A boundary that occurs in no part, so that no content can end its part early.
    fn unused_boundary(&self) -> String {
        loop {
            let boundary = format!("cofferdam-{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
            let clash = |part: &Part| part.body.windows(boundary.len()).any(|bytes| bytes == boundary.as_bytes());
            if !self.parts.iter().any(clash) {
                return boundary;
            }
        }
    }
}

impl Part {
    fn write_head(&self, out: &mut BytesMut) -> Option<()> {
        out.put_slice(b"content-disposition: form-data; name=\"");
        out.put_slice(quoted(&self.name).as_bytes());
        if let Some(file_name) = &self.file_name {
            out.put_slice(b"\"; filename=\"");
            out.put_slice(quoted(file_name).as_bytes());
        }
        out.put_slice(b"\"\r\n");
        if let Some(media_type) = &self.media_type {
            let value = HeaderValue::try_from(media_type.as_str()).ok()?;
            out.put_slice(b"content-type: ");
            out.put_slice(value.as_bytes());
            out.put_slice(b"\r\n");
        }
        for (name, value) in &self.headers {
            out.put_slice(name.as_str().as_bytes());
            out.put_slice(b": ");
            out.put_slice(value.as_bytes());
            out.put_slice(b"\r\n");
        }
        out.put_slice(b"\r\n");
        Some(())
    }
}

/// Escapes as browsers do (WHATWG HTML, multipart/form-data): nothing can end the quotes or the line.
fn quoted(text: &str) -> String {
    text.replace('\r', "%0D").replace('\n', "%0A").replace('"', "%22")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_framed_and_names_cannot_break_out() {
        let part = Part {
            name: "a\"\r\nx: y".into(),
            file_name: Some("ф.txt".into()),
            media_type: Some("text/plain".into()),
            headers: HeaderMap::new(),
            body: Bytes::from_static(b"--hello"),
        };
        let body = Multipart { subtype: "", parts: vec![part] };
        let (content_type, bytes) = body.encode().unwrap();
        let boundary = content_type.to_str().unwrap().strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"a%22%0D%0Ax: y\"; filename=\"ф.txt\"\r\n\
             content-type: text/plain\r\n\r\n--hello\r\n--{boundary}--\r\n"
        );
        assert_eq!(std::str::from_utf8(&bytes).unwrap(), expected);
    }

    #[test]
    fn a_media_type_that_is_no_header_is_refused() {
        let part = Part {
            name: "a".into(),
            file_name: None,
            media_type: Some("text/plain\r\nx: y".into()),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        assert!(Multipart { subtype: "", parts: vec![part] }.encode().is_none());
    }
}
