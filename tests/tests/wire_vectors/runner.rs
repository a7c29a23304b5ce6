//! Runs the vectors of a file against the generated cases and prints those that do not hold.

#![allow(dead_code, unused_imports, clippy::all)]

mod glue;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cofferdam_runtime as rt;
use rt::http::{RawReply, RequestBody, RequestParts, RequestWriter};
use rt::wire::{Maybe, Wire};
use rt::{Decoded, FilePart, Operation};
use serde_json::{Value, json};

fn main() {
    let path = std::env::args().nth(1).expect("a file of vectors");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut ran = 0;
    for vector in file["vectors"].as_array().unwrap() {
        let text = |name: &str| vector[name].as_str().unwrap_or_default();
        let needs_connection = !vector["setup"].is_null() && vector["setup"]["credentials"].is_object();
        let found = match text("kind") {
            "request" if needs_connection => continue,
            "request" => request(vector, text("case"), text("operation_id")),
            "reply" => reply(vector, text("case"), text("operation_id")),
            "schema" => schema(vector, text("case"), text("schema")),
            _ => continue,
        };
        ran += 1;
        if let Err(found) = found {
            println!("{}: {} ({}): {found}", text("id"), text("claim"), vector["choice"]);
        }
    }
    println!("ran {ran} vectors");
}

type Check = Result<(), String>;

fn same(what: &str, expected: &Value, found: &Value) -> Check {
    if expected == found { Ok(()) } else { Err(format!("{what}: expected {expected}, found {found}")) }
}

fn request(vector: &Value, case: &str, id: &str) -> Check {
    let built = build(vector, case, id);
    if vector["expect_outcome"]["error"] == "before_send" {
        return match built {
            Ok(_) => Err("was built".to_owned()),
            Err(_) => Ok(()),
        };
    }
    let (parts, accept) = built?;
    let expect = &vector["expect_request"];
    same("method", &expect["method"], &json!(parts.method.as_str()))?;
    same("path", &expect["path_raw"], &json!(parts.path))?;
    if let Some(raw) = expect.get("query_raw") {
        same("query", raw, &json!(parts.query))?;
    }
    if let Some(any) = expect["query_raw_any_of"].as_array() {
        if !any.contains(&json!(parts.query)) {
            return Err(format!("query: expected one of {any:?}, found {}", parts.query));
        }
    }
    if let Some(pairs) = expect.get("query_pairs") {
        let found: Vec<Value> =
            parts.query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                json!([decoded(name), decoded(value)])
            }).collect();
        let mut expected: Vec<Value> = pairs.as_array().unwrap().clone();
        let mut found = found;
        expected.sort_by_key(Value::to_string);
        found.sort_by_key(Value::to_string);
        same("query pairs", &json!(expected), &json!(found))?;
    }
    let body = body_of(&parts);
    let header = |name: &str| match name {
        "accept" => json!(accept),
        name => parts.headers.get(name).map_or(Value::Null, |value| json!(String::from_utf8_lossy(value.as_bytes()))),
    };
    for (name, value) in expect["headers"].as_object().into_iter().flatten() {
        same(name, value, &header(name))?;
    }
    for name in expect["absent_headers"].as_array().into_iter().flatten() {
        same("absent header", &Value::Null, &header(name.as_str().unwrap()))?;
    }
    for (name, value) in expect["header_contains"].as_object().into_iter().flatten() {
        let found = header(name);
        if !found.as_str().unwrap_or_default().contains(value.as_str().unwrap()) {
            return Err(format!("{name}: expected to contain {value}, found {found}"));
        }
    }
    if let Some(expected) = expect.get("body_json") {
        same("body", expected, &serde_json::from_slice(&body).unwrap_or_default())?;
    }
    if let Some(expected) = expect.get("body_text") {
        same("body", expected, &json!(String::from_utf8_lossy(&body)))?;
    }
    if let Some(expected) = expect.get("body_base64") {
        same("body", expected, &json!(STANDARD.encode(&body)))?;
    }
    multipart(expect, &parts)
}

fn multipart(expect: &Value, parts: &RequestParts) -> Check {
    let RequestBody::Multipart(found) = &parts.body else { return Ok(()) };
    if let Some(names) = expect.get("part_names") {
        let found: Vec<&str> = found.parts.iter().map(|part| part.name.as_str()).collect();
        same("parts", names, &json!(found))?;
    }
    for (expected, found) in expect["parts"].as_array().into_iter().flatten().zip(&found.parts) {
        same("part", &expected["name"], &json!(found.name))?;
        if let Some(text) = expected.get("text") {
            same("part", text, &json!(String::from_utf8_lossy(&found.content)))?;
        }
        if let Some(text) = expected.get("json") {
            same("part", text, &serde_json::from_slice(&found.content).unwrap_or_default())?;
        }
        if let Some(text) = expected.get("base64") {
            same("part", text, &json!(STANDARD.encode(&found.content)))?;
        }
        for (name, found) in [("filename", &found.filename), ("content_type", &found.content_type)] {
            if let Some(text) = expected.get(name) {
                same(name, text, &json!(found))?;
            }
        }
    }
    match expect["parts"].as_array() {
        Some(parts) if parts.len() != found.parts.len() => Err(format!("{} parts", found.parts.len())),
        _ => Ok(()),
    }
}

fn build(vector: &Value, case: &str, id: &str) -> Result<(RequestParts, &'static str), String> {
    let method = vector["expect_request"]["method"].as_str().unwrap_or("POST");
    let mut out = RequestWriter::new(method);
    let accept = glue::request(case, id, (&vector["arguments"], &vector["body"]), &mut out)?;
    Ok((out.finish().map_err(|error| error.to_string())?, accept))
}

fn body_of(parts: &RequestParts) -> Vec<u8> {
    match &parts.body {
        RequestBody::Json(value) => value.to_string().into_bytes(),
        RequestBody::Bytes(bytes) => bytes.to_vec(),
        RequestBody::Form(pairs) => {
            let escape = |text: &str| -> String {
                text.bytes().map(|b| if b.is_ascii_alphanumeric() { (b as char).to_string() } else { format!("%{b:02X}") }).collect()
            };
            let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect();
            pairs.join("&").into_bytes()
        }
        _ => Vec::new(),
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = if *first == b'%' { std::str::from_utf8(&tail[..2]).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok()) } else { None };
        match escaped {
            Some(byte) => { bytes.push(byte); rest = &tail[2..]; }
            None => { bytes.push(*first); rest = tail; }
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn reply(vector: &Value, case: &str, id: &str) -> Check {
    let reply = &vector["reply"];
    let body = match reply["body_base64"].as_str() {
        Some(text) => STANDARD.decode(text).unwrap(),
        None => reply["text"].as_str().unwrap_or_default().as_bytes().to_vec(),
    };
    let mut headers = rt::HeaderMap::new();
    for (name, value) in reply["headers"].as_object().unwrap() {
        let name: &'static str = Box::leak(name.clone().into_boxed_str());
        headers.insert(name, value.as_str().unwrap().parse().unwrap());
    }
    let status = rt::StatusCode::from_u16(reply["status"].as_u64().unwrap() as u16).unwrap();
    let found = glue::reply(case, id, &RawReply::new(status, headers, body.into()));
    let expect = &vector["expect_outcome"];
    match expect["error"].as_str() {
        Some("undecodable") => names(expect, &found),
        Some(_) => {
            let found = found?;
            let kinds = if expect["variant"] == "default" { &["default"][..] } else { &["default", "documented"] };
            if !kinds.contains(&found["kind"].as_str().unwrap()) {
                return Err(format!("found {found}"));
            }
            content(expect, &found)
        }
        None => {
            let found = found?;
            same("kind", &json!("ok"), &found["kind"])?;
            content(&expect["ok"], &found)
        }
    }
}

fn names(expect: &Value, found: &Result<Value, String>) -> Check {
    let Err(error) = found else { return Err(format!("was read: {found:?}")) };
    let names = match &expect["names"] {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
        _ => Vec::new(),
    };
    match names.iter().find(|name| !error.contains(name.as_str())) {
        Some(name) => Err(format!("{name} is not in: {error}")),
        None => Ok(()),
    }
}

fn content(expect: &Value, found: &Value) -> Check {
    for name in ["json", "text", "base64", "unit"] {
        if let Some(expected) = expect.get(name) {
            same(name, expected, &found["content"][name])?;
        }
    }
    for (name, value) in expect["headers"].as_object().into_iter().flatten() {
        same(name, value, &found["content"]["headers"][name])?;
    }
    Ok(())
}

fn schema(vector: &Value, case: &str, name: &str) -> Check {
    let value: Value = serde_json::from_str(vector["decode"].as_str().unwrap()).unwrap();
    let found = glue::schema(case, name, &value);
    let expect = &vector["expect_outcome"];
    match expect.get("json") {
        Some(expected) => same("json", expected, &found?),
        None => match found {
            Ok(found) => Err(format!("was read: {found}")),
            Err(error) => match expect["field"].as_str() {
                Some(field) if !error.contains(field) => Err(error),
                _ => Ok(()),
            },
        },
    }
}

fn outcome(kind: &str, content: Value) -> Value {
    json!({ "kind": kind, "content": content })
}

fn argument<T: Wire>(args: &Value, place: &str, name: &str) -> Result<T, String> {
    read(&args[place][name])
}

fn read<T: Wire>(value: &Value) -> Result<T, String> {
    T::decode(value).map_err(|error| error.to_string())
}

fn written<T: Wire>(value: &T) -> Result<Value, String> {
    value.encode().map_err(|error| error.to_string())
}

fn round_trip<T: Wire>(value: &Value) -> Result<Value, String> {
    written(&read::<T>(value)?)
}

fn bytes(value: &Value) -> Result<rt::Bytes, String> {
    let bytes = STANDARD.decode(value.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
    Ok(bytes.into())
}

fn base64(bytes: &rt::Bytes) -> String {
    STANDARD.encode(bytes)
}

fn file(value: &Value) -> Result<FilePart, String> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    Ok(FilePart { filename: text("filename"), content_type: text("content_type"), content: bytes(&value["base64"])? })
}

fn files(value: &Value) -> Result<Option<Vec<FilePart>>, String> {
    value.as_array().map(|files| files.iter().map(file).collect()).transpose()
}

struct MaybeFile(Option<FilePart>);

fn maybe_file(value: &Value) -> Result<MaybeFile, String> {
    Ok(MaybeFile(if value.is_null() { None } else { Some(file(value)?) }))
}

impl MaybeFile {
    fn into_field<F: From<MaybeFile>>(self) -> F {
        F::from(self)
    }
}

impl From<MaybeFile> for Option<FilePart> {
    fn from(file: MaybeFile) -> Self {
        file.0
    }
}

impl From<MaybeFile> for Maybe<FilePart> {
    fn from(file: MaybeFile) -> Self {
        Maybe::or_absent(file.0)
    }
}
