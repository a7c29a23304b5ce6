//! Credentials that travel in the body. OpenAPI has no word for them: the project file declares which fields they are,
//! and here they become security schemes, and leave the types that people fill in.

use std::collections::HashMap;

use crate::model::{
    Api, ApiKeyPlace, Body, Docs, Extra, Field, NameSource, Origin, Requirement, SchemaDef, SchemaId, SchemaKind,
    SecurityKind, SecurityScheme, Type, TypeUse,
};
use crate::resolve::Findings;

/// Lifts the declared fields out of the bodies that have them.
pub(super) fn lift(api: &mut Api, declared: &[(String, Vec<String>)], findings: &mut Findings<'_>) {
    if declared.is_empty() {
        return;
    }
    let uses = count_uses(api);
    let mut found = vec![false; declared.len()];
    // What each body's schema loses, and the operations that lose it there.
    let mut lifted: Vec<Lifted> = Vec::new();
    for (index, operation) in api.operations.iter_mut().enumerate() {
        let Some(body) = &operation.body else { continue };
        let labels = labels_of(&api.schemas, body, declared);
        if labels.is_empty() {
            continue;
        }
        let alternatives = labels.iter().filter_map(|label| declared.get(*label)).map(|(_, fields)| Requirement {
            schemes: fields.iter().map(|field| (field.clone(), Vec::new())).collect(),
        });
        operation.security.get_or_insert_with(Vec::new).extend(alternatives);
        for label in &labels {
            if let Some(found) = found.get_mut(*label) {
                *found = true;
            }
        }
        for (content, id) in objects_of(&api.schemas, body) {
            let fields =
                labels.iter().filter_map(|label| declared.get(*label)).flat_map(|(_, fields)| fields.clone()).collect();
            lifted.push(Lifted { operation: index, content, schema: id, fields });
        }
    }
    take_out(api, &lifted, &uses);
    for ((label, fields), found) in declared.iter().zip(found) {
        if found {
            add_schemes(api, label, fields);
        } else {
            let message = format!("no body has all fields of the credential `{label}`: {}", fields.join(", "));
            findings.note("CD-CREDENTIAL-ABSENT", &Origin::default(), message, "check their spelling");
        }
    }
}

/// Fields that leave the schema of one body.
struct Lifted {
    operation: usize,
    content: usize,
    schema: SchemaId,
    fields: Vec<String>,
}

/// The labels all of whose fields every form of the body has.
fn labels_of(schemas: &[SchemaDef], body: &Body, declared: &[(String, Vec<String>)]) -> Vec<usize> {
    let objects = objects_of(schemas, body);
    let has = |id: SchemaId, name: &String| fields_of(schemas, id).iter().any(|field| field.wire == *name);
    let all = |fields: &Vec<String>| objects.iter().all(|(_, id)| fields.iter().all(|field| has(*id, field)));
    if objects.is_empty() || objects.len() != body.contents.len() {
        return Vec::new();
    }
    declared.iter().enumerate().filter(|(_, (_, fields))| all(fields)).map(|(index, _)| index).collect()
}

/// The bodies that are objects: index of the content, and the schema.
fn objects_of(schemas: &[SchemaDef], body: &Body) -> Vec<(usize, SchemaId)> {
    let object = |used: &TypeUse| object_behind(schemas, &used.ty);
    let contents = body.contents.iter().enumerate();
    contents.filter_map(|(index, content)| Some((index, object(&content.ty)?))).collect()
}

fn object_behind(schemas: &[SchemaDef], ty: &Type) -> Option<SchemaId> {
    let mut ty = ty;
    for _ in 0..=schemas.len() {
        let Type::Named(id) = ty else { return None };
        match &schemas.get(id.index())?.kind {
            SchemaKind::Alias(used) => ty = &used.ty,
            SchemaKind::Object { .. } => return Some(*id),
            _ => return None,
        }
    }
    None
}

fn fields_of(schemas: &[SchemaDef], id: SchemaId) -> &[Field] {
    match schemas.get(id.index()).map(|def| &def.kind) {
        Some(SchemaKind::Object { fields, .. }) => fields,
        _ => &[],
    }
}

/// Takes the fields out: of the schema itself when nothing but these bodies uses it, else of a copy.
fn take_out(api: &mut Api, lifted: &[Lifted], uses: &HashMap<SchemaId, usize>) {
    let mut copies: HashMap<(SchemaId, Vec<String>), SchemaId> = HashMap::new();
    for one in lifted {
        let here: Vec<_> = lifted.iter().filter(|other| other.schema == one.schema).collect();
        let alone = here.iter().all(|other| other.fields == one.fields)
            && uses.get(&one.schema).copied().unwrap_or(0) <= here.len()
            && content_type(api, one) == Some(&Type::Named(one.schema));
        let key = (one.schema, one.fields.clone());
        let id = match copies.get(&key) {
            Some(id) => *id,
            None if alone => one.schema,
            None => copy(api, one),
        };
        copies.insert(key, id);
        if let Some(SchemaKind::Object { fields, .. }) = api.schemas.get_mut(id.index()).map(|def| &mut def.kind) {
            fields.retain(|field| !one.fields.contains(&field.wire));
        }
        let body = api.operations.get_mut(one.operation).and_then(|operation| operation.body.as_mut());
        if let Some(content) = body.and_then(|body| body.contents.get_mut(one.content)) {
            content.ty.ty = Type::Named(id);
            for field in &one.fields {
                content.encoding.shift_remove(field);
            }
        }
    }
}

fn content_type<'m>(api: &'m Api, lifted: &Lifted) -> Option<&'m Type> {
    let body = api.operations.get(lifted.operation)?.body.as_ref()?;
    body.contents.get(lifted.content).map(|content| &content.ty.ty)
}

fn copy(api: &mut Api, lifted: &Lifted) -> SchemaId {
    let id = SchemaId(u32::try_from(api.schemas.len()).unwrap_or(u32::MAX));
    let operation = api.operations.get(lifted.operation).map(|operation| operation.id.clone()).unwrap_or_default();
    if let Some(def) = api.schemas.get(lifted.schema.index()).cloned() {
        api.schemas.push(SchemaDef { id, name: NameSource::Operation(operation, vec!["body".to_owned()]), ..def });
    }
    id
}

fn add_schemes(api: &mut Api, label: &str, fields: &[String]) {
    for field in fields {
        if api.security_schemes.iter().any(|scheme| scheme.name == *field) {
            continue;
        }
        let summary = format!("`{field}` in the body, of the credential `{label}`");
        api.security_schemes.push(SecurityScheme {
            name: field.clone(),
            kind: SecurityKind::ApiKey { place: ApiKeyPlace::Body, name: field.clone() },
            docs: Docs { summary: Some(summary), ..Docs::default() },
            origin: Origin::default(),
        });
    }
}

/// How often each schema is used, in schemas and operations.
fn count_uses(api: &Api) -> HashMap<SchemaId, usize> {
    let mut uses = HashMap::new();
    for def in &api.schemas {
        match &def.kind {
            SchemaKind::Alias(used) => count(&used.ty, &mut uses),
            SchemaKind::Object { fields, extra } => {
                fields.iter().for_each(|field| count(&field.ty.ty, &mut uses));
                if let Extra::Kept(values) = extra {
                    count(&values.ty, &mut uses);
                }
            }
            SchemaKind::Union { branches, .. } => branches.iter().for_each(|branch| count(&branch.ty.ty, &mut uses)),
            SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) | SchemaKind::Const(_) => {}
        }
    }
    for operation in &api.operations {
        operation.parameters.iter().for_each(|parameter| count(&parameter.ty.ty, &mut uses));
        let bodies = operation.body.iter().flat_map(|body| &body.contents);
        let replies = operation.responses.iter().flat_map(|response| &response.contents);
        bodies.chain(replies).for_each(|content| count(&content.ty.ty, &mut uses));
        let headers = operation.responses.iter().flat_map(|response| &response.headers);
        headers.for_each(|header| count(&header.ty.ty, &mut uses));
    }
    uses
}

fn count(ty: &Type, uses: &mut HashMap<SchemaId, usize>) {
    match ty {
        Type::Named(id) => *uses.entry(*id).or_insert(0) += 1,
        Type::Array(inner) | Type::Map(inner) => count(&inner.ty, uses),
        Type::Tuple(items) => items.iter().for_each(|item| count(&item.ty, uses)),
        _ => {}
    }
}
