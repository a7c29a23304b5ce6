//! An operation: its request out of a vector, its call, what it answered.

use serde_json::Value;

use super::answer;
use crate::vector::{items, members, text};

const BINARY: &str = "::cofferdam_runtime::http::BinaryBody";
const MULTIPART: &str = "::cofferdam_runtime::http::Multipart";

/// The functions of an operation: through the bare client, and through the adapter.
pub(crate) fn functions(plan: &Value, index: usize, operation: &Value) -> String {
    let rust = &operation["rust"];
    let (request, reply, rejection) = (text(rust, "request"), text(rust, "reply"), text(rust, "rejection"));
    let method = |path: &str| text(rust, path).rsplit("::").next().unwrap_or_default().to_owned();
    let (client, adapter) = (text(&plan["rust"], "client"), text(&plan["rust"], "adapter"));
    let (bare, protected) = (method("client"), method("adapter"));
    let (bare_key, protected_key) = keys(operation);
    let fields = fields(plan, operation);
    let bytes = byte_stream(operation).map(|stream| bytes(index, client, stream, &bare_key)).unwrap_or_default();
    let (said_reply, said_rejection) = (answer::reply(operation), answer::rejection(operation));
    format!(
        r"
async fn bare_{index}(ask: &Ask, client: &{client}) -> Result<Value, Unfit> {{
    let request = request_{index}(ask)?;
    Ok(match client.{bare}(&request{bare_key}).await {{
        Ok(reply) => reply_{index}(reply).ok(),
        Err(error) => said::failed(error, rejection_{index}),
    }})
}}

{bytes}
async fn protected_{index}(ask: &Ask, adapter: &root::{adapter}<AsIs>) -> Result<Value, Unfit> {{
    let request = request_{index}(ask)?;
    Ok(match adapter.{protected}(request{protected_key}).await {{
        Ok(reply) => reply_{index}(reply).ok(),
        Err(error) => said::refused(error, rejection_{index}),
    }})
}}

fn request_{index}(ask: &Ask) -> Result<{request}, Unfit> {{
    Ok({request} {{ {fields} }})
}}

fn reply_{index}(reply: {reply}) -> Said {{
    {said_reply}
}}

fn rejection_{index}(rejection: {rejection}) -> Said {{
    {said_rejection}
}}
"
    )
}

/// The form of an operation that gives the bytes of its reply in pieces.
pub(crate) fn byte_stream(operation: &Value) -> Option<&Value> {
    items(operation, "streams").find(|stream| text(stream, "form") == "bytes")
}

/// The function that reads the bytes of a reply piece by piece, with all its headers.
fn bytes(index: usize, client: &str, stream: &Value, key: &str) -> String {
    let method = text(stream, "client").rsplit("::").next().unwrap_or_default();
    format!(
        r"
async fn bytes_{index}(ask: &Ask, client: &{client}) -> Result<Value, Unfit> {{
    let request = request_{index}(ask)?;
    Ok(match client.{method}(&request{key}).await {{
        Ok(stream) => said::pieces(stream).await.ok(),
        Err(error) => said::failed(error, rejection_{index}),
    }})
}}
"
    )
}

/// The key as an argument of the client's method, and of the adapter's.
fn keys(operation: &Value) -> (String, String) {
    let key = &operation["key"];
    let (place, name) = (text(key, "in"), text(key, "name"));
    let given = format!("ask.key({place:?}, {name:?})");
    match (place, key["required"].as_bool()) {
        ("header" | "query", Some(true)) => {
            let given = format!("{given}.ok_or(\"a key is missing\")?");
            (format!(", &{given}"), format!(", {given}"))
        }
        ("header" | "query", _) => (format!(", {given}.as_ref()"), format!(", {given}")),
        _ => (String::new(), String::new()),
    }
}

fn fields(plan: &Value, operation: &Value) -> String {
    let mut fields = String::new();
    for parameter in items(operation, "parameters") {
        let Some(field) = parameter["field"].as_str() else { continue };
        let (place, name, ty) = (text(parameter, "in"), text(parameter, "name"), text(parameter, "type"));
        let how = if parameter["required"] == true { "required" } else { "optional" };
        fields.push_str(&format!("{field}: ask.{how}::<{ty}>({place:?}, {name:?})?,\n"));
    }
    if !operation["body"].is_null() {
        fields.push_str(&format!("{}: {},\n", text(&operation["body"], "field"), body(plan, operation)));
    }
    fields
}

fn body(plan: &Value, operation: &Value) -> String {
    let body = &operation["body"];
    let contents: Vec<(&String, &Value)> = members(operation, "request").collect();
    if body["three_state"] == true {
        return "ask.maybe_body()?".to_owned();
    }
    let given = match body["type"].as_str() {
        None => contents.first().map(|(_, ty)| content(plan, ty.as_str().unwrap_or_default())).unwrap_or_default(),
        Some(choice) => {
            let arms: String = contents
                .iter()
                .map(|(media_type, ty)| {
                    let variant = text(&body["variants"], media_type);
                    let content = content(plan, ty.as_str().unwrap_or_default());
                    format!("{media_type:?} => {choice}::{variant}({content}),\n")
                })
                .collect();
            format!("match ask.media_type() {{ {arms} other => return Err(format!(\"no body {{other}}\")), }}")
        }
    };
    match body["optional"] == true {
        true => format!("if ask.has_body() {{ Some({given}) }} else {{ None }}"),
        false => given,
    }
}

/// An expression of a body's type.
fn content(plan: &Value, ty: &str) -> String {
    let schema = items(plan, "schemas").find(|schema| text(schema, "type") == ty);
    match (ty, schema) {
        (BINARY, _) => "ask.bytes()?.into()".to_owned(),
        (MULTIPART, _) => format!("{MULTIPART}::new()"),
        (_, Some(schema)) if holds_files(schema) => parts(schema),
        (_, Some(schema)) if text(schema, "kind") == "union" => union(schema),
        _ => format!("ask.body::<{ty}>()?"),
    }
}

fn holds_files(schema: &Value) -> bool {
    items(schema, "fields").any(|field| text(field, "type").contains("FilePart"))
}

fn parts(schema: &Value) -> String {
    let fields: String = items(schema, "fields")
        .map(|field| {
            let (name, ty) = (text(field, "name"), text(field, "type"));
            let how = match ty {
                ty if ty.contains("FilePart") => "files",
                ty if ty.starts_with("::cofferdam_runtime::Maybe<") => "maybe_part",
                _ => "part",
            };
            format!("{}: ask.{how}({name:?})?,\n", text(field, "field"))
        })
        .collect();
    let extra = schema["extra"].as_str().map(|field| format!("{field}: Default::default(),\n")).unwrap_or_default();
    format!("{} {{ {fields}{extra} }}", text(schema, "type"))
}

fn union(schema: &Value) -> String {
    let (ty, property) = (text(schema, "type"), text(schema, "discriminator"));
    let arms: String = items(schema, "branches")
        .flat_map(|branch| {
            let variant = text(branch, "variant");
            items(branch, "tags")
                .map(move |tag| format!("Some({tag}) => {ty}::{variant}(ask.without_tag({property:?})?),\n"))
        })
        .collect();
    format!("match ask.branch() {{ {arms} _ => ask.body::<{ty}>()?, }}")
}
