//! A property by which the branches of a union tell themselves apart although no discriminator names it.

use std::collections::BTreeSet;

use crate::model::{Api, Branch, SchemaDef, SchemaKind, Type};

/// Every object branch demands the property, with listed values that no other branch lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Telling<'a> {
    /// The property's name in JSON.
    pub(crate) property: &'a str,
    /// Its values by branch.
    pub(crate) values: Vec<(usize, Vec<&'a str>)>,
    /// No other branch can take an object, so an object with another value is of a branch the document does not list.
    pub(crate) is_closed: bool,
}

/// Finds the property, the first in the order of the first branch.
pub(crate) fn find<'a>(api: &'a Api, branches: &'a [Branch]) -> Option<Telling<'a>> {
    let definitions = branches.iter().enumerate().map(|(index, branch)| (index, definition(api, &branch.ty.ty)));
    let objects: Vec<(usize, &SchemaDef)> = definitions
        .filter_map(|(index, def)| Some((index, def?)))
        .filter(|(_, def)| matches!(def.kind, SchemaKind::Object { .. }))
        .collect();
    let [(_, first), _, ..] = objects.as_slice() else { return None };
    let SchemaKind::Object { fields, .. } = &first.kind else { return None };
    let values = |property| values_of(api, &objects, property);
    let (property, values) = fields.iter().find_map(|field| Some((field.wire.as_str(), values(&field.wire)?)))?;
    let others = branches.iter().enumerate().filter(|(index, _)| objects.iter().all(|(object, _)| object != index));
    let is_closed = others.into_iter().all(|(_, branch)| never_an_object(api, &branch.ty.ty));
    Some(Telling { property, values, is_closed })
}

fn values_of<'a>(
    api: &'a Api,
    objects: &[(usize, &'a SchemaDef)],
    property: &str,
) -> Option<Vec<(usize, Vec<&'a str>)>> {
    let mut seen = BTreeSet::new();
    let listed = objects.iter().map(|(index, def)| {
        let values = listed_values(api, def, property)?;
        values.iter().all(|value| seen.insert(*value)).then_some((*index, values))
    });
    listed.collect()
}

fn listed_values<'a>(api: &'a Api, def: &'a SchemaDef, property: &str) -> Option<Vec<&'a str>> {
    let SchemaKind::Object { fields, .. } = &def.kind else { return None };
    let field = fields.iter().find(|field| field.wire == property)?;
    let is_demanded = field.required && !field.ty.nullable && !field.read_only && !field.write_only;
    match &definition(api, &field.ty.ty)?.kind {
        SchemaKind::Const(value) if is_demanded => Some(vec![value.as_str()?]),
        SchemaKind::TextEnum(values) if is_demanded => Some(values.iter().map(|value| value.value.as_str()).collect()),
        _ => None,
    }
}

fn never_an_object(api: &Api, ty: &Type) -> bool {
    match behind(api, ty.on_the_wire()) {
        Type::Any | Type::Map(_) => false,
        Type::Named(_) => {
            matches!(definition(api, ty).map(|def| &def.kind), Some(SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_)))
        }
        _ => true,
    }
}

/// What a type is, behind its other names.
pub(crate) fn definition<'a>(api: &'a Api, ty: &Type) -> Option<&'a SchemaDef> {
    let Type::Named(id) = ty else { return None };
    let mut def = api.schema(*id);
    for _ in 0..api.schemas.len() {
        match &def.kind {
            SchemaKind::Alias(target) => match &target.ty {
                Type::Named(next) => def = api.schema(*next),
                _ => break,
            },
            _ => break,
        }
    }
    Some(def)
}

/// The type behind aliases of it.
pub(crate) fn behind<'a>(api: &'a Api, ty: &'a Type) -> &'a Type {
    match definition(api, ty).map(|def| &def.kind) {
        Some(SchemaKind::Alias(target)) => &target.ty,
        _ => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{alias, api, component, field, named, object, text, text_enum, union};
    use crate::model::{Extra, Field};

    fn typed(name: &str, ty: u32) -> SchemaDef {
        let fields = vec![Field { required: true, ..field("type", named(ty)) }];
        component(name, SchemaKind::Object { fields, extra: Extra::Ignored })
    }

    fn telling(branches: Vec<crate::model::TypeUse>) -> Option<(String, bool)> {
        let schemas = vec![
            union("U", branches),
            typed("Call", 3),
            typed("Message", 4),
            text_enum("CallType", &["call"]),
            text_enum("MessageType", &["message", "reply"]),
            object("Open", vec![("type", named(3))]),
            alias("Word", text()),
            union("Nested", vec![text()]),
        ];
        let api = api(schemas);
        let SchemaKind::Union { branches, .. } = &api.schemas[0].kind else { return None };
        find(&api, branches).map(|telling| (telling.property.to_owned(), telling.is_closed))
    }

    #[test]
    fn listed_values_that_differ_tell_branches_apart() {
        assert_eq!(telling(vec![named(1), named(2)]), Some(("type".to_owned(), true)));
        assert_eq!(telling(vec![named(1), named(6), named(2)]), Some(("type".to_owned(), true)));
        assert_eq!(telling(vec![named(1), named(2), named(7)]), Some(("type".to_owned(), false)));
    }

    #[test]
    fn a_property_that_may_be_absent_or_says_the_same_tells_nothing() {
        assert_eq!(telling(vec![named(1), named(5)]), None);
        assert_eq!(telling(vec![named(1), named(1)]), None);
        assert_eq!(telling(vec![named(1), named(6)]), None);
    }
}
