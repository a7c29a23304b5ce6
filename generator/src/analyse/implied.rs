//! Tags that a union writes itself. A type that is only ever a branch of unions by one property, each time with one
//! tag, always has that tag: a field for it could only be wrong, so there is none.

use std::collections::BTreeSet;

use super::contents;
use crate::model::{Api, SchemaDef, SchemaId, SchemaKind, Type, TypeUse};

/// What is known of how a schema is used.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Usage<'a> {
    Unused,
    /// Only as a branch with one tag in this property.
    TaggedBy(&'a str),
    Otherwise,
}

/// Finds the fields that unions write. Looks at the whole API, so that choosing other operations changes no type.
pub(crate) fn find(api: &Api) -> BTreeSet<(SchemaId, usize)> {
    let mut usages = vec![Usage::Unused; api.schemas.len()];
    for def in &api.schemas {
        of_schema(def, &mut usages);
    }
    for operation in &api.operations {
        let (sent, received) = contents::of_operation(operation);
        sent.into_iter().chain(received).for_each(|used| otherwise(used, &mut usages));
    }
    let tagged = api.schemas.iter().zip(&usages).filter_map(|(def, usage)| match usage {
        Usage::TaggedBy(property) => Some((def.id, field(def, property)?)),
        Usage::Unused | Usage::Otherwise => None,
    });
    tagged.collect()
}

fn field(def: &SchemaDef, property: &str) -> Option<usize> {
    let SchemaKind::Object { fields, .. } = &def.kind else { return None };
    fields.iter().position(|field| field.wire == property)
}

fn of_schema<'a>(def: &'a SchemaDef, usages: &mut [Usage<'a>]) {
    let SchemaKind::Union { branches, discriminator: Some(discriminator), .. } = &def.kind else {
        contents::members(def).into_iter().for_each(|(_, used)| otherwise(used, usages));
        contents::kept_extra(def).into_iter().for_each(|used| otherwise(used, usages));
        return;
    };
    for (index, branch) in branches.iter().enumerate() {
        let has_one_tag = branch.tags.len() == 1 && discriminator.default != Some(index);
        match &branch.ty.ty {
            Type::Named(id) if has_one_tag => {
                let Some(usage) = usages.get_mut(id.index()) else { continue };
                let tagged = Usage::TaggedBy(&discriminator.property);
                *usage = if matches!(usage, Usage::Unused) || *usage == tagged { tagged } else { Usage::Otherwise };
            }
            _ => otherwise(&branch.ty, usages),
        }
    }
}

fn otherwise(used: &TypeUse, usages: &mut [Usage<'_>]) {
    contents::named(&used.ty, &mut |id| {
        if let Some(usage) = usages.get_mut(id.index()) {
            *usage = Usage::Otherwise;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{api, array, component, named, object, text};
    use crate::model::{Branch, Discriminator, UnionKind};

    fn tagged(tags: &[&str], default: Option<usize>) -> SchemaDef {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        let branches = vec![Branch { ty: named(1), name: None, tags }];
        let discriminator = Some(Discriminator { property: "kind".to_owned(), default });
        component("U", SchemaKind::Union { kind: UnionKind::OneOf, branches, discriminator })
    }

    fn implied(union: SchemaDef, other: Option<SchemaDef>) -> bool {
        let disc = object("Disc", vec![("radius", text()), ("kind", text())]);
        let schemas = [union, disc].into_iter().chain(other).collect();
        find(&api(schemas)).contains(&(SchemaId(1), 1))
    }

    #[test]
    fn the_only_tag_of_a_branch_needs_no_field() {
        assert!(implied(tagged(&["disc"], None), None));
        assert!(implied(tagged(&["disc"], None), Some(tagged(&["round"], None))));
    }

    #[test]
    fn a_tag_that_says_something_keeps_its_field() {
        assert!(!implied(tagged(&["disc", "ring"], None), None));
        assert!(!implied(tagged(&["disc"], Some(0)), None));
        assert!(!implied(tagged(&["disc"], None), Some(object("Holder", vec![("discs", array(named(1)))]))));
        assert!(!implied(object("Holder", vec![("disc", named(1))]), Some(tagged(&["disc"], None))));
    }
}
