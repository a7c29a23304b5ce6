//! What is emitted: the types the chosen operations reach, and, when nothing is left out, the API's roots.

use std::collections::BTreeSet;

use super::contents;
use crate::model::{Api, SchemaId};
use crate::plan::Direction;

/// Marks what must be emitted.
///
/// Types that travel are reached. So is every type one of their fields names, although a field that stays behind (a
/// `readOnly` field of a type that is only sent) is left out: its type is then reached by nothing and not marked.
pub(crate) fn find(
    api: &Api,
    selected: &[usize],
    directions: &[Direction],
    implied: &BTreeSet<(SchemaId, usize)>,
) -> Vec<bool> {
    let mut reached: Vec<bool> = directions.iter().map(|way| way.request || way.reply).collect();
    let every_operation = (0..api.operations.len()).all(|index| selected.contains(&index));
    let mut pending = if every_operation { api.roots.clone() } else { Vec::new() };
    while let Some(id) = pending.pop() {
        let Some(mark) = reached.get_mut(id.index()) else { continue };
        if std::mem::replace(mark, true) {
            continue;
        }
        let def = api.schema(id);
        let members = contents::members(def).into_iter().filter(|(index, _)| !implied.contains(&(def.id, *index)));
        let uses = members.map(|(_, ty)| ty).chain(contents::kept_extra(def));
        for ty in uses {
            contents::named(&ty.ty, &mut |inner| pending.push(inner));
        }
    }
    reached
}
