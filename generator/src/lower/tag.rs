//! The tags of unions, completed from what the branches themselves say of the property that tells them apart.

use std::collections::{HashMap, HashSet};

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
    adopt_nested(schemas, implied);
}

/// A branch that is itself a union by the same property is chosen by all the tags of its own branches.
fn adopt_nested(schemas: &mut [SchemaDef], implied: &HashSet<(SchemaId, usize)>) {
    for _ in 0..FOLLOWED {
        let mut adopted = Vec::new();
        for (index, def) in schemas.iter().enumerate() {
            let SchemaKind::Union { branches, discriminator: Some(by), .. } = &def.kind else { continue };
            let mut taken: HashSet<&String> = branches.iter().flat_map(|branch| &branch.tags).collect();
            for (at, branch) in branches.iter().enumerate() {
                let nested = nested_tags(schemas, &branch.ty.ty, &by.property, FOLLOWED);
                // The name of a union is nobody's tag when its own branches have theirs.
                let drop_name = implied.contains(&(def.id, at)) && !branch.tags.iter().any(|tag| nested.contains(&tag));
                let fresh: Vec<_> = nested.into_iter().filter(|tag| taken.insert(tag)).cloned().collect();
                if !fresh.is_empty() {
                    adopted.push((index, at, fresh, drop_name));
                }
            }
        }
        if adopted.is_empty() {
            return;
        }
        for (index, at, fresh, drop_name) in adopted {
            let kind = schemas.get_mut(index).map(|def| &mut def.kind);
            if let Some(SchemaKind::Union { branches, .. }) = kind
                && let Some(branch) = branches.get_mut(at)
            {
                if drop_name {
                    branch.tags.clear();
                }
                branch.tags.extend(fresh);
            }
        }
    }
}

fn nested_tags<'s>(schemas: &'s [SchemaDef], ty: &Type, property: &str, follow: usize) -> Vec<&'s String> {
    let (Some(def), Some(follow)) = (definition(schemas, ty), follow.checked_sub(1)) else { return Vec::new() };
    match &def.kind {
        SchemaKind::Alias(used) => nested_tags(schemas, &used.ty, property, follow),
        SchemaKind::Union { branches, discriminator: Some(inner), .. } if inner.property == property => {
            branches.iter().flat_map(|branch| &branch.tags).collect()
        }
        _ => Vec::new(),
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
    let said: Vec<_> = branches.iter().map(|branch| values(schemas, &branch.ty.ty, property, FOLLOWED)).collect();
    let owners = owners(tags.iter().chain(&said), branches.len());
    for (index, branch) in branches.iter().enumerate() {
        if !implied.contains(&(def.id, index)) {
            continue;
        }
        let own = said.get(index).map(Vec::as_slice).unwrap_or_default();
        let taken = |value: &str| owners.get(value).is_some_and(|owners| owners.iter().any(|owner| *owner != index));
        let better = better(branch.tags.first(), own, taken);
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

/// Which branches have a value, by explicit tag or by what their property says. `lists` holds one list a branch, several
/// times over.
fn owners<'l>(lists: impl Iterator<Item = &'l Vec<String>>, branches: usize) -> HashMap<String, HashSet<usize>> {
    let mut owners: HashMap<String, HashSet<usize>> = HashMap::new();
    for (index, list) in lists.enumerate() {
        for value in list {
            owners.entry(value.clone()).or_default().insert(index % branches.max(1));
        }
    }
    owners
}

/// The tags that a branch's own property calls for, when they are better than the schema's name: the values that no
/// other branch has or, where branches share a list of them, the one that is the name in other letters.
fn better(name: Option<&String>, said: &[String], taken: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let name_fits = name.is_some_and(|name| said.contains(name));
    let own: Vec<String> = said.iter().filter(|value| !taken(value)).cloned().collect();
    if !own.is_empty() && (!name_fits || own.len() == said.len()) {
        return Some(own);
    }
    if name_fits {
        return None;
    }
    let alike = name.and_then(|name| said.iter().find(|said| said.eq_ignore_ascii_case(name)));
    alike.map(|alike| vec![alike.clone()])
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

/// The constant values of a property in a branch, as tags.
fn values(schemas: &[SchemaDef], ty: &Type, property: &str, follow: usize) -> Vec<String> {
    let (Some(def), Some(follow)) = (definition(schemas, ty), follow.checked_sub(1)) else { return Vec::new() };
    match &def.kind {
        SchemaKind::Alias(used) => values(schemas, &used.ty, property, follow),
        SchemaKind::Object { fields, .. } => {
            let field = fields.iter().find(|field| field.wire == property);
            field.map(|field| tag_values(schemas, &field.ty.ty)).unwrap_or_default()
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
