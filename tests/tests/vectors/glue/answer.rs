//! Replies and rejections: which response they are, and what it says.

use serde_json::Value;

use crate::vector::{items, members, text};

const BYTES: &str = "::cofferdam_runtime::Bytes";

/// The body of a function that tells what `reply` is.
pub(crate) fn reply(operation: &Value) -> String {
    let answers: Vec<&Value> = side(operation, "reply");
    match answers.as_slice() {
        [] => "let () = reply; Said::of(\"\").nothing()".to_owned(),
        [only] if only["variant"].is_null() => {
            let status = text(only, "status");
            format!("let payload = reply; Said::of({status:?}){}", said(operation, only, "payload"))
        }
        several => matched(operation, "reply", text(&operation["rust"], "reply"), several),
    }
}

/// The body of a function that tells what `rejection` is.
pub(crate) fn rejection(operation: &Value) -> String {
    let answers = side(operation, "rejection");
    if answers.is_empty() {
        return "match rejection {}".to_owned();
    }
    matched(operation, "rejection", text(&operation["rust"], "rejection"), &answers)
}

fn side<'v>(operation: &'v Value, side: &str) -> Vec<&'v Value> {
    items(operation, "answers").filter(|answer| text(answer, "side") == side).collect()
}

fn matched(operation: &Value, value: &str, ty: &str, answers: &[&Value]) -> String {
    let arms: String = answers
        .iter()
        .map(|answer| {
            let (variant, status) = (text(answer, "variant"), text(answer, "status"));
            let has_payload = !answer["payload"].is_null();
            let (pattern, first) = match (answer["has_status"] == true, has_payload) {
                (true, true) => ("{ status, body: payload }", ".status(status)"),
                (true, false) => ("{ status }", ".status(status)"),
                (false, true) => ("(payload)", ""),
                (false, false) => ("", ""),
            };
            let said = said(operation, answer, "payload");
            format!("{ty}::{variant} {pattern} => Said::of({status:?}){first}{said},\n")
        })
        .collect();
    format!("match {value} {{ {arms} }}")
}

/// What follows `Said::of(…)` for a payload of this name.
fn said(operation: &Value, answer: &Value, payload: &str) -> String {
    let contents: Vec<(&String, &Value)> = members(&operation["responses"], text(answer, "status")).collect();
    let with_headers = members(answer, "headers").next().is_some();
    let body = if with_headers { format!("{payload}.body") } else { payload.to_owned() };
    let headers: String = members(answer, "headers")
        .map(|(name, field)| format!(".header({name:?}, &{payload}.{})", field.as_str().unwrap_or_default()))
        .collect();
    let body = match (contents.as_slice(), answer["type"].as_str()) {
        ([], _) => ".nothing()".to_owned(),
        ([(media_type, ty), ..], None) => content(media_type, ty, &body),
        (several, Some(choice)) => return choice_of(answer, choice, several, &body) + &headers,
    };
    body + &headers
}

fn choice_of(answer: &Value, choice: &str, contents: &[(&String, &Value)], body: &str) -> String {
    let arms: String = contents
        .iter()
        .map(|(media_type, ty)| {
            let variant = text(&answer["variants"], media_type);
            let said = content(media_type, ty, "payload");
            format!("{choice}::{variant}(payload) => said.media_type({media_type:?}){said},\n")
        })
        .collect();
    format!(".choose(|said| match &{body} {{ {arms} }})")
}

fn content(media_type: &str, ty: &Value, value: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let is_json = essence == "application/json" || essence.ends_with("+json");
    match ty.as_str().unwrap_or_default() {
        BYTES => format!(".bytes(&{value})"),
        "String" if !is_json => format!(".text(&{value})"),
        _ => format!(".json(&{value})"),
    }
}
