//! Which operation of the old document is which of the new one.

use std::collections::BTreeMap;

use super::sides::Side;
use crate::model::{Operation, PathSegment};
use crate::plan::OperationKind;

/// The operations of both sides, by their positions in the plans.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// Those that are in both, in the order of the new plan.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Those that are gone.
    pub(super) removed: Vec<usize>,
    /// Those that are new.
    pub(super) added: Vec<usize>,
}

impl Matching {
    /// An operation is known by its id; where that changed, by its method and path; and where the method changed from one
    /// that reads to one that writes or the other way round, by its path alone, if nothing else there could be meant.
    pub(super) fn of(old: &Side<'_>, new: &Side<'_>) -> Self {
        let all = |side: &Side<'_>| (0..side.plan.operations.len()).map(Some).collect::<Vec<_>>();
        let mut open = Open { old: all(old), new: all(new), pairs: Vec::new() };
        open.take(old, new, |operation| Some((operation.id.clone(), place(operation))));
        open.take(old, new, |operation| Some((operation.id.clone(), String::new())));
        open.take(old, new, |operation| Some((String::new(), place(operation))));
        open.take(old, new, |operation| Some((String::new(), path(operation))));
        let Open { old: removed, new: added, mut pairs } = open;
        pairs.sort_by_key(|(_, new)| *new);
        Self { pairs, removed: removed.into_iter().flatten().collect(), added: added.into_iter().flatten().collect() }
    }

    /// The operation of the new plan that an old one became.
    pub(super) fn new_of(&self, old: usize) -> Option<usize> {
        self.pairs.iter().find(|(before, _)| *before == old).map(|(_, now)| *now)
    }
}

struct Open {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
    pairs: Vec<(usize, usize)>,
}

type Key = (String, String);

impl Open {
    /// Pairs what has a key that one operation on each side has.
    fn take(&mut self, old: &Side<'_>, new: &Side<'_>, key: impl Fn(&Operation) -> Option<Key>) {
        let (before, now) = (by_key(old, &self.old, &key), by_key(new, &self.new, &key));
        for (key, at) in before {
            let (&[old_at], Some(&[new_at])) = (at.as_slice(), now.get(&key).map(Vec::as_slice)) else { continue };
            if is_by_path(&key) && reads(old, old_at) == reads(new, new_at) {
                continue;
            }
            self.pairs.push((old_at, new_at));
            if let (Some(old), Some(new)) = (self.old.get_mut(old_at), self.new.get_mut(new_at)) {
                (*old, *new) = (None, None);
            }
        }
    }
}

fn by_key(
    side: &Side<'_>,
    open: &[Option<usize>],
    key: &impl Fn(&Operation) -> Option<Key>,
) -> BTreeMap<Key, Vec<usize>> {
    let mut found: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for at in open.iter().flatten() {
        if let Some(key) = side.operation(*at).and_then(|(_, operation, _)| key(operation)) {
            found.entry(key).or_default().push(*at);
        }
    }
    found
}

/// A key of the last resort: a path without a method.
fn is_by_path((id, place): &Key) -> bool {
    id.is_empty() && place.starts_with('/')
}

fn reads(side: &Side<'_>, at: usize) -> bool {
    side.operation(at).is_some_and(|(planned, _, _)| planned.kind == OperationKind::Read)
}

/// `GET /users/{}`: what a parameter is called does not matter.
pub(super) fn place(operation: &Operation) -> String {
    format!("{} {}", operation.method, path(operation))
}

fn path(operation: &Operation) -> String {
    let piece = |segment: &PathSegment| match segment {
        PathSegment::Literal(text) => text.clone(),
        PathSegment::Parameter(_) => "{}".to_owned(),
    };
    operation.path.segments.iter().map(piece).collect()
}
