//! What may be repeated: each operation is a [`Read`](OperationKind::Read), [`Keyed`](OperationKind::Keyed) or
//! [`Once`](OperationKind::Once), with the reason in a sentence (R-RES-RE-1, R-RES-RE-X1).

use super::body_key;
use super::{KeyPlace, OperationKind};
use crate::diagnose::{Location, Report, Severity, nearest};
use crate::model::{Api, Operation, Parameter, ParameterPlace, SchemaKind, Type};
use crate::project::{Declared, DeclaredKey, DeclaredKind, OperationDeclaration};

/// The decision for one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Eligibility {
    /// What may be repeated.
    pub(super) kind: OperationKind,
    /// Why, in a sentence for people.
    pub(super) reason: String,
    /// Where its idempotency key travels.
    pub(super) key: Option<KeyPlace>,
}

/// Header names that mean an idempotency key wherever they are documented, in lower case. Correlation ids
/// (`X-Request-Id` and kin) are not among them: they name a request, they do not make it repeatable.
const KEY_HEADERS: [&str; 7] = [
    "idempotency-key",
    "x-idempotency-key",
    "idempotence-key",
    "x-idempotence-key",
    "x-idempotency",
    "idempotency-token",
    "paypal-request-id",
];

/// Decides the kind of an operation (R-RES-RE-1): a declaration first, then the method, then a documented key header.
/// Everything else is sent once (R-RES-RE-X1), PUT and DELETE too: that HTTP calls them idempotent says nothing about
/// what the system behind does on the second one.
pub(super) fn decide(
    api: &Api,
    operation: &Operation,
    declared: Option<&OperationDeclaration>,
    report: &mut Report,
) -> Option<Eligibility> {
    match declared {
        Some(declaration) if declaration.kind.is_some() || declaration.key.is_some() => {
            by_declaration(api, operation, declaration, report)
        }
        _ => Some(by_document(api, operation)),
    }
}

fn by_document(api: &Api, operation: &Operation) -> Eligibility {
    if is_safe(&operation.method) {
        let reason = format!("{} only reads", operation.method);
        return Eligibility { kind: OperationKind::Read, reason, key: None };
    }
    match documented_key(api, operation) {
        Some(parameter) => keyed_by_document(parameter),
        None => {
            Eligibility { kind: OperationKind::Once, reason: "a write with no idempotency key".to_owned(), key: None }
        }
    }
}

fn keyed_by_document(parameter: &Parameter) -> Eligibility {
    let reason = if parameter.required {
        format!("its header `{}` carries an idempotency key", parameter.name)
    } else {
        format!("its header `{}` carries an idempotency key; a call without one is sent once", parameter.name)
    };
    let key = KeyPlace::Header { name: parameter.name.clone(), required: parameter.required };
    Eligibility { kind: OperationKind::Keyed, reason, key: Some(key) }
}

/// Methods that only read. QUERY (OpenAPI 3.2) is safe and idempotent by its definition.
fn is_safe(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS" | "QUERY")
}

/// The documented header that carries an idempotency key.
fn documented_key<'a>(api: &Api, operation: &'a Operation) -> Option<&'a Parameter> {
    operation.parameters.iter().find(|parameter| {
        parameter.place == ParameterPlace::Header
            && KEY_HEADERS.contains(&parameter.name.to_ascii_lowercase().as_str())
            && is_scalar(api, &parameter.ty.ty)
    })
}

/// Whether a key can be written in a place of this type.
pub(crate) fn is_scalar(api: &Api, ty: &Type) -> bool {
    let mut ty = ty;
    // A document may try to send other names round in a circle: the arena is walked at most once.
    for _ in 0..=api.schemas.len() {
        match ty {
            Type::Named(id) => match &api.schema(*id).kind {
                SchemaKind::Alias(target) => ty = &target.ty,
                SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) => return true,
                _ => return false,
            },
            other => return matches!(other, Type::Text(_) | Type::Int(_)),
        }
    }
    false
}

fn by_declaration(
    api: &Api,
    operation: &Operation,
    declaration: &OperationDeclaration,
    report: &mut Report,
) -> Option<Eligibility> {
    match (&declaration.kind, &declaration.key) {
        (Some(Declared { value: kind, at }), Some(_)) => {
            let word = if *kind == DeclaredKind::Read { "read" } else { "once" };
            let message = format!("`{}` is declared `{word}` and given an idempotency key", operation.id);
            report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, "a key makes it keyed: say one or the other");
            None
        }
        (Some(Declared { value: DeclaredKind::Read, at }), None) => declared_read(operation, declaration, at, report),
        (Some(Declared { value: DeclaredKind::Once, .. }), None) => {
            let reason = with_reason("declared", declaration);
            Some(Eligibility { kind: OperationKind::Once, reason, key: None })
        }
        (None, Some(key)) => declared_key(api, operation, declaration, &key.value, &key.at, report),
        (None, None) => Some(by_document(api, operation)),
    }
}

/// A write by its method that is said to read: believed, but only with the reason in writing.
fn declared_read(
    operation: &Operation,
    declaration: &OperationDeclaration,
    at: &Location,
    report: &mut Report,
) -> Option<Eligibility> {
    if !is_safe(&operation.method) && written_reason(declaration).is_none() {
        let message = format!("`{}` is a {} declared a read without a reason", operation.id, operation.method);
        let help = "a read is repeated on failure: add `reason = \"…\"` that says why this is safe";
        report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, help);
        return None;
    }
    let reason = with_reason("declared", declaration);
    Some(Eligibility { kind: OperationKind::Read, reason, key: None })
}

fn written_reason(declaration: &OperationDeclaration) -> Option<&str> {
    declaration.reason.as_ref().map(|reason| reason.value.trim()).filter(|reason| !reason.is_empty())
}

fn with_reason(what: &str, declaration: &OperationDeclaration) -> String {
    match written_reason(declaration) {
        Some(reason) => format!("{what}: {reason}"),
        None => what.to_owned(),
    }
}

fn declared_key(
    api: &Api,
    operation: &Operation,
    declaration: &OperationDeclaration,
    key: &DeclaredKey,
    at: &Location,
    report: &mut Report,
) -> Option<Eligibility> {
    if is_safe(&operation.method) {
        let message = format!("`{}` only reads and needs no idempotency key", operation.id);
        let help = format!("{} is repeated without one; declare `kind = \"once\"` if it must not be", operation.method);
        report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, help);
        return None;
    }
    let (place, words) = match key {
        DeclaredKey::Header(name) => {
            let (name, required) = declared_parameter(api, operation, ParameterPlace::Header, name, at, report)?;
            let words = format!("its header `{name}` carries an idempotency key, as declared");
            (KeyPlace::Header { name, required }, optional_words(words, required))
        }
        DeclaredKey::Query(name) => {
            let (name, required) = declared_parameter(api, operation, ParameterPlace::Query, name, at, report)?;
            let words = format!("its query parameter `{name}` carries an idempotency key, as declared");
            (KeyPlace::Query { name, required }, optional_words(words, required))
        }
        DeclaredKey::Body(path) => {
            let found = body_key::find(api, operation, path, at, report)?;
            let words = format!("`{}` in the body is its idempotency key, as declared", found.path.join("."));
            let words = optional_words(words, found.required);
            (KeyPlace::Body { path: found.path }, words)
        }
    };
    let reason = with_reason(&words, declaration);
    Some(Eligibility { kind: OperationKind::Keyed, reason, key: Some(place) })
}

fn optional_words(words: String, required: bool) -> String {
    if required { words } else { format!("{words}; a call without one is sent once") }
}

/// The parameter a declaration means, as the document writes it. One that the document does not have is taken at the
/// team's word, and said; one that is nearly there is a slip.
fn declared_parameter(
    api: &Api,
    operation: &Operation,
    place: ParameterPlace,
    name: &str,
    at: &Location,
    report: &mut Report,
) -> Option<(String, bool)> {
    let (what, fold) = match place {
        ParameterPlace::Header => ("header", true),
        _ => ("query parameter", false),
    };
    let here: Vec<&Parameter> = operation.parameters.iter().filter(|parameter| parameter.place == place).collect();
    let found = here.iter().find(|p| if fold { p.name.eq_ignore_ascii_case(name) } else { p.name == name });
    if let Some(parameter) = found {
        if is_scalar(api, &parameter.ty.ty) {
            return Some((parameter.name.clone(), parameter.required));
        }
        let message = format!("the {what} `{}` of `{}` cannot carry a key", parameter.name, operation.id);
        report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, "an idempotency key is a text or an integer");
        return None;
    }
    let valid = if fold { is_header_name(name) } else { !name.is_empty() };
    let near = nearest(name, here.iter().map(|parameter| parameter.name.as_str()));
    if let (true, None) = (valid, near) {
        let message = format!("the document has no {what} `{name}` for `{}`; it is sent as declared", operation.id);
        report.at(Severity::Note, "CD-KEY-UNDOCUMENTED", at.clone(), message, "");
        return Some((name.to_owned(), false));
    }
    let help = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
    report.at(Severity::Error, "R-RES-RE-1", at.clone(), format!("`{}` has no {what} `{name}`", operation.id), help);
    None
}

/// A token as RFC 9110 defines it.
fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}
