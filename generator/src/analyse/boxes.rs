//! Where recursion needs a box: a type may not hold itself in place. A `Vec` or map already stands between, so only
//! fields, branches and tuple items count.

use std::collections::BTreeSet;

use super::contents;
use crate::model::{Api, SchemaId, SchemaKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    Open,
    Done,
}

/// Finds the fields and branches to box: those by which a walk comes back to a type it is still inside.
///
/// The walk starts at unions, so that of a union and the branch that holds it again, the field is boxed and matching
/// on the union stays plain.
pub(crate) fn find(api: &Api, newtypes: &BTreeSet<SchemaId>) -> BTreeSet<(SchemaId, usize)> {
    let mut walk = Walk { api, newtypes, marks: vec![Mark::Unseen; api.schemas.len()], boxed: BTreeSet::new() };
    let is_union = |id: &SchemaId| matches!(api.schema(*id).kind, SchemaKind::Union { .. });
    let starts = contents::ids(api).filter(is_union).chain(contents::ids(api));
    for start in starts {
        walk.from(start);
    }
    walk.boxed
}

struct Walk<'a> {
    api: &'a Api,
    newtypes: &'a BTreeSet<SchemaId>,
    marks: Vec<Mark>,
    boxed: BTreeSet<(SchemaId, usize)>,
}

impl Walk<'_> {
    // By an explicit stack: chains of types may be as long as the document.
    fn from(&mut self, start: SchemaId) {
        if self.marks[start.index()] != Mark::Unseen || self.is_plain_alias(start) {
            return;
        }
        self.marks[start.index()] = Mark::Open;
        let mut stack = vec![(start, self.edges(start))];
        while let Some((id, pending)) = stack.last_mut() {
            let id = *id;
            let Some((member, next)) = pending.pop() else {
                self.marks[id.index()] = Mark::Done;
                stack.pop();
                continue;
            };
            if self.boxed.contains(&(id, member)) {
                continue;
            }
            match self.marks[next.index()] {
                Mark::Open => {
                    self.boxed.insert((id, member));
                }
                Mark::Unseen => {
                    self.marks[next.index()] = Mark::Open;
                    let edges = self.edges(next);
                    stack.push((next, edges));
                }
                Mark::Done => {}
            }
        }
    }

    /// What a type holds in place, by member, seen through plain aliases; last member first.
    fn edges(&self, id: SchemaId) -> Vec<(usize, SchemaId)> {
        let mut edges = Vec::new();
        for (member, ty) in contents::members(self.api.schema(id)) {
            let mut pending = Vec::new();
            contents::in_place(&ty.ty, &mut |inner| pending.push(inner));
            // An alias is looked through once a member; plain aliases form no cycle, newtypes cut those.
            let mut seen = BTreeSet::new();
            while let Some(inner) = pending.pop() {
                if !seen.insert(inner) {
                    continue;
                }
                match &self.api.schema(inner).kind {
                    SchemaKind::Alias(target) if !self.newtypes.contains(&inner) => {
                        contents::in_place(&target.ty, &mut |next| pending.push(next));
                    }
                    _ => edges.push((member, inner)),
                }
            }
        }
        edges.reverse();
        edges
    }

    fn is_plain_alias(&self, id: SchemaId) -> bool {
        matches!(self.api.schema(id).kind, SchemaKind::Alias(_)) && !self.newtypes.contains(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{alias, api, array, map, named, object, tuple, union};

    fn boxed(schemas: Vec<crate::model::SchemaDef>) -> Vec<(u32, usize)> {
        let api = api(schemas);
        let newtypes = super::super::newtypes::find(&api);
        find(&api, &newtypes).into_iter().map(|(id, member)| (id.0, member)).collect()
    }

    #[test]
    fn a_field_of_its_own_type_is_boxed_but_not_inside_a_list_or_map() {
        let twig = object(
            "Twig",
            vec![("leaf", named(1)), ("up", named(0)), ("kids", array(named(0))), ("index", map(named(0)))],
        );
        let leaf = object("Leaf", vec![("twig", named(0))]);
        assert_eq!(boxed(vec![twig, leaf]), [(0, 1), (1, 0)]);
    }

    #[test]
    fn of_a_union_and_its_branch_the_field_is_boxed() {
        let slab = object("Slab", vec![("inner", named(1))]);
        let shape = union("Shape", vec![named(0)]);
        assert_eq!(boxed(vec![slab, shape]), [(0, 0)]);
    }

    #[test]
    fn a_cycle_through_an_alias_is_seen() {
        let pair = alias("Pair", tuple(vec![named(1), named(1)]));
        let node = object("Node", vec![("pair", named(0))]);
        assert_eq!(boxed(vec![pair, node]), [(1, 0)]);
    }

    #[test]
    fn a_union_of_itself_is_boxed_in_the_branch() {
        assert_eq!(boxed(vec![union("Loop", vec![named(0), array(named(0))])]), [(0, 0)]);
    }

    #[test]
    fn a_long_chain_needs_no_box_and_no_deep_stack() {
        let chain: Vec<_> = (0..100_000u32)
            .map(|n| object("Link", if n < 99_999 { vec![("next", named(n + 1))] } else { vec![] }))
            .collect();
        assert_eq!(boxed(chain), []);
    }
}
