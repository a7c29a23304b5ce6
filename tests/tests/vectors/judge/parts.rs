//! Multipart bodies, taken apart.

use serde_json::{Value, json};

/// A part of a body.
pub(crate) struct Part {
    name: String,
    filename: Option<String>,
    content_type: Option<String>,
    content: Vec<u8>,
}

/// The parts of a body, its content type being this.
pub(crate) fn parts(content_type: &str, body: &[u8]) -> Result<Vec<Part>, String> {
    let boundary = content_type.split_once("boundary=").ok_or("no boundary")?.1.trim_matches('"');
    let opening = format!("--{boundary}\r\n");
    let closing = format!("\r\n--{boundary}--");
    let body: String = body.iter().map(|byte| char::from(*byte)).collect();
    let inner = body.strip_prefix(&opening).ok_or("the body does not begin with its boundary")?;
    let end = inner.rfind(&closing).ok_or("the body does not end with its boundary")?;
    inner[..end].split(&format!("\r\n{opening}")).map(part).collect()
}

fn part(text: &str) -> Result<Part, String> {
    let (head, content) = text.split_once("\r\n\r\n").ok_or("a part without a head")?;
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let disposition = header("content-disposition").ok_or("a part without a disposition")?;
    let parameter = |name: &str| {
        let from = disposition.split_once(&format!("; {name}=\""))?.1;
        Some(latin_to_text(from.split('"').next().unwrap_or_default()))
    };
    Ok(Part {
        name: parameter("name").ok_or("a part without a name")?,
        filename: parameter("filename"),
        content_type: header("content-type"),
        content: bytes(content),
    })
}

fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect()
}

fn latin_to_text(text: &str) -> String {
    String::from_utf8_lossy(&bytes(text)).into_owned()
}

impl Part {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Of all that a vector says of a part, what this one says.
    pub(crate) fn told(&self, expected: &Value) -> Value {
        let mut told = json!({});
        for (key, _) in expected.as_object().into_iter().flatten() {
            told[key] = match key.as_str() {
                "name" => json!(self.name),
                "filename" => json!(self.filename),
                "content_type" => json!(self.content_type),
                "text" => json!(String::from_utf8_lossy(&self.content)),
                "json" => serde_json::from_slice(&self.content).unwrap_or_default(),
                "base64" => {
                    use base64::Engine as _;
                    json!(base64::engine::general_purpose::STANDARD.encode(&self.content))
                }
                other => json!(format!("not understood: {other}")),
            };
        }
        told
    }
}
