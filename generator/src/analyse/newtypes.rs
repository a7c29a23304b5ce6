//! Aliases that stand in a cycle of aliases (`Matrix = array of Matrix`): Rust has no such `type`, so one alias of
//! each cycle becomes a struct.

use std::collections::BTreeSet;

use super::contents;
use crate::model::{Api, SchemaId, SchemaKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    Open,
    Done,
}

/// Finds the aliases to make structs: those a walk over aliases comes back to.
pub(crate) fn find(api: &Api) -> BTreeSet<SchemaId> {
    let mut marks = vec![Mark::Unseen; api.schemas.len()];
    let mut found = BTreeSet::new();
    for start in contents::ids(api) {
        walk(api, start, &mut marks, &mut found);
    }
    found
}

// By an explicit stack: chains of aliases may be as long as the document.
fn walk(api: &Api, start: SchemaId, marks: &mut [Mark], found: &mut BTreeSet<SchemaId>) {
    if marks[start.index()] != Mark::Unseen {
        return;
    }
    marks[start.index()] = Mark::Open;
    let mut stack = vec![(start, targets(api, start))];
    while let Some((id, pending)) = stack.last_mut() {
        let Some(next) = pending.pop() else {
            marks[id.index()] = Mark::Done;
            stack.pop();
            continue;
        };
        match marks[next.index()] {
            Mark::Open => {
                found.insert(next);
            }
            Mark::Unseen => {
                marks[next.index()] = Mark::Open;
                let pending = targets(api, next);
                stack.push((next, pending));
            }
            Mark::Done => {}
        }
    }
}

fn targets(api: &Api, id: SchemaId) -> Vec<SchemaId> {
    let mut targets = Vec::new();
    if let SchemaKind::Alias(target) = &api.schema(id).kind {
        contents::named(&target.ty, &mut |inner| {
            if matches!(api.schema(inner).kind, SchemaKind::Alias(_)) {
                targets.push(inner);
            }
        });
    }
    targets.reverse();
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{alias, api, array, named, tuple};

    #[test]
    fn only_one_alias_of_a_cycle_becomes_a_struct() {
        let api = api(vec![
            alias("Matrix", array(named(0))),
            alias("Even", array(named(2))),
            alias("Odd", tuple(vec![named(1)])),
            alias("Plain", array(named(0))),
        ]);
        assert_eq!(find(&api), BTreeSet::from([SchemaId(0), SchemaId(1)]));
    }
}
