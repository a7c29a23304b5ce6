//! Where settings came from, and how they are taken from there again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
#[cfg(feature = "http")]
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::fault::SettingsError;
use super::section::Reading;
use super::yaml::Place;
use crate::settings::changes::{self, SettingChange};
use crate::settings::{SystemHandle, SystemSettings};

/// Where settings came from.
#[derive(Debug)]
pub(in crate::settings) struct Source {
    /// The file in messages.
    pub(super) name: String,
    /// The file itself, if there is one.
    pub(in crate::settings) path: Option<PathBuf>,
    pub(super) variables: Variables,
    /// One reload at a time.
    pub(super) turn: Mutex<()>,
    /// Somebody watches the file.
    #[cfg(feature = "http")]
    pub(in crate::settings) watched: AtomicBool,
}

/// The variables that are laid over the file, each time it is read.
pub(super) enum Variables {
    /// Those of the process.
    Process,
    /// These.
    Given(Vec<(String, String)>),
}

/// Names without values: one of them may be a password.
impl std::fmt::Debug for Variables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Process => f.write_str("Process"),
            Self::Given(variables) => f.debug_list().entries(variables.iter().map(|(name, _)| name)).finish(),
        }
    }
}

impl Source {
    pub(super) fn new(name: &str, path: Option<&Path>, variables: Variables) -> Self {
        let path = path.map(Path::to_owned);
        Self {
            name: name.to_owned(),
            path,
            variables,
            turn: Mutex::new(()),
            #[cfg(feature = "http")]
            watched: AtomicBool::new(false),
        }
    }

    /// The text of the file.
    pub(in crate::settings) fn text(&self) -> Result<String, SettingsError> {
        let Some(path) = &self.path else {
            return Err(self.error("CD-SETTINGS-FILE", "", "these settings come from no file".into(), ""));
        };
        std::fs::read_to_string(path)
            .map_err(|error| self.error("CD-SETTINGS-FILE", "", format!("the file cannot be read: {error}"), ""))
    }

    /// Everything a text says, or everything that is wrong with it.
    pub(super) fn read(&self, text: &str) -> Result<BTreeMap<String, SystemSettings>, SettingsError> {
        let file = self.path.as_deref().unwrap_or(Path::new(&self.name));
        let base = file.parent().unwrap_or(Path::new(""));
        let variables = match &self.variables {
            Variables::Process => process_variables().collect(),
            Variables::Given(variables) => variables.clone(),
        };
        super::read(text, &self.name, base, variables)
    }

    /// Puts what a text says in place of what holds for these systems: all of it, or nothing.
    pub(in crate::settings) fn replace<'h>(
        &self,
        text: &str,
        handles: impl Iterator<Item = &'h SystemHandle> + Clone,
    ) -> Result<Vec<SettingChange>, SettingsError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = self.read(text)?;
        if let Some(gone) = handles.clone().find(|handle| !new.contains_key(handle.name())) {
            let key = format!("systems.{}", gone.name());
            let message = "the section is gone, and calls to the system would have no settings".to_owned();
            return Err(self.error("CD-SETTINGS-MISSING", &key, message, "a system is removed by a restart"));
        }
        let mut found = Vec::new();
        for handle in handles {
            let Some(new) = new.remove(handle.name()) else { continue };
            let old = handle.load();
            if **old != new {
                found.extend(changes::between(handle.name(), &old, &new));
                handle.store(new);
            }
        }
        for name in new.keys() {
            tracing::info!(external.system = name, "settings of a system that is new are used after a restart");
        }
        Ok(found)
    }

    fn error(&self, code: &'static str, key: &str, message: String, help: &str) -> SettingsError {
        let mut reading = Reading { file: self.name.clone(), faults: Vec::new() };
        reading.fault(code, &Place::At(0, 0), key, message, help.to_owned());
        SettingsError::new(reading.faults)
    }
}

/// The variables of this process that are text and could be meant.
pub(super) fn process_variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())))
}
