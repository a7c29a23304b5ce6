//! Removing places from a document.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::value_at;
use crate::diagnose::Report;
use crate::load::Patches;
use crate::model::Origin;

/// Removes places from the objects and arrays that hold them.
pub(super) fn remove(
    document: &mut Value,
    places: &[Vec<String>],
    by: &Origin,
    patches: &mut Patches,
    report: &mut Report,
) {
    let mut holders: BTreeMap<&[String], BTreeSet<&str>> = BTreeMap::new();
    for place in places {
        match place.split_last() {
            Some((last, holder)) => {
                holders.entry(holder).or_default().insert(last);
            }
            None => {
                let help = "remove what is in it by `$.*`, or the keys that are not wanted";
                report.error("CD-OVERLAY-TARGET", by.clone(), "the document as a whole cannot be removed", help);
            }
        }
    }
    // What is deeper goes first: elements that move up would change its place.
    let mut holders: Vec<_> = holders.into_iter().collect();
    holders.sort_by_key(|(holder, _)| Reverse(holder.len()));
    for (holder, gone) in holders {
        match value_at(document, holder) {
            Some(Value::Object(object)) => {
                object.retain(|key, _| !gone.contains(key.as_str()));
                for key in gone {
                    patches.remove_key(holder, key, by);
                }
            }
            Some(Value::Array(list)) => {
                let gone: BTreeSet<usize> = gone.into_iter().filter_map(|token| token.parse().ok()).collect();
                patches.remove_elements(holder, list.len(), &gone, by);
                let mut index = 0..;
                list.retain(|_| index.next().is_none_or(|index| !gone.contains(&index)));
            }
            _ => {}
        }
    }
}
