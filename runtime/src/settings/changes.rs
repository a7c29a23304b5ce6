use std::fmt;

use super::keys::{self, Shown};
use super::{OperationSettings, SystemSettings};

/// A setting that a reload changed, with its values as a file would have them. A secret's are not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// The system.
    pub system: String,
    /// The key's path, `systems.sber.timeouts.read`.
    pub key: String,
    /// What held before.
    pub from: String,
    /// What holds now.
    pub to: String,
}

impl fmt::Display for SettingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} -> {}", self.key, self.from, self.to)
    }
}

/// What is different for a system, key by key.
pub(super) fn between(system: &str, old: &SystemSettings, new: &SystemSettings) -> Vec<SettingChange> {
    let mut found = differences(system, &format!("systems.{system}"), keys::values(old), keys::values(new));
    let silent = OperationSettings::default();
    let mut ids: Vec<&String> = old.operations.keys().chain(new.operations.keys()).collect();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        let values = |settings: &SystemSettings| keys::operation_values(settings.operations.get(id).unwrap_or(&silent));
        let path = format!("systems.{system}.operations.{id}");
        found.extend(differences(system, &path, values(old), values(new)));
    }
    found
}

fn differences(system: &str, path: &str, old: Vec<(String, Shown)>, new: Vec<(String, Shown)>) -> Vec<SettingChange> {
    let changed = old.into_iter().zip(new).filter(|((_, from), (_, to))| from != to);
    changed
        .map(|((key, from), (_, to))| SettingChange {
            system: system.to_owned(),
            key: format!("{path}.{key}"),
            from: from.to_string(),
            to: to.to_string(),
        })
        .collect()
}
