//! `anyOf` of objects: what is several of them at once.

use super::context::Lowering;
use super::facets::{Alternatives, Facets, Owned, Rest};
use super::union::Alternative;
use crate::analyse::telling;
use crate::model::{Api, Extra, SchemaDef, SchemaKind, UnionKind};
use crate::normalise::Kind;
use crate::resolve::Findings;

impl<'a> Lowering<'a> {
    /// All alternatives as one object, where none of them demands anything: whatever is one of them is all of them, so
    /// that telling them apart could only lose members. `None` where they demand something, or disagree on a property.
    pub(super) fn all_at_once(
        &mut self,
        facets: &Facets<'a>,
        union: &Alternatives<'a>,
        alternatives: &[Alternative<'a>],
    ) -> Option<Facets<'a>> {
        if union.kind != UnionKind::AnyOf || union.discriminator.is_some() {
            return None;
        }
        let mut all = facets.clone();
        for alternative in alternatives {
            let mut own = Facets::default();
            self.gather_alternative(&mut own, alternative);
            if !demands_nothing(&own) {
                return None;
            }
            for (name, schemas) in own.properties {
                match all.properties.get(name) {
                    Some(known) if !say_the_same(known, &schemas) => return None,
                    Some(_) => {}
                    None => drop(all.properties.insert(name, schemas)),
                }
            }
        }
        Some(all)
    }
}

fn demands_nothing(facets: &Facets<'_>) -> bool {
    facets.kinds().list() == [Kind::Object]
        && facets.listed.is_none()
        && facets.unions.is_empty()
        && facets.required.is_empty()
        && facets.patterns.is_empty()
        && !facets.properties.is_empty()
        && matches!(facets.extra, Rest::Unsaid)
}

fn say_the_same(some: &[Owned<'_>], others: &[Owned<'_>]) -> bool {
    some.iter().map(|(node, _)| node.value).eq(others.iter().map(|(node, _)| node.value))
}

/// Tells of every other `anyOf` of objects that nothing tells apart: what is several of them at once is read as one.
pub(super) fn tell_of_several(api: &Api, findings: &mut Findings<'_>) {
    for def in &api.schemas {
        let SchemaKind::Union { kind: UnionKind::AnyOf, branches, discriminator: None } = &def.kind else { continue };
        let definitions = branches.iter().filter_map(|branch| telling::definition(api, &branch.ty.ty));
        let objects: Vec<&SchemaDef> =
            definitions.filter(|def| matches!(def.kind, SchemaKind::Object { .. })).collect();
        let is_kept = |(index, one): (usize, &&SchemaDef)| {
            objects.iter().skip(index + 1).all(|other| keeps(one, other) || keeps(other, one))
        };
        if !objects.iter().enumerate().all(is_kept) && telling::find(api, branches).is_none() {
            let message = "a value that is several of these objects at once is read as the one that keeps most of it";
            let help = "where values are, an overlay can make it one object with the members of all";
            findings.count("CD-UNION-SEVERAL", &def.origin, message, help);
        }
    }
}

/// Whether one object keeps all members of another.
fn keeps(one: &SchemaDef, other: &SchemaDef) -> bool {
    let (SchemaKind::Object { fields, extra }, SchemaKind::Object { fields: others, .. }) = (&one.kind, &other.kind)
    else {
        return false;
    };
    let knows = |name: &str| fields.iter().any(|field| field.wire == name);
    matches!(extra, Extra::Kept(_)) || others.iter().all(|field| knows(&field.wire))
}
