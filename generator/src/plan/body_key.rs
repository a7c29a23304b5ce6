//! An idempotency key that is a field of the request body.

use super::retry_eligibility::is_scalar;
use super::selection::did_you_mean;
use crate::diagnose::{Location, Report, Severity};
use crate::model::{Api, Field, Operation, SchemaId, SchemaKind, Type};

/// A field of the body that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BodyKey {
    /// Property names from the body's root.
    pub(super) path: Vec<String>,
    /// Every step of the path is always there.
    pub(super) required: bool,
}

/// A step of the way to the key, as the request type has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyStep {
    /// The object that has the property.
    pub object: SchemaId,
    /// Its place among the object's fields.
    pub field: usize,
    /// The property must be there.
    pub required: bool,
    /// The property may be `null`.
    pub nullable: bool,
}

impl KeyStep {
    /// The property itself.
    pub(crate) fn field(self, api: &Api) -> Option<&Field> {
        match &api.schemas.get(self.object.index())?.kind {
            SchemaKind::Object { fields, .. } => fields.get(self.field),
            _ => None,
        }
    }
}

/// Finds the declared field, or says what was probably meant.
pub(super) fn find(
    api: &Api,
    operation: &Operation,
    path: &[String],
    at: &Location,
    report: &mut Report,
) -> Option<BodyKey> {
    let written = path.join(".");
    let Some(body) = &operation.body else {
        let message = format!("`{}` has no body that could hold the key `{written}`", operation.id);
        report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, "");
        return None;
    };
    let [content] = body.contents.as_slice() else {
        let message = format!("`{}` takes its body in several media types: a key in it cannot be found", operation.id);
        report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, "declare a header or a query parameter instead");
        return None;
    };
    match walk(api, &content.ty.ty, path) {
        Ok(steps) => {
            let fields = steps.iter().all(|step| step.required && !step.nullable);
            Some(BodyKey { path: path.to_vec(), required: body.required && !content.ty.nullable && fields })
        }
        Err(help) => {
            let message = format!("`{written}` is not a field of the body of `{}`", operation.id);
            report.at(Severity::Error, "R-RES-RE-1", at.clone(), message, help);
            None
        }
    }
}

/// Follows property names through objects. The error is the help for whoever wrote them.
pub(crate) fn walk(api: &Api, root: &Type, path: &[String]) -> Result<Vec<KeyStep>, String> {
    let mut ty = root;
    let mut steps = Vec::new();
    for name in path {
        let (object, fields) = object_behind(api, ty)
            .ok_or_else(|| steps_end(path, steps.len(), "is not an object with declared properties"))?;
        let Some(index) = fields.iter().position(|field| field.wire == *name) else {
            return Err(did_you_mean(name, &fields.iter().map(|field| field.wire.as_str()).collect::<Vec<_>>()));
        };
        let field = &fields[index];
        if field.read_only {
            return Err(format!("`{name}` is read-only: no request carries it"));
        }
        steps.push(KeyStep { object, field: index, required: field.required, nullable: field.ty.nullable });
        ty = &field.ty.ty;
    }
    if is_scalar(api, ty) { Ok(steps) } else { Err("an idempotency key is a text or an integer".to_owned()) }
}

fn steps_end(path: &[String], taken: usize, what: &str) -> String {
    match path.get(..taken) {
        Some([]) | None => format!("the body {what}"),
        Some(before) => format!("`{}` {what}", before.join(".")),
    }
}

/// The object a type is, through its other names.
fn object_behind<'a>(api: &'a Api, ty: &'a Type) -> Option<(SchemaId, &'a [Field])> {
    let mut ty = ty;
    for _ in 0..=api.schemas.len() {
        let Type::Named(id) = ty else { return None };
        match &api.schema(*id).kind {
            SchemaKind::Alias(target) => ty = &target.ty,
            SchemaKind::Object { fields, .. } => return Some((*id, fields)),
            _ => return None,
        }
    }
    None
}
