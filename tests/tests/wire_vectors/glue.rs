//! The code between the vectors and a generated case: one arm an operation for its request, one for its reply, one a
//! component for its schema.

use std::fmt::Write as _;

use cofferdam::model::{ContentKind, Operation, ParameterPlace, Response, SchemaKind, Status, Type, TypeUse};
use cofferdam::plan::{KeyPlace, PlannedOperation};

use crate::cases::Generated;

/// The module `glue` of the program.
pub fn glue(generated: &[Generated]) -> String {
    let mut code = String::from(
        "use super::*;\n\
         type Arguments<'a> = (&'a Value, &'a Value);\n",
    );
    code.push_str("pub fn request(case: &str, id: &str, (args, body): Arguments<'_>, out: &mut RequestWriter) -> Result<&'static str, String> {\n");
    code.push_str("    match (case, id) {\n");
    each_operation(generated, &mut code, request);
    code.push_str("        _ => Err(format!(\"no glue for {case} {id}\")),\n    }\n}\n\n");
    code.push_str(
        "pub fn reply(case: &str, id: &str, reply: &RawReply) -> Result<Value, String> {\n    match (case, id) {\n",
    );
    each_operation(generated, &mut code, reply);
    code.push_str("        _ => Err(format!(\"no glue for {case} {id}\")),\n    }\n}\n\n");
    code.push_str(
        "pub fn schema(case: &str, name: &str, value: &Value) -> Result<Value, String> {\n    match (case, name) {\n",
    );
    for one in generated {
        for (def, name) in one.plan.api.schemas.iter().zip(&one.plan.names.types) {
            let cofferdam::model::NameSource::Component(wire) = &def.name else { continue };
            // Of two components of one name in two files, the one in the root document.
            if def.origin.file > 0 {
                continue;
            }
            let (case, module) = (&one.case, &one.module);
            let ty = format!("{module}::types::{name}");
            let _ = writeln!(code, "        ({case:?}, {wire:?}) => round_trip::<{ty}>(value),");
        }
    }
    code.push_str("        _ => Err(format!(\"no glue for {case} {name}\")),\n    }\n}\n");
    code
}

fn each_operation(
    generated: &[Generated],
    code: &mut String,
    arm: impl Fn(&Generated, &PlannedOperation, &Operation) -> String,
) {
    for one in generated {
        for planned in &one.plan.operations {
            let operation = one.plan.operation(planned);
            let (case, id) = (&one.case, &operation.id);
            let _ = writeln!(code, "        ({case:?}, {id:?}) => {{\n{}        }}", arm(one, planned, operation));
        }
    }
}

fn request(one: &Generated, planned: &PlannedOperation, operation: &Operation) -> String {
    let names = &one.plan.names.operations[planned.index];
    let module = format!("{}::operations", one.module);
    let mut fields = String::new();
    let mut key = "None".to_owned();
    for (parameter, name) in operation.parameters.iter().zip(&names.parameters) {
        let place = match parameter.place {
            ParameterPlace::Path => "path",
            ParameterPlace::Query => "query",
            ParameterPlace::Header => "header",
            ParameterPlace::Cookie => "cookie",
        };
        let read = format!("argument(args, {place:?}, {:?})?", parameter.name);
        let key_read = format!("argument::<Option<String>>(args, {place:?}, {:?})?", parameter.name);
        let is_key = matches!(&planned.key, Some(KeyPlace::Header { name, .. }) if *name == parameter.name);
        if is_key {
            key = format!("{key_read}.map(rt::IdempotencyKey::new)");
        } else {
            let _ = write!(fields, "{name}: {read}, ");
        }
    }
    if let Some(body) = &operation.body {
        let values: Vec<String> =
            body.contents.iter().map(|content| body_value(one, content.kind, &content.ty)).collect();
        let value = match values.as_slice() {
            [only] => only.clone(),
            several => {
                let arms =
                    several.iter().zip(&body.contents).zip(&names.body_variants).map(|((value, content), variant)| {
                        format!("{:?} => {module}::{}::{variant}({value}), ", content.media_type, names.body_type)
                    });
                format!(
                    "match body[\"media_type\"].as_str().unwrap_or_default() {{ {} _ => return Err(\"media type\".into()) }}",
                    arms.collect::<String>()
                )
            }
        };
        let value =
            if body.required { value } else { format!("if body.is_null() {{ None }} else {{ Some({value}) }}") };
        let _ = write!(fields, "{}: {value}", names.body);
    }
    let (marker, request) = (format!("{module}::{}", names.marker), format!("{module}::{}", names.request));
    format!(
        "            let request = {request} {{ {fields} }};\n            let key: Option<rt::IdempotencyKey> = {key};\n            \
         {marker}::encode(&request, key.as_ref(), out).map_err(|error| error.to_string())?;\n            \
         Ok(<{marker} as Operation>::META.accept)\n"
    )
}

fn body_value(one: &Generated, kind: ContentKind, ty: &TypeUse) -> String {
    match kind {
        ContentKind::Json | ContentKind::Form => format!(
            "if let Some(without_tag) = body.get(\"json_without_tag\") {{ {} }} else {{ read(&body[\"json\"])? }}",
            by_variant(one, ty)
        ),
        ContentKind::Binary => "bytes(&body[\"base64\"])?".to_owned(),
        ContentKind::Multipart => {
            let Type::Named(id) = &ty.ty else { return "Default::default()".to_owned() };
            let SchemaKind::Object { fields, .. } = &one.plan.api.schema(*id).kind else {
                return "Default::default()".to_owned();
            };
            let names = &one.plan.names.members[id.index()].fields;
            let values = fields.iter().zip(names).map(|(field, name)| {
                let value = format!("&body[\"fields\"][{:?}]", field.wire);
                let read = match &field.ty.ty {
                    Type::Binary if field.required => format!("file({value})?"),
                    Type::Binary => format!("maybe_file({value})?.into_field()"),
                    Type::Array(item) if item.ty == Type::Binary => format!("files({value})?"),
                    _ => format!("read({value})?"),
                };
                format!("{name}: {read}, ")
            });
            let ty = format!("{}::types::{}", one.module, one.plan.names.types[id.index()]);
            format!("{ty} {{ {} }}", values.collect::<String>())
        }
        _ => "read(&body[\"json\"])?".to_owned(),
    }
}

/// A branch of a union by its tag, out of what it has beside the tag: as a caller makes it who never sets the tag.
fn by_variant(one: &Generated, ty: &TypeUse) -> String {
    let refuse = "return Err(format!(\"no variant for {without_tag}\"))";
    let Type::Named(id) = &ty.ty else { return refuse.to_owned() };
    let SchemaKind::Union { branches, .. } = &one.plan.api.schema(*id).kind else { return refuse.to_owned() };
    let union = format!("{}::types::{}", one.module, one.plan.names.types[id.index()]);
    let variants = &one.plan.names.members[id.index()].variants;
    let tagged =
        branches.iter().zip(variants).flat_map(|(branch, variant)| branch.tags.iter().map(move |tag| (tag, variant)));
    let arms = tagged.map(|(tag, variant)| format!("Some({tag:?}) => {union}::{variant}(read(without_tag)?), "));
    format!("match body[\"variant\"].as_str() {{ {} _ => {refuse} }}", arms.collect::<String>())
}

fn reply(one: &Generated, planned: &PlannedOperation, operation: &Operation) -> String {
    let names = &one.plan.names.operations[planned.index];
    let module = format!("{}::operations", one.module);
    let is_success = |status: Status| matches!(status, Status::Code(200..300) | Status::Range(2));
    let successes = operation.responses.iter().filter(|response| is_success(response.status)).count();
    let mut arms = String::new();
    let parts = operation.responses.iter().zip(&names.responses).zip(&names.response_parts);
    for ((response, variant), parts) in parts {
        let value = payload(response, &parts.headers);
        let has_content = !response.contents.is_empty() || !response.headers.is_empty();
        let inner = if has_content { "body" } else { "_" };
        if is_success(response.status) {
            let pattern = match (successes, has_content) {
                (1, _) => inner.to_owned(),
                (_, true) => format!("{module}::{}::{variant}(body)", names.reply),
                (_, false) => format!("{module}::{}::{variant}", names.reply),
            };
            let _ = writeln!(arms, "                Decoded::Reply({pattern}) => outcome(\"ok\", {value}),");
        } else {
            let rejection = format!("{module}::{}::{variant}", names.rejection);
            let pattern = match (response.status, has_content) {
                (Status::Code(_), true) => format!("{rejection}(body)"),
                (Status::Code(_), false) => rejection,
                (_, true) => format!("{rejection} {{ body, .. }}"),
                (_, false) => format!("{rejection} {{ .. }}"),
            };
            let kind = if response.status == Status::Default { "default" } else { "documented" };
            let _ = writeln!(arms, "                Decoded::Rejection({pattern}) => outcome({kind:?}, {value}),");
        }
    }
    let rejects = operation.responses.iter().any(|response| !is_success(response.status));
    if !rejects {
        arms.push_str("                Decoded::Rejection(never) => match never {},\n");
    }
    format!(
        "            Ok(match {module}::{}::decode(reply).map_err(|error| error.to_string())? {{\n{arms}                \
         Decoded::Undocumented => outcome(\"undocumented\", json!({{}})),\n            }})\n",
        names.marker
    )
}

/// What `body` holds, as JSON.
fn payload(response: &Response, headers: &[String]) -> String {
    let body = match (response.headers.is_empty(), response.contents.is_empty()) {
        (true, false) => "&body",
        (false, false) => "&body.body",
        _ => "",
    };
    let mut members = match response.contents.first().map(|content| content.kind) {
        Some(ContentKind::Json | ContentKind::Form) => format!("\"json\": written({body})?"),
        Some(ContentKind::Binary | ContentKind::Multipart) => format!("\"base64\": base64({body})"),
        Some(_) => format!("\"text\": {body}"),
        None => "\"unit\": true".to_owned(),
    };
    let headers = response
        .headers
        .iter()
        .zip(headers)
        .map(|(header, field)| format!("{:?}: written(&body.{field})?, ", header.name.to_ascii_lowercase()));
    let headers: String = headers.collect();
    if !headers.is_empty() {
        let _ = write!(members, ", \"headers\": {{ {headers} }}");
    }
    format!("json!({{ {members} }})")
}
