use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::VIEW_VERSION;
use super::contract::literal;
use crate::analyse::{contents, forms};
use crate::model::{Api, Body, ContentKind, Operation};
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan};
use crate::render::docs;
use crate::sample::OperationSamples;

/// The resilience tests of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ResilienceView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// Documentation lines of the module, ready for `//!`.
    pub docs: Vec<String>,
    /// `SberAdapter`
    pub adapter: String,
    /// The path of the module `operations`.
    pub operations: String,
    /// The path of the root of the generated modules.
    pub root: String,
    /// They are a test of a crate: the hand-written file is a module of their own.
    pub is_own_crate: bool,
    /// The calls that are tried.
    pub cases: Vec<ResilienceCase>,
}

/// A call that is tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ResilienceCase {
    /// The operation's id, as a literal.
    pub id: String,
    /// `Read`, `Keyed`, or `Once`.
    pub kind: String,
    /// The status of a success.
    pub status: u16,
    /// The media type of a success, as a literal; empty without a body.
    pub media_type: String,
    /// The body of a success, as a literal.
    pub body: String,
    /// The adapter's method.
    pub method: String,
    /// The request as an expression.
    pub request: String,
    /// What follows the request as an argument, with its comma; or nothing.
    pub key: String,
}

/// The view of a system's resilience tests. `is_mapped` knows operations by their types; `root` is the path of the root
/// module.
#[must_use]
pub fn resilience(
    plan: &SystemPlan,
    samples: &[OperationSamples],
    is_mapped: impl Fn(&str) -> bool,
    root: &str,
    is_own_crate: bool,
) -> ResilienceView {
    let (mut cases, mut untried) = (Vec::new(), Vec::new());
    for (planned, samples) in plan.operations.iter().zip(samples) {
        match of_operation(plan, planned, samples, &is_mapped) {
            Ok(found) => cases.extend(found),
            Err(reason) => untried.push(format!(" - {}: {reason}", docs::code(&plan.operation(planned).id))),
        }
    }
    let mut lines = vec![
        format!(" What protects the calls to {}, tried at a server that misbehaves.", docs::code(&plan.system)),
        String::new(),
        " The adapter is the generated one with your mapping, but for its requests: these are samples of the document. It".to_owned(),
        " runs under your settings with shorter waits. What is yours in it stands in `trial`.".to_owned(),
    ];
    if !untried.is_empty() {
        lines.extend([String::new(), " Not tried:".to_owned()]);
        lines.append(&mut untried);
    }
    ResilienceView {
        view_version: VIEW_VERSION,
        docs: lines,
        adapter: format!("{}Adapter", plan.type_prefix),
        operations: format!("{root}::operations"),
        root: root.to_owned(),
        is_own_crate,
        cases,
    }
}

/// The calls of an operation: two where a key may be left out. Why there are none.
fn of_operation(
    plan: &SystemPlan,
    planned: &PlannedOperation,
    samples: &OperationSamples,
    is_mapped: impl Fn(&str) -> bool,
) -> Result<Vec<ResilienceCase>, &'static str> {
    let operation = plan.operation(planned);
    let names = plan.names.operations.get(planned.index).ok_or("it has no name")?;
    if !forms(operation).whole {
        return Err("it answers item by item");
    }
    if !is_mapped(&names.marker) {
        return Err("nothing maps it yet");
    }
    if holds_types_of_the_project(&plan.api, operation) {
        return Err("types of your own are in it, and only they know which values they take");
    }
    let request = request(plan, planned, operation, samples)?;
    let (status, body) = samples.reply.as_ref().map_or((200, None), |reply| (reply.status, reply.body.as_ref()));
    let (media_type, text) = match body {
        Some((media_type, Value::String(text))) if !media_type.contains("json") => (media_type.as_str(), text.clone()),
        Some((media_type, value)) => (media_type.as_str(), value.to_string()),
        None => ("", String::new()),
    };
    let case = |kind: &str, key: &str| ResilienceCase {
        id: literal(&operation.id),
        kind: kind.to_owned(),
        status,
        media_type: literal(media_type),
        body: literal(&text),
        method: names.method.clone(),
        request: request.clone(),
        key: key.to_owned(),
    };
    const RANDOM: &str = "::cofferdam_runtime::IdempotencyKey::random()";
    Ok(match (planned.kind, &planned.key) {
        (OperationKind::Read, _) => vec![case("Read", "")],
        (OperationKind::Once, _) => vec![case("Once", "")],
        (OperationKind::Keyed, Some(KeyPlace::Header { required, .. } | KeyPlace::Query { required, .. })) => {
            if *required {
                vec![case("Keyed", &format!(", {RANDOM}"))]
            } else {
                vec![case("Keyed", &format!(", Some({RANDOM})")), case("Once", ", None")]
            }
        }
        (OperationKind::Keyed, _) => vec![case("Keyed", "")],
    })
}

/// Whether anything an operation sends or receives holds a type that the project brings: a sample of the document need
/// be none of its values. Types that the runtime knows take what their formats do.
fn holds_types_of_the_project(api: &Api, operation: &Operation) -> bool {
    let (mut pending, received) = contents::of_operation(operation);
    pending.extend(received);
    let mut seen = BTreeSet::new();
    while let Some(used) = pending.pop() {
        let mut is_own = false;
        contents::own(&used.ty, &mut |own| is_own |= own.own.feature.is_none() && !own.own.path.starts_with("rt::"));
        if is_own {
            return true;
        }
        contents::named(&used.ty, &mut |id| {
            if seen.insert(id) {
                let def = api.schema(id);
                pending.extend(contents::members(def).into_iter().map(|(_, ty)| ty).chain(contents::kept_extra(def)));
            }
        });
    }
    false
}

/// The request as an expression: what must be given, from samples.
fn request(
    plan: &SystemPlan,
    planned: &PlannedOperation,
    operation: &Operation,
    samples: &OperationSamples,
) -> Result<String, &'static str> {
    let names = plan.names.operations.get(planned.index).ok_or("it has no name")?;
    let mut fields = Vec::new();
    let parameters = operation.parameters.iter().zip(&names.parameters).zip(&samples.parameters);
    for ((parameter, name), sample) in parameters.filter(|((parameter, _), _)| !planned.is_key(parameter)) {
        let value = match sample {
            _ if !parameter.required => "None".to_owned(),
            Some(value) => sampled(value),
            None => return Err("there is no sample of a parameter"),
        };
        fields.push(format!("{}: {value}", raw(name)));
    }
    if let Some(body) = &operation.body {
        let value = body_value(plan, planned, body, samples)?;
        fields.push(format!("{}: {value}", raw(&names.body)));
    }
    Ok(format!("operations::{} {{ {} }}", names.request, fields.join(", ")))
}

fn body_value(
    plan: &SystemPlan,
    planned: &PlannedOperation,
    body: &Body,
    samples: &OperationSamples,
) -> Result<String, &'static str> {
    let names = plan.names.operations.get(planned.index).ok_or("it has no name")?;
    let key_path = match &planned.key {
        Some(KeyPlace::Body { path }) => Some(path),
        _ => None,
    };
    if !body.required && key_path.is_none() {
        return Ok("Default::default()".to_owned());
    }
    let readable = |kind| matches!(kind, ContentKind::Json | ContentKind::Form);
    let (index, content) = (body.contents.iter().enumerate())
        .find(|(_, content)| readable(content.kind))
        .ok_or("its body is neither JSON nor a form")?;
    let sample = samples.bodies.get(index).and_then(Option::as_ref).ok_or("there is no sample of its body")?;
    if let Some(path) = key_path {
        let key = path.iter().try_fold(sample, |value, name| value.get(name));
        if key.is_none_or(|key| key.is_null() || key == "") {
            return Err("the sample of its body holds no idempotency key");
        }
    }
    if content.ty.nullable && content.kind == ContentKind::Form && sample.is_null() {
        return Err("there is no sample of its body");
    }
    let mut value = sampled(sample);
    if body.contents.len() > 1 {
        let variant = names.body_variants.get(index).ok_or("it has no name")?;
        value = format!("operations::{}::{variant}({value})", names.body_type);
    }
    Ok(if body.required { value } else { format!("Some({value}).into()") })
}

fn sampled(value: &Value) -> String {
    format!("check::sample({})", literal(&value.to_string()))
}

/// A name of a field as it stands in code.
fn raw(name: &str) -> String {
    if syn::parse_str::<syn::Ident>(name).is_ok() { name.to_owned() } else { format!("r#{name}") }
}
