//! Every use of a type in a model, to be looked at or replaced.

use crate::model::{Api, Extra, Operation, SchemaDef, SchemaKind, TypeUse};

/// Calls `visit` with every use of a type: in schemas, operations and what gives examples.
pub(super) fn each(api: &mut Api, visit: &mut impl FnMut(&mut TypeUse)) {
    for def in &mut api.schemas {
        of_schema(def, visit);
    }
    for operation in &mut api.operations {
        of_operation(operation, visit);
    }
    for schema in &mut api.exemplified {
        visit(&mut schema.ty);
    }
}

fn of_schema(def: &mut SchemaDef, visit: &mut impl FnMut(&mut TypeUse)) {
    match &mut def.kind {
        SchemaKind::Alias(target) => visit(target),
        SchemaKind::Object { fields, extra } => {
            fields.iter_mut().for_each(|field| visit(&mut field.ty));
            if let Extra::Kept(values) = extra {
                visit(values);
            }
        }
        SchemaKind::Union { branches, .. } => branches.iter_mut().for_each(|branch| visit(&mut branch.ty)),
        SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) | SchemaKind::Const(_) => {}
    }
}

fn of_operation(operation: &mut Operation, visit: &mut impl FnMut(&mut TypeUse)) {
    operation.parameters.iter_mut().for_each(|parameter| visit(&mut parameter.ty));
    let bodies = operation.body.iter_mut().flat_map(|body| &mut body.contents);
    bodies.for_each(|content| visit(&mut content.ty));
    for response in &mut operation.responses {
        response.headers.iter_mut().for_each(|header| visit(&mut header.ty));
        response.contents.iter_mut().for_each(|content| visit(&mut content.ty));
    }
}

/// Calls `visit` with the uses by the property or parameter that is written at a place of the root document.
pub(super) fn at(api: &mut Api, place: &str, visit: &mut impl FnMut(&mut TypeUse)) {
    let place = wanted(place);
    for def in &mut api.schemas {
        if let SchemaKind::Object { fields, .. } = &mut def.kind {
            let there = fields.iter_mut().filter(|field| field.origin.file == 0 && field.origin.pointer == place);
            there.for_each(|field| visit(&mut field.ty));
        }
    }
    for parameter in api.operations.iter_mut().flat_map(|operation| &mut operation.parameters) {
        if parameter.origin.file == 0 && parameter.origin.pointer == place {
            visit(&mut parameter.ty);
        }
    }
    for schema in &mut api.exemplified {
        if schema.origin.file == 0 && wanted(&schema.origin.pointer) == place {
            visit(&mut schema.ty);
        }
    }
}

/// The uses at a place, to be looked at.
pub(super) fn find<'a>(api: &'a Api, place: &str) -> Vec<&'a TypeUse> {
    let place = wanted(place);
    let fields = fields(api).filter(|(pointer, _)| *pointer == place);
    fields.map(|(_, used)| used).collect()
}

/// Every place that a mapping can name.
pub(super) fn places(api: &Api) -> Vec<String> {
    fields(api).map(|(pointer, _)| pointer.to_owned()).collect()
}

fn fields(api: &Api) -> impl Iterator<Item = (&str, &TypeUse)> {
    let fields = api.schemas.iter().flat_map(|def| match &def.kind {
        SchemaKind::Object { fields, .. } => fields.as_slice(),
        _ => &[],
    });
    let fields = fields.map(|field| (&field.origin, &field.ty));
    let parameters = api.operations.iter().flat_map(|operation| &operation.parameters);
    let parameters = parameters.map(|parameter| (&parameter.origin, &parameter.ty));
    let in_root = fields.chain(parameters).filter(|(origin, _)| origin.file == 0);
    in_root.map(|(origin, used)| (origin.pointer.as_str(), used))
}

/// A parameter may be named by its schema too.
fn wanted(place: &str) -> &str {
    let place = place.strip_prefix('#').unwrap_or(place);
    let of_parameter = place.strip_suffix("/schema").filter(|parameter| {
        let mut segments = parameter.rsplit('/').skip(1);
        segments.next() == Some("parameters")
    });
    of_parameter.unwrap_or(place)
}
