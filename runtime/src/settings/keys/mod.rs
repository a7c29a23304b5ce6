//! Every key of a settings file, in one table: how its value is written, what it is for, and what it is at present.
//!
//! The JSON Schema for editors is made from it, and so is the list of what a reload changed. That the table has just
//! the keys that the loader knows is tested.

mod shape;
mod shown;
mod table;

pub(super) use shape::Shape;
pub(super) use shown::Shown;
pub(super) use table::{BUDGET, OPERATION, OPERATION_TIMEOUTS, RETRY, SYSTEM, SYSTEM_SECTIONS};

use super::{OperationSettings, SystemSettings};

/// A key whose value is found in `S`.
pub(super) struct Key<S: 'static> {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) says: &'static str,
    pub(super) shown: fn(&S) -> Shown,
}

/// A mapping within a system's.
pub(super) struct Section<S: 'static> {
    pub(super) name: &'static str,
    pub(super) says: &'static str,
    /// Whether a `reason` may stand beside the values.
    pub(super) reasoned: bool,
    pub(super) keys: &'static [Key<S>],
}

impl<S> Section<S> {
    fn values<'a>(&'static self, prefix: &'a str, of: &'a S) -> impl Iterator<Item = (String, Shown)> + 'a {
        let name = self.name;
        self.keys.iter().map(move |key| (format!("{prefix}{name}.{}", key.name), (key.shown)(of)))
    }
}

/// What holds for a system: each key's path below `systems.NAME`, and its value.
pub(super) fn values(settings: &SystemSettings) -> Vec<(String, Shown)> {
    let plain = SYSTEM.iter().map(|key| (key.name.to_owned(), (key.shown)(settings)));
    let sections = SYSTEM_SECTIONS.iter().flat_map(|section| section.values("", settings));
    let retry = RETRY.values("", &settings.retry);
    let budget = BUDGET.values("retry.", &settings.retry.budget);
    plain.chain(sections).chain(retry).chain(budget).collect()
}

/// What an operation says of its own: each key's path below `systems.NAME.operations.ID`, and its value.
pub(super) fn operation_values(settings: &OperationSettings) -> Vec<(String, Shown)> {
    let plain = OPERATION.iter().map(|key| (key.name.to_owned(), (key.shown)(settings)));
    let timeouts = OPERATION_TIMEOUTS.values("", settings);
    let retry = RETRY.keys.iter().map(|key| {
        let value = settings.retry.as_ref().map_or(Shown::unset(), |retry| (key.shown)(retry));
        (format!("retry.{}", key.name), value)
    });
    plain.chain(timeouts).chain(retry).collect()
}
