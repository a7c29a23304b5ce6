//! Which way each type travels: requests are written strictly and without `readOnly` fields, replies are read
//! leniently and without `writeOnly` fields.

use std::collections::BTreeSet;

use super::contents;
use crate::model::{Api, SchemaDef, SchemaId, SchemaKind, TypeUse};
use crate::plan::Direction;

impl Direction {
    /// Only ever part of requests.
    #[must_use]
    pub fn request_only(self) -> bool {
        self.request && !self.reply
    }

    /// Only ever part of replies.
    #[must_use]
    pub fn reply_only(self) -> bool {
        self.reply && !self.request
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Request,
    Reply,
}

/// Follows what the chosen operations send and receive. A request does not lead through `readOnly` fields, a reply
/// not through `writeOnly` ones.
pub(crate) fn find(api: &Api, selected: &[usize], implied: &BTreeSet<(SchemaId, usize)>) -> Vec<Direction> {
    let mut directions = vec![Direction::default(); api.schemas.len()];
    let mut sent = Vec::new();
    let mut received = Vec::new();
    for operation in selected.iter().filter_map(|index| api.operations.get(*index)) {
        let (of_request, of_reply) = contents::of_operation(operation);
        sent.extend(of_request);
        received.extend(of_reply);
    }
    spread(api, implied, sent, Way::Request, &mut directions);
    spread(api, implied, received, Way::Reply, &mut directions);
    directions
}

fn spread<'a>(
    api: &'a Api,
    implied: &BTreeSet<(SchemaId, usize)>,
    mut pending: Vec<&'a TypeUse>,
    way: Way,
    directions: &mut [Direction],
) {
    while let Some(found) = pending.pop() {
        contents::named(&found.ty, &mut |id| {
            let Some(direction) = directions.get_mut(id.index()) else { return };
            let mark = match way {
                Way::Request => &mut direction.request,
                Way::Reply => &mut direction.reply,
            };
            if !std::mem::replace(mark, true) {
                let def = api.schema(id);
                pending.extend(travelling(def, way, implied));
                pending.extend(contents::kept_extra(def));
            }
        });
    }
}

fn travelling<'a>(def: &'a SchemaDef, way: Way, implied: &BTreeSet<(SchemaId, usize)>) -> Vec<&'a TypeUse> {
    let stays_behind = |index: usize| match &def.kind {
        SchemaKind::Object { fields, .. } => fields.get(index).is_some_and(|field| match way {
            Way::Request => field.read_only,
            Way::Reply => field.write_only,
        }),
        _ => false,
    };
    contents::members(def)
        .into_iter()
        .filter(|(index, _)| !stays_behind(*index) && !implied.contains(&(def.id, *index)))
        .map(|(_, ty)| ty)
        .collect()
}
