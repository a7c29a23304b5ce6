//! The tags of unions, completed from what the branches themselves say of the property that tells them apart.

use std::collections::HashSet;

use serde_json::Value;

use crate::model::{Branch, Discriminator, Field, SchemaDef, SchemaId, SchemaKind, Type};
use crate::resolve::Findings;

/// How far aliases and unions within unions are followed.
const FOLLOWED: usize = 16;

/// Completes the tags of declared discriminators, drops those that cannot work, and finds undeclared ones.
/// `implied` are the branches whose tag is merely the schema's name.
pub(super) fn complete(schemas: &mut [SchemaDef], implied: &HashSet<(SchemaId, usize)>, findings: &mut Findings<'_>) {
    for index in 0..schemas.len() {
        let Some(def) = schemas.get(index) else { continue };
        let SchemaKind::Union { branches, discriminator, .. } = &def.kind else { continue };
        let tagged = match discriminator {
            Some(discriminator) => declared(schemas, def, branches, discriminator, implied, findings),
            None => undeclared(schemas, branches).inspect(|(_, discriminator)| {
                let property = &discriminator.property;
                let message = format!("alternatives are told apart by the constant values of `{property}`");
                findings.count("CD-TAG-FOUND", &def.origin, message, "");
            }),
        };
        if let Some(SchemaKind::Union { branches, discriminator, .. }) = schemas.get_mut(index).map(|def| &mut def.kind)
        {
            let (tags, found) = tagged.map_or((Vec::new(), None), |(tags, found)| (tags, Some(found)));
            *discriminator = found;
            for (index, branch) in branches.iter_mut().enumerate() {
                branch.tags = tags.get(index).cloned().unwrap_or_default();
            }
        }
    }
}

type Tagged = (Vec<Vec<String>>, Discriminator);

fn declared(
    schemas: &[SchemaDef],
    def: &SchemaDef,
    branches: &[Branch],
    discriminator: &Discriminator,
    implied: &HashSet<(SchemaId, usize)>,
    findings: &mut Findings<'_>,
) -> Option<Tagged> {
    let property = &discriminator.property;
    if branches.iter().any(|branch| !is_object(schemas, &branch.ty.ty, FOLLOWED)) {
        let message =
            "a discriminator among alternatives that are not all objects has no effect: they are tried in turn";
        findings.count("CD-DISCRIMINATOR-SHAPE", &def.origin, message, "");
        return None;
    }
    let mut tags: Vec<Vec<String>> = branches.iter().map(|branch| branch.tags.clone()).collect();
    for (index, branch) in branches.iter().enumerate() {
        if !implied.contains(&(def.id, index)) {
            continue;
        }
        let said = values(schemas, &branch.ty.ty, property, FOLLOWED);
        let taken =
            |value: &String| tags.iter().enumerate().any(|(other, tags)| other != index && tags.contains(value));
        let better = better(branch.tags.first(), &said, taken);
        if let (Some(better), Some(tags)) = (better, tags.get_mut(index)) {
            *tags = better;
        }
    }
    if tags.iter().enumerate().any(|(index, tags)| tags.is_empty() && discriminator.default != Some(index)) {
        let message = "a discriminator cannot tell alternatives apart that have neither a name nor a constant value of its \
                       property: they are tried in turn";
        findings.count("CD-DISCRIMINATOR-UNNAMED", &def.origin, message, "name them in `components/schemas`");
        return None;
    }
    let mut seen = HashSet::new();
    for tags in &mut tags {
        tags.retain(|tag| {
            let fresh = seen.insert(tag.clone());
            if !fresh {
                let message = format!("the tag `{tag}` stands for more than one alternative: the first is used");
                findings.warning("CD-TAG-TWICE", &def.origin, message, "");
            }
            fresh
        });
    }
    Some((tags, discriminator.clone()))
}

/// The tags that a branch's own property calls for, when they are better than the schema's name.
fn better(name: Option<&String>, said: &[String], taken: impl Fn(&String) -> bool) -> Option<Vec<String>> {
    if said.is_empty() || name.is_some_and(|name| said.contains(name)) {
        return None;
    }
    if let Some(alike) = name.and_then(|name| said.iter().find(|said| said.eq_ignore_ascii_case(name))) {
        return Some(vec![alike.clone()]);
    }
    (!said.iter().any(taken)).then(|| said.to_vec())
}

/// A property that every branch requires with constant text, different in each.
fn undeclared(schemas: &[SchemaDef], branches: &[Branch]) -> Option<Tagged> {
    if branches.len() < 2 {
        return None;
    }
    let fields = |branch: &Branch| fields(schemas, &branch.ty.ty, FOLLOWED);
    let candidates = fields(branches.first()?)?;
    candidates.iter().filter(|field| field.required).find_map(|candidate| {
        let mut seen = HashSet::new();
        let mut tags = Vec::with_capacity(branches.len());
        for branch in branches {
            let field = fields(branch)?.iter().find(|field| field.wire == candidate.wire && field.required)?;
            let said = text_values(schemas, &field.ty.ty);
            if said.is_empty() || field.ty.nullable || !said.iter().all(|value| seen.insert(value.clone())) {
                return None;
            }
            tags.push(said);
        }
        Some((tags, Discriminator { property: candidate.wire.clone(), default: None }))
    })
}

/// The constant values of a property in a branch, as tags; those of all its own branches when it is a union.
fn values(schemas: &[SchemaDef], ty: &Type, property: &str, follow: usize) -> Vec<String> {
    let (Some(def), Some(follow)) = (definition(schemas, ty), follow.checked_sub(1)) else { return Vec::new() };
    match &def.kind {
        SchemaKind::Alias(used) => values(schemas, &used.ty, property, follow),
        SchemaKind::Object { fields, .. } => {
            let field = fields.iter().find(|field| field.wire == property);
            field.map(|field| tag_values(schemas, &field.ty.ty)).unwrap_or_default()
        }
        SchemaKind::Union { branches, discriminator: Some(inner), .. } if inner.property == property => {
            branches.iter().flat_map(|branch| branch.tags.iter().cloned()).collect()
        }
        _ => Vec::new(),
    }
}

fn tag_values(schemas: &[SchemaDef], ty: &Type) -> Vec<String> {
    match definition(schemas, ty).map(|def| &def.kind) {
        Some(SchemaKind::IntEnum(values)) => values.iter().map(|value| value.value.to_string()).collect(),
        Some(SchemaKind::Const(value)) if value.is_number() || value.is_boolean() => vec![value.to_string()],
        _ => text_values(schemas, ty),
    }
}

fn text_values(schemas: &[SchemaDef], ty: &Type) -> Vec<String> {
    match definition(schemas, ty).map(|def| &def.kind) {
        Some(SchemaKind::Const(Value::String(text))) => vec![text.clone()],
        Some(SchemaKind::TextEnum(values)) => values.iter().map(|value| value.value.clone()).collect(),
        Some(SchemaKind::Alias(used)) if used.ty != *ty => match used.ty {
            // One step is enough: an alias of an alias of a constant is nobody's tag.
            Type::Named(_) => match definition(schemas, &used.ty).map(|def| &def.kind) {
                Some(SchemaKind::Alias(_)) | None => Vec::new(),
                Some(_) => text_values(schemas, &used.ty),
            },
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn fields<'s>(schemas: &'s [SchemaDef], ty: &Type, follow: usize) -> Option<&'s [Field]> {
    let follow = follow.checked_sub(1)?;
    match &definition(schemas, ty)?.kind {
        SchemaKind::Alias(used) => fields(schemas, &used.ty, follow),
        SchemaKind::Object { fields, .. } => Some(fields),
        _ => None,
    }
}

fn is_object(schemas: &[SchemaDef], ty: &Type, follow: usize) -> bool {
    let Some(follow) = follow.checked_sub(1) else { return true };
    match ty {
        Type::Map(_) | Type::Any => true,
        _ => match definition(schemas, ty).map(|def| &def.kind) {
            Some(SchemaKind::Alias(used)) => is_object(schemas, &used.ty, follow),
            Some(SchemaKind::Object { .. }) => true,
            Some(SchemaKind::Union { branches, .. }) => {
                branches.iter().all(|branch| is_object(schemas, &branch.ty.ty, follow))
            }
            _ => false,
        },
    }
}

fn definition<'s>(schemas: &'s [SchemaDef], ty: &Type) -> Option<&'s SchemaDef> {
    match ty {
        Type::Named(id) => schemas.get(id.index()),
        _ => None,
    }
}
