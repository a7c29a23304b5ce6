//! The samples of a plan as calls, in the form of vectors.

use serde_json::{Map, Value, json};

use crate::case::Case;
use crate::vector::{items, members, text};

const BINARY: &str = "::cofferdam_runtime::http::BinaryBody";

/// A call of each operation, for a server at this URL. The document itself says what the plan does not: the media types
/// of files.
pub(crate) fn calls(case: &Case, document: &Value, base_url: &str) -> Vec<Value> {
    let credentials: Map<String, Value> = items(&case.plan, "credentials")
        .map(|credential| (text(credential, "scheme").to_owned(), given(credential)))
        .collect();
    let call = |(index, operation): (usize, &Value)| {
        let mut call = json!({
            "id": format!("{}-{index}", case.name),
            "case": case.name,
            "kind": "request",
            "operation_id": operation["id"],
            "arguments": arguments(operation),
            "setup": { "base_url": base_url, "credentials": credentials },
            "token_reply": {
                "status": 200,
                "headers": { "content-type": "application/json" },
                "text": r#"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#,
            },
        });
        if let Some(body) = body(case, document, operation) {
            call["body"] = body;
        }
        call
    };
    items(&case.plan, "operations").enumerate().map(call).collect()
}

fn given(credential: &Value) -> Value {
    match text(credential, "kind") {
        "basic" => json!(["user", "password"]),
        "client-credentials" => json!({ "client_id": "client", "client_secret": "secret" }),
        _ => json!("secret"),
    }
}

fn arguments(operation: &Value) -> Value {
    let mut arguments = json!({});
    for parameter in items(operation, "parameters").filter(|parameter| parameter.get("sample").is_some()) {
        arguments[text(parameter, "in")][text(parameter, "name")] = parameter["sample"].clone();
    }
    arguments
}

/// The body in its first media type that has a sample.
fn body(case: &Case, document: &Value, operation: &Value) -> Option<Value> {
    let (media_type, ty) = members(operation, "request")
        .find(|(media_type, _)| operation["request_samples"].get(media_type.as_str()).is_some())?;
    let (ty, sample) = (ty.as_str()?, &operation["request_samples"][media_type.as_str()]);
    let schema = items(&case.plan, "schemas").find(|schema| text(schema, "type") == ty);
    let mut body = json!({ "media_type": media_type });
    match schema.filter(|schema| items(schema, "fields").any(is_file)) {
        Some(schema) => {
            let method = text(operation, "method").to_lowercase();
            let written = &document["paths"][text(operation, "path")][method]["requestBody"]["content"];
            body["fields"] = parts(schema, sample, &written[media_type.as_str()]["encoding"]);
        }
        None if ty == BINARY => body["text"] = sample.clone(),
        None => body["json"] = sample.clone(),
    }
    Some(body)
}

fn is_file(field: &Value) -> bool {
    text(field, "type").contains("FilePart")
}

/// The parts of a multipart body: text where files are becomes files.
fn parts(schema: &Value, sample: &Value, encoding: &Value) -> Value {
    let mut parts = sample.clone();
    for field in items(schema, "fields").filter(|field| is_file(field)) {
        let name = text(field, "name");
        let Some(part) = parts.get_mut(name) else { continue };
        // Of several, the first: whoever sends a file has to choose.
        let media_type = encoding[name]["contentType"].as_str().and_then(|types| types.split(',').next());
        match part {
            Value::Array(files) => files.iter_mut().for_each(|content| *content = file(content, media_type)),
            content => *content = file(content, media_type),
        }
    }
    parts
}

fn file(content: &Value, media_type: Option<&str>) -> Value {
    json!({ "filename": "sample", "content_type": media_type, "text": content.as_str().unwrap_or_default() })
}
