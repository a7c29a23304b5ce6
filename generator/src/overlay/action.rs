//! Applying actions, in their order.

use serde_json::Value;

use super::document::{Action, Change, Overlay, Version};
use super::merge::{Growth, Merge};
use super::query::Query;
use super::{remove, value_at};
use crate::diagnose::Report;
use crate::load::{Patches, Written};
use crate::model::Origin;

/// How many faults of one action are told one by one: a wildcard can select thousands of places.
const SHOWN: usize = 10;

const NOT_MERGEABLE: &str = "to replace a value by one of another kind, remove it by an action before this one";

/// Applies overlays to the value of the root document. A faulty action does not keep the others from being tried.
pub(super) fn apply(overlays: &[Overlay], document: &mut Value, patches: &mut Patches, report: &mut Report) {
    let mut run = Run { document, patches, report, growth: Growth::default() };
    for overlay in overlays {
        for action in &overlay.actions {
            run.action(overlay, action);
            if run.growth.is_spent() {
                return;
            }
        }
    }
}

struct Run<'a> {
    document: &'a mut Value,
    patches: &'a mut Patches,
    report: &'a mut Report,
    growth: Growth,
}

impl Run<'_> {
    fn action(&mut self, overlay: &Overlay, action: &Action) {
        let origin = |key: &str| Origin { file: overlay.file, pointer: format!("{}/{key}", action.pointer) };
        let places = action.target.select(self.document);
        if places.is_empty() {
            let message = format!("`{}` selects nothing of the document", action.target.text);
            let help = action.target.dead_end(self.document).unwrap_or_default();
            self.report.warning("CD-OVERLAY-TARGET", origin("target"), message, help);
            return;
        }
        match &action.change {
            Change::Remove => {
                let by = Origin { file: overlay.file, pointer: action.pointer.clone() };
                remove::remove(self.document, &places, &by, self.patches, self.report);
            }
            Change::Update(update) => {
                if self.kinds_agree(&places, overlay.version, origin("target")) {
                    self.merge(&places, update, &Written::whole(origin("update")));
                }
            }
            Change::Copy(from) => {
                let copied = self.copied(from, origin("copy"));
                if let (true, Some(copied)) = (self.kinds_agree(&places, overlay.version, origin("target")), copied) {
                    self.merge(&places, &copied, &Written { origin: origin("copy"), parts_follow: false });
                }
            }
        }
    }

    /// Whether the places can be changed together: all objects, all arrays, or all without parts.
    fn kinds_agree(&mut self, places: &[Vec<String>], version: Version, at: Origin) -> bool {
        let (mut objects, mut arrays, mut scalars) = (0_usize, 0_usize, 0_usize);
        for place in places {
            match value_at(self.document, place) {
                Some(Value::Object(_)) => objects += 1,
                Some(Value::Array(_)) => arrays += 1,
                _ => scalars += 1,
            }
        }
        if [objects, arrays, scalars].iter().filter(|count| **count > 0).count() > 1 {
            let message =
                format!("the target selects objects ({objects}), arrays ({arrays}) and others ({scalars}) together");
            let help = "select values of one kind, in several actions if need be";
            self.report.error("CD-OVERLAY-MERGE", at, message, help);
            return false;
        }
        if scalars > 0 && version == Version::V1_0 {
            let message = "in Overlay 1.0 a target is an object or an array: this action is read as one of 1.1";
            self.report.note("CD-OVERLAY-VERSION", at, message, "write `overlay: 1.1.0`");
        }
        true
    }

    /// What a `copy` selects, which must be one place.
    fn copied(&mut self, from: &Query, at: Origin) -> Option<Value> {
        let mut places = from.select(self.document).into_iter();
        let (first, second) = (places.next(), places.next());
        let (message, help) = match (first, second) {
            (Some(place), None) => return value_at(self.document, &place).cloned(),
            (Some(_), Some(_)) => {
                let message = format!("`{}` selects {} places: a copy is made of one", from.text, places.count() + 2);
                (message, "select one".to_owned())
            }
            (None, _) => {
                let message = format!("`{}` selects nothing of the document: there is nothing to copy", from.text);
                (message, from.dead_end(self.document).unwrap_or_default())
            }
        };
        self.report.error("CD-OVERLAY-TARGET", at, message, help);
        None
    }

    fn merge(&mut self, places: &[Vec<String>], update: &Value, written: &Written) {
        let mut faults = Vec::new();
        for place in places {
            if let Err(refused) = self.growth.allow(place, update) {
                self.report.error(refused.code, written.origin.clone(), refused.message, refused.help);
                return;
            }
            if let Some(target) = value_at(self.document, place) {
                Merge { patches: self.patches, faults: &mut faults }.merge(target, update, place, written);
            }
        }
        let more = faults.len().saturating_sub(SHOWN);
        for (origin, message) in faults.into_iter().take(SHOWN) {
            self.report.error("CD-OVERLAY-MERGE", origin, message, NOT_MERGEABLE);
        }
        if more > 0 {
            let message = format!("{more} more places cannot be merged");
            self.report.error("CD-OVERLAY-MERGE", written.origin.clone(), message, "");
        }
    }
}
