use serde::Serialize;
use serde_json::{Map, Value};

use crate::diagnose::{Located, Severity};
use crate::model::{Operation, ParameterPlace, Status};
use crate::plan::{KeyPlace, Layer, OperationKind, PlannedOperation, PlannedTimeouts, Policy, SystemPlan};
use crate::render;

/// The version of the plan's JSON form.
pub const PLAN_VERSION: u32 = 1;

/// `cofferdam plan --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanDocument {
    /// [`PLAN_VERSION`].
    pub plan_version: u32,
    /// The systems in the order of the project file.
    pub systems: Vec<SystemDocument>,
}

/// A system of a plan. All Rust paths begin at the root of its generated modules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SystemDocument {
    /// Its name.
    pub name: String,
    /// Its document, as messages show it.
    pub spec: String,
    /// Its chosen operations in document order.
    pub operations: Vec<OperationDocument>,
    /// The schemas that have types.
    pub schemas: Vec<SchemaDocument>,
    /// What there is to say.
    pub notes: Vec<NoteDocument>,
}

/// An operation of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationDocument {
    /// Its id; `METHOD /path` where the document gives none.
    pub id: String,
    /// Its method.
    pub method: String,
    /// Its path as written.
    pub path: String,
    /// What may be repeated.
    pub kind: OperationKind,
    /// Why.
    pub reason: String,
    /// The layers that protect it, from the outermost.
    pub layers: Vec<Layer>,
    /// How often it may be sent at most.
    pub attempts: u32,
    /// How long it may take.
    pub timeouts: PlannedTimeouts,
    /// Its Rust items.
    pub rust: RustDocument,
    /// Its parameters in document order.
    pub parameters: Vec<ParameterDocument>,
    /// Where its idempotency key travels.
    pub key: Option<KeyDocument>,
    /// The type of its body by media type.
    pub request: Map<String, Value>,
    /// The types of its replies by status and media type.
    pub responses: Map<String, Value>,
}

/// The Rust items of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RustDocument {
    /// The bare client's method.
    pub client: String,
    /// The adapter's method.
    pub adapter: String,
    /// Its zero-sized type.
    pub marker: String,
    /// What it takes.
    pub request: String,
    /// What it answers.
    pub reply: String,
    /// How it fails.
    pub rejection: String,
}

/// A parameter of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterDocument {
    /// Its name on the wire.
    pub name: String,
    /// Where it travels.
    #[serde(rename = "in")]
    pub place: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// Its field in the request; `None` for the idempotency key, which is an argument.
    pub field: Option<String>,
    /// Its type when it is given.
    #[serde(rename = "type")]
    pub ty: String,
}

/// Where an idempotency key travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyDocument {
    /// `header`, `query` or `body`.
    #[serde(rename = "in")]
    pub place: &'static str,
    /// Its name, or the path of property names joined by dots.
    pub name: String,
    /// Whether every call has one; a call without one is sent once. `None` for a body: its fields say it.
    pub required: Option<bool>,
}

/// A schema and its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaDocument {
    /// Where it is written: a JSON pointer, after the file where it is not the root document.
    pub pointer: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteDocument {
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// Its code.
    pub code: &'static str,
    /// What is to be said.
    pub message: String,
    /// Where.
    pub location: Option<LocationDocument>,
    /// What to do.
    pub help: Option<String>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LocationDocument {
    /// The file, as messages show it.
    pub file: String,
    /// The line; 0 when only the file is known.
    pub line: usize,
    /// The column; 0 when only the file is known.
    pub col: usize,
    /// A JSON pointer, or the key of a project file.
    pub pointer: String,
}

/// A system as the plan's JSON form has it. `files` are the names of the source files, in the order of
/// [`Origin::file`](crate::model::Origin::file).
#[must_use]
pub fn system_document(
    plan: &SystemPlan,
    policies: &[Policy],
    spec: &str,
    files: &[String],
    notes: &[Located],
) -> SystemDocument {
    let operations =
        plan.operations.iter().zip(policies).filter_map(|(planned, policy)| operation(plan, planned, policy));
    SystemDocument {
        name: plan.system.clone(),
        spec: spec.to_owned(),
        operations: operations.collect(),
        schemas: schemas(plan, files),
        notes: notes.iter().map(note).collect(),
    }
}

fn operation(plan: &SystemPlan, planned: &PlannedOperation, policy: &Policy) -> Option<OperationDocument> {
    let operation = plan.operation(planned);
    let names = plan.names.operations.get(planned.index)?;
    let prefix = &plan.type_prefix;
    let bodies = render::body_paths(plan, planned);
    Some(OperationDocument {
        id: operation.id.clone(),
        method: operation.method.clone(),
        path: operation.path.raw.clone(),
        kind: planned.kind,
        reason: planned.reason.clone(),
        layers: policy.layers.clone(),
        attempts: policy.attempts,
        timeouts: policy.timeouts,
        rust: RustDocument {
            client: format!("client::{prefix}Client::{}", names.method),
            adapter: format!("adapter::{prefix}Adapter::{}", names.method),
            marker: format!("operations::{}", names.marker),
            request: format!("operations::{}", names.request),
            reply: format!("operations::{}", names.reply),
            rejection: format!("operations::{}", names.rejection),
        },
        parameters: parameters(plan, planned, operation, &names.parameters),
        key: planned.key.as_ref().map(key),
        request: by_media_type(bodies.request),
        responses: responses(operation, bodies.responses),
    })
}

fn parameters(
    plan: &SystemPlan,
    planned: &PlannedOperation,
    operation: &Operation,
    fields: &[String],
) -> Vec<ParameterDocument> {
    let of = |(parameter, field): (&crate::model::Parameter, &String)| ParameterDocument {
        name: parameter.name.clone(),
        place: match parameter.place {
            ParameterPlace::Path => "path",
            ParameterPlace::Query => "query",
            ParameterPlace::Header => "header",
            ParameterPlace::Cookie => "cookie",
        },
        required: parameter.required,
        field: (!planned.is_key(parameter)).then(|| field.clone()),
        ty: render::parameter_type(plan, parameter),
    };
    operation.parameters.iter().zip(fields).map(of).collect()
}

fn key(place: &KeyPlace) -> KeyDocument {
    match place {
        KeyPlace::Header { name, required } => {
            KeyDocument { place: "header", name: name.clone(), required: Some(*required) }
        }
        KeyPlace::Query { name, required } => {
            KeyDocument { place: "query", name: name.clone(), required: Some(*required) }
        }
        KeyPlace::Body { path } => KeyDocument { place: "body", name: path.join("."), required: None },
    }
}

fn by_media_type(types: Vec<(String, String)>) -> Map<String, Value> {
    types.into_iter().map(|(media_type, ty)| (media_type, Value::from(ty))).collect()
}

fn responses(operation: &Operation, types: Vec<Vec<(String, String)>>) -> Map<String, Value> {
    let statuses = operation.responses.iter().map(|response| match response.status {
        Status::Code(code) => code.to_string(),
        Status::Range(class) => format!("{class}XX"),
        Status::Default => "default".to_owned(),
    });
    statuses.zip(types.into_iter().map(|types| Value::Object(by_media_type(types)))).collect()
}

fn schemas(plan: &SystemPlan, files: &[String]) -> Vec<SchemaDocument> {
    let reached = plan.api.schemas.iter().zip(&plan.reached).filter(|(_, reached)| **reached);
    reached
        .filter_map(|(schema, _)| {
            let name = plan.names.types.get(schema.id.index())?;
            let pointer = match schema.origin.file {
                0 => schema.origin.pointer.clone(),
                file => format!("{}#{}", files.get(file).map_or("", String::as_str), schema.origin.pointer),
            };
            Some(SchemaDocument { pointer, ty: format!("types::{name}") })
        })
        .collect()
}

/// A diagnostic as the plan's JSON form has it.
fn note(located: &Located) -> NoteDocument {
    NoteDocument {
        severity: match located.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        },
        code: located.code,
        message: located.message.clone(),
        location: located.location.as_ref().map(|location| LocationDocument {
            file: location.file.clone(),
            line: location.line,
            col: location.col,
            pointer: location.pointer.clone(),
        }),
        help: located.help.clone(),
    }
}
