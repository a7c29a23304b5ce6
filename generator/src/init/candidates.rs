//! What a document does not say, and only looks like: operations that may be repeated if somebody who knows says so.

use heck::ToSnakeCase;

use super::quoted;
use crate::model::{Api, ContentKind, Operation, ParameterPlace, PathSegment, SchemaKind, Type};
use crate::plan::{OperationKind, SystemPlan, is_scalar};

/// An operation of which something may be declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// `POST /orders`
    pub call: String,
    /// What may be its idempotency key, as the project file writes it: `{ body = "orderNumber" }`.
    pub key: Option<String>,
}

/// What may be declared of operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Writes that are sent once, with something that may be a key.
    pub keyed: Vec<Candidate>,
    /// Writes by their method that may only read.
    pub reads: Vec<Candidate>,
    /// Reads by their method that may change something.
    pub writes: Vec<Candidate>,
}

/// Names of fields that a caller makes up for one request, without signs and in lower case.
const KEYS: [&str; 17] = [
    "clientorderid",
    "clientreference",
    "clientreferenceid",
    "clientrequestid",
    "externalid",
    "externalreference",
    "idempotencyid",
    "idempotencykey",
    "idempotencetoken",
    "merchantorderid",
    "merchantreference",
    "merchanttransactionid",
    "ordernumber",
    "reference",
    "referenceid",
    "requestid",
    "requestuuid",
];

/// First words of operations that look at something.
const LOOKING: [&str; 15] = [
    "calculate",
    "check",
    "count",
    "estimate",
    "fetch",
    "find",
    "get",
    "list",
    "lookup",
    "preview",
    "query",
    "read",
    "search",
    "simulate",
    "validate",
];

/// First words of operations that do something.
const DOING: [&str; 17] = [
    "activate", "approve", "cancel", "create", "delete", "disable", "enable", "logout", "remove", "reset", "revoke",
    "run", "send", "start", "stop", "trigger", "update",
];

/// Looks through the operations of a plan.
#[must_use]
pub fn candidates(plan: &SystemPlan) -> Candidates {
    let mut found = Candidates::default();
    for planned in &plan.operations {
        let operation = plan.operation(planned);
        let candidate = |key: Option<String>| Candidate {
            id: operation.id.clone(),
            call: format!("{} {}", operation.method, operation.path.raw),
            key,
        };
        match planned.kind {
            OperationKind::Once if begins_with(operation, &LOOKING) => found.reads.push(candidate(None)),
            OperationKind::Once => {
                let key = key(&plan.api, operation);
                found.keyed.extend(key.map(|key| candidate(Some(key))));
            }
            OperationKind::Read if begins_with(operation, &DOING) => found.writes.push(candidate(None)),
            OperationKind::Read | OperationKind::Keyed => {}
        }
    }
    found
}

/// Whether the id begins with one of some words, or where it has none of its own, the path ends with one.
fn begins_with(operation: &Operation, words: &[&str]) -> bool {
    if operation.id_derived {
        let last = operation.path.segments.iter().rev().find_map(|segment| match segment {
            PathSegment::Literal(text) => text.rsplit('/').find(|piece| !piece.is_empty()),
            PathSegment::Parameter(_) => None,
        });
        return last.is_some_and(|last| words.contains(&first_word(last).as_str()));
    }
    // `orders/search`, `Orders_Search`: what comes before is a group.
    let own = operation.id.rsplit(['/', '.', '_']).next().unwrap_or_default();
    words.contains(&first_word(&operation.id).as_str()) || words.contains(&first_word(own).as_str())
}

fn first_word(text: &str) -> String {
    text.to_snake_case().split('_').next().unwrap_or_default().to_owned()
}

/// What may be the idempotency key of an operation.
fn key(api: &Api, operation: &Operation) -> Option<String> {
    let header = operation.parameters.iter().find(|parameter| {
        parameter.place == ParameterPlace::Header && is_key(&parameter.name) && is_scalar(api, &parameter.ty.ty)
    });
    if let Some(header) = header {
        return Some(format!("{{ header = {} }}", quoted(&header.name)));
    }
    let body = operation.body.as_ref()?;
    let [content] = body.contents.as_slice() else { return None };
    let (Type::Named(id), ContentKind::Json | ContentKind::Form) = (&content.ty.ty, content.kind) else { return None };
    let SchemaKind::Object { fields, .. } = &api.schema(*id).kind else { return None };
    // A dot would be a step into the body.
    let field = fields.iter().find(|field| {
        field.required && is_key(&field.wire) && !field.wire.contains('.') && is_scalar(api, &field.ty.ty)
    })?;
    Some(format!("{{ body = {} }}", quoted(&field.wire)))
}

fn is_key(name: &str) -> bool {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    KEYS.contains(&plain.strip_prefix('x').unwrap_or(&plain)) || KEYS.contains(&plain.as_str())
}
