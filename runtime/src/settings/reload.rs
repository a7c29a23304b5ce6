use std::sync::Arc;

use super::file::Source;
use super::{SettingChange, Settings, SettingsError, SystemHandle};

impl Settings {
    /// Reads the file again, and puts what it says in place of what holds: calls under way keep what they began
    /// with, the next ones go by the new settings. Breakers keep their state, bulkheads their calls, retry budgets what
    /// is left of them.
    ///
    /// All of it or nothing: a file with faults, or without a system that had a section, changes nothing.
    /// What changed is logged key by key, and returned.
    ///
    /// # Errors
    /// Everything that is wrong with the file, at once; it is logged as a warning too.
    pub fn reload(&self) -> Result<Vec<SettingChange>, SettingsError> {
        told(self.source().text().and_then(|text| replace(self.source(), &text, &self.handles())))
    }

    /// The same with a text from elsewhere, for settings that are kept in no file.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; it is logged as a warning too.
    pub fn reload_from(&self, text: &str) -> Result<Vec<SettingChange>, SettingsError> {
        told(replace(self.source(), text, &self.handles()))
    }

    pub(super) fn handles(&self) -> Vec<SystemHandle> {
        self.systems().cloned().collect()
    }
}

pub(super) fn replace(
    source: &Arc<Source>,
    text: &str,
    handles: &[SystemHandle],
) -> Result<Vec<SettingChange>, SettingsError> {
    source.replace(text, handles.iter())
}

/// Logs what a reload brought.
pub(super) fn told(outcome: Result<Vec<SettingChange>, SettingsError>) -> Result<Vec<SettingChange>, SettingsError> {
    show_refused(outcome.is_err());
    match &outcome {
        Ok(changes) => {
            for SettingChange { system, key, from, to } in changes {
                tracing::info!(external.system = system, key, from, to, "setting changed");
            }
        }
        Err(error) => {
            for fault in error.faults() {
                tracing::warn!(%fault, "the settings stay as they were");
            }
        }
    }
    outcome
}

/// Shows whether the file on disk is one that was refused.
#[cfg(feature = "metrics")]
fn show_refused(refused: bool) {
    use crate::observability::names::SETTINGS_REFUSED;

    metrics::describe_gauge!(SETTINGS_REFUSED, "Whether the latest settings were refused, so that older ones hold");
    metrics::gauge!(SETTINGS_REFUSED).set(if refused { 1.0 } else { 0.0 });
}

#[cfg(not(feature = "metrics"))]
fn show_refused(_: bool) {}
