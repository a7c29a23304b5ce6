//! The plan as JSON: what a program needs to call the generated code without having read it. `docs/plan-json.md`
//! describes it, and its example is tested.

mod access;
mod forms;
mod messages;
mod schemas;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

pub use self::access::{CredentialDocument, ServerDocument, ServerVariableDocument};
pub use self::forms::{PagesDocument, StreamDocument};
pub use self::messages::{AnswerDocument, BodyDocument};
pub use self::schemas::{BranchDocument, FieldDocument, SchemaDocument, ValueDocument};
use crate::diagnose::{Located, Severity};
use crate::model::{Operation, ParameterPlace, Status};
use crate::plan::{KeyPlace, Layer, OperationKind, PlannedOperation, PlannedTimeouts, Policy, SystemPlan};
use crate::render;
use crate::sample::OperationSamples;

/// The version of the plan's JSON form.
pub const PLAN_VERSION: u32 = 1;

/// `cofferdam plan --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PlanDocument {
    /// [`PLAN_VERSION`].
    pub plan_version: u32,
    /// The systems in the order of the project file.
    pub systems: Vec<SystemDocument>,
}

/// A system of a plan. All Rust paths begin at the root of its generated modules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SystemDocument {
    /// Its name.
    pub name: String,
    /// Its document, as messages show it.
    pub spec: String,
    /// Its Rust items.
    pub rust: SystemRustDocument,
    /// The servers the document names.
    pub servers: Vec<ServerDocument>,
    /// The security schemes of the document, and those of the project file.
    pub credentials: Vec<CredentialDocument>,
    /// Its chosen operations in document order.
    pub operations: Vec<OperationDocument>,
    /// The schemas that have types.
    pub schemas: Vec<SchemaDocument>,
    /// What there is to say.
    pub notes: Vec<NoteDocument>,
}

/// The Rust items of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SystemRustDocument {
    /// The bare client.
    pub client: String,
    /// The adapter, without its type parameter.
    pub adapter: String,
    /// The credentials.
    pub credentials: String,
}

/// An operation of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
    /// Its Rust items. Where it answers item by item and in no other way, `client` and `adapter` give a stream.
    pub rust: RustDocument,
    /// The forms in which its reply comes in pieces.
    pub streams: Vec<StreamDocument>,
    /// How it comes page by page, where the project file says so.
    pub pages: Option<PagesDocument>,
    /// Its parameters in document order.
    pub parameters: Vec<ParameterDocument>,
    /// Where its idempotency key travels.
    pub key: Option<KeyDocument>,
    /// The URLs of its own servers as written; the first is where its calls go.
    pub servers: Vec<String>,
    /// Ways to be allowed, any of which is enough: schemes that are needed together, with their scopes. `None`: the
    /// document says nothing.
    pub security: Option<Vec<Map<String, Value>>>,
    /// The type of its body by media type.
    pub request: Map<String, Value>,
    /// A body by media type, where samples are asked for.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub request_samples: Map<String, Value>,
    /// How the request holds the body.
    pub body: Option<BodyDocument>,
    /// The types of its replies by status and media type.
    pub responses: Map<String, Value>,
    /// How reply and rejection hold each of its responses, in document order. A `default` that stands for successes
    /// and for failures is there twice.
    pub answers: Vec<AnswerDocument>,
}

/// The Rust items of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
    /// A value of it, where samples are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Value>,
}

/// Where an idempotency key travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct KeyDocument {
    /// `header`, `query` or `body`.
    #[serde(rename = "in")]
    pub place: &'static str,
    /// Its name, or the path of property names joined by dots.
    pub name: String,
    /// Whether every call has one; a call without one is sent once. `None` for a body: its fields say it.
    pub required: Option<bool>,
}

/// A diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct NoteDocument {
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// Its code.
    pub code: Cow<'static, str>,
    /// What is to be said.
    pub message: String,
    /// Where.
    pub location: Option<LocationDocument>,
    /// What to do.
    pub help: Option<String>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
    let prefix = &plan.type_prefix;
    SystemDocument {
        name: plan.system.clone(),
        spec: spec.to_owned(),
        rust: SystemRustDocument {
            client: format!("client::{prefix}Client"),
            adapter: format!("adapter::{prefix}Adapter"),
            credentials: format!("client::{prefix}Credentials"),
        },
        servers: access::servers(plan),
        credentials: access::credentials(plan),
        operations: operations.collect(),
        schemas: schemas::documents(plan, files),
        notes: notes.iter().map(note).collect(),
    }
}

impl SystemDocument {
    /// Adds samples, those of the plan's operations in their order.
    #[must_use]
    pub fn with_samples(mut self, samples: &[OperationSamples]) -> Self {
        for (operation, samples) in self.operations.iter_mut().zip(samples) {
            for (parameter, sample) in operation.parameters.iter_mut().zip(&samples.parameters) {
                parameter.sample.clone_from(sample);
            }
            let bodies = operation.request.keys().zip(&samples.bodies);
            let given = bodies.filter_map(|(media_type, sample)| Some((media_type.clone(), sample.clone()?)));
            operation.request_samples = given.collect();
        }
        self
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
        streams: forms::streams(plan, planned),
        pages: forms::pages(plan, planned),
        parameters: parameters(plan, planned, operation, &names.parameters),
        key: planned.key.as_ref().map(key),
        servers: operation.servers.iter().map(|server| server.url.clone()).collect(),
        security: access::security(operation.security.as_deref()),
        request_samples: Map::new(),
        request: by_media_type(bodies.request),
        body: messages::body(plan, planned),
        responses: responses(operation, bodies.responses),
        answers: messages::answers(plan, planned),
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
        sample: None,
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
    let statuses = operation.responses.iter().map(|response| status(response.status));
    statuses.zip(types.into_iter().map(|types| Value::Object(by_media_type(types)))).collect()
}

fn texts<'t>(pairs: impl Iterator<Item = (&'t String, &'t String)>) -> Map<String, Value> {
    pairs.map(|(name, text)| (name.clone(), Value::from(text.as_str()))).collect()
}

/// A status as the document writes it.
fn status(status: Status) -> String {
    match status {
        Status::Code(code) => code.to_string(),
        Status::Range(class) => format!("{class}XX"),
        Status::Default => "default".to_owned(),
    }
}

/// A diagnostic as the plan's JSON form has it.
fn note(located: &Located) -> NoteDocument {
    NoteDocument {
        severity: match located.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        },
        code: located.code.clone(),
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
