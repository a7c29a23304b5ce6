//! What a schema is made of: the one place that knows where a definition holds uses of other types.

use crate::model::{Api, Content, Extra, Operation, OwnUse, SchemaDef, SchemaId, SchemaKind, Type, TypeUse};

/// The uses a definition holds as fields, branches or alias target, with the index of the field or branch.
pub(crate) fn members(def: &SchemaDef) -> Vec<(usize, &TypeUse)> {
    match &def.kind {
        SchemaKind::Alias(target) => vec![(0, target)],
        SchemaKind::Object { fields, .. } => fields.iter().map(|field| &field.ty).enumerate().collect(),
        SchemaKind::Union { branches, .. } => branches.iter().map(|branch| &branch.ty).enumerate().collect(),
        SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) | SchemaKind::Const(_) => Vec::new(),
    }
}

/// The type of the undeclared properties, where they are kept.
pub(crate) fn kept_extra(def: &SchemaDef) -> Option<&TypeUse> {
    match &def.kind {
        SchemaKind::Object { extra: Extra::Kept(ty), .. } => Some(ty),
        _ => None,
    }
}

/// Calls `visit` with every schema named anywhere inside a type.
pub(crate) fn named(ty: &Type, visit: &mut impl FnMut(SchemaId)) {
    match ty {
        Type::Named(id) => visit(*id),
        Type::Array(item) | Type::Map(item) => named(&item.ty, visit),
        Type::Tuple(items) => items.iter().for_each(|item| named(&item.ty, visit)),
        // What stands in the place of a schema is no use of it.
        Type::Own(_) => {}
        Type::Any | Type::Null | Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text(_) | Type::Binary => {}
    }
}

/// Calls `visit` with every use of a type of the project's own inside a type.
pub(crate) fn own<'t>(ty: &'t Type, visit: &mut impl FnMut(&'t OwnUse)) {
    match ty {
        Type::Own(used) => visit(used),
        Type::Array(item) | Type::Map(item) => own(&item.ty, visit),
        Type::Tuple(items) => items.iter().for_each(|item| own(&item.ty, visit)),
        _ => {}
    }
}

/// Calls `visit` with every schema a value of this type holds in place, without a `Vec` or map between.
pub(crate) fn in_place(ty: &Type, visit: &mut impl FnMut(SchemaId)) {
    match ty {
        Type::Named(id) => visit(*id),
        Type::Tuple(items) => items.iter().for_each(|item| in_place(&item.ty, visit)),
        _ => {}
    }
}

/// Every type an operation sends, and every type it receives.
pub(crate) fn of_operation(operation: &Operation) -> (Vec<&TypeUse>, Vec<&TypeUse>) {
    let bodies = operation.body.iter().flat_map(|body| uses(&body.contents));
    let sent = operation.parameters.iter().map(|parameter| &parameter.ty).chain(bodies).collect();
    let received = operation
        .responses
        .iter()
        .flat_map(|response| response.headers.iter().map(|header| &header.ty).chain(uses(&response.contents)))
        .collect();
    (sent, received)
}

fn uses(contents: &[Content]) -> impl Iterator<Item = &TypeUse> {
    contents.iter().map(|content| &content.ty)
}

/// Ids of all schemas, in arena order.
pub(crate) fn ids(api: &Api) -> impl Iterator<Item = SchemaId> + '_ {
    api.schemas.iter().map(|def| def.id)
}
