//! Merging a value into another one.

use serde_json::Value;

use super::kind;
use crate::load::{Patches, Written, pointer};
use crate::model::Origin;

/// A merge into one place.
pub(super) struct Merge<'a> {
    pub(super) patches: &'a mut Patches,
    /// What could not be merged: where the update says it, and why.
    pub(super) faults: &'a mut Vec<(Origin, String)>,
}

impl Merge<'_> {
    /// Merges into a place that a target selected. An array takes a value that is none as a new element.
    pub(super) fn merge(&mut self, target: &mut Value, update: &Value, path: &[String], written: &Written) {
        let mut path = path.to_vec();
        match target {
            Value::Array(list) if !update.is_array() => self.append(list, update, &mut path, written.clone()),
            target => self.value(target, update, &mut path, written),
        }
    }

    fn value(&mut self, target: &mut Value, update: &Value, path: &mut Vec<String>, written: &Written) {
        match (target, update) {
            (Value::Object(target), Value::Object(update)) => {
                for (key, value) in update {
                    path.push(key.clone());
                    let part = written.part(key);
                    match target.get_mut(key) {
                        Some(known) => self.value(known, value, path, &part),
                        None => {
                            target.insert(key.clone(), value.clone());
                            self.patches.write(path, part);
                        }
                    }
                    path.pop();
                }
            }
            (Value::Array(list), Value::Array(update)) => {
                for (index, element) in update.iter().enumerate() {
                    self.append(list, element, path, written.part(&index.to_string()));
                }
            }
            (target, update) if is_scalar(target) && is_scalar(update) => {
                if target != update {
                    target.clone_from(update);
                    self.patches.write(path, written.clone());
                }
            }
            (target, update) => {
                let place = if path.is_empty() { "the root".to_owned() } else { pointer(path) };
                let message = format!("{} cannot be merged into {} ({place})", kind(update), kind(target));
                self.faults.push((written.origin.clone(), message));
            }
        }
    }

    fn append(&mut self, list: &mut Vec<Value>, element: &Value, path: &mut Vec<String>, written: Written) {
        path.push(list.len().to_string());
        list.push(element.clone());
        self.patches.write(path, written);
        path.pop();
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// What overlays may still add to a document. A few copies of the whole into itself would fill any memory.
pub(super) struct Growth {
    left: Option<usize>,
}

/// Rough bytes; far beyond what is written by hand.
const BUDGET: usize = 64 << 20;
/// What a value takes besides its text, with what is remembered of its place.
const VALUE_COST: usize = 64;
/// What documents are held to when they are read.
const MAX_DEPTH: usize = 127;

/// Why nothing more is added.
pub(super) struct TooMuch {
    pub(super) code: &'static str,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
}

impl Default for Growth {
    fn default() -> Self {
        Self { left: Some(BUDGET) }
    }
}

impl Growth {
    pub(super) fn is_spent(&self) -> bool {
        self.left.is_none()
    }

    /// Allows a value to be merged into a place, or says why not.
    pub(super) fn allow(&mut self, place: &[String], value: &Value) -> Result<(), TooMuch> {
        let (cost, depth) = measure(value);
        self.left = self.left.and_then(|left| left.checked_sub(cost));
        if self.left.is_none() {
            let message = "with this the document would become too large";
            return Err(TooMuch { code: "CD-OVERLAY-SIZE", message, help: "select fewer places, or copy less" });
        }
        if place.len() + depth > MAX_DEPTH {
            let message = "with this the document would have more than 127 levels of nesting";
            return Err(TooMuch { code: "CD-NESTING", message, help: "merge into a place that is less deep" });
        }
        Ok(())
    }
}

/// Roughly how large a value is, and how deep.
fn measure(value: &Value) -> (usize, usize) {
    let parts = |parts: &mut dyn Iterator<Item = (usize, &Value)>| {
        parts.fold((VALUE_COST, 0), |(cost, depth), (key, part)| {
            let (part_cost, part_depth) = measure(part);
            (cost + key + part_cost, depth.max(part_depth))
        })
    };
    match value {
        Value::String(text) => (VALUE_COST + text.len(), 0),
        Value::Array(list) => {
            let (cost, depth) = parts(&mut list.iter().map(|part| (0, part)));
            (cost, depth + 1)
        }
        Value::Object(object) => {
            let (cost, depth) = parts(&mut object.iter().map(|(key, part)| (key.len(), part)));
            (cost, depth + 1)
        }
        _ => (VALUE_COST, 0),
    }
}
