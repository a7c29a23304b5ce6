//! What holds, and why: each value of a system with the place that it comes from.

use std::path::Path;

use super::layer::{OperationLayer, Part as _};
use super::resolve::SystemLayers;
use super::section::{Origin, Reading};
use super::yaml::Place;
use super::{SettingsError, environment};
use crate::settings::keys::{self, Shown};
use crate::settings::{OperationSettings, Profile};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingSource {
    /// The presets of the system's profile.
    Preset(Profile),
    /// It follows from the value of another key, given by its path.
    Follows {
        /// `systems.sber.timeouts.read`
        key: String,
    },
    /// It stands in the file.
    File {
        /// The key's path there: `defaults.…`, `systems.NAME.…` or `systems.NAME.operations.ID.…`.
        key: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        col: usize,
    },
    /// A variable of the environment gives it.
    Variable {
        /// The key's path, as if it stood in the file.
        key: String,
        /// The variable.
        name: String,
    },
    /// Nobody says it, and it has to be said.
    Missing,
}

/// A setting as it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveSetting {
    /// The key's path below its system: `timeouts.read`.
    pub key: String,
    /// The value as a file would have it; a secret is not shown.
    pub value: String,
    /// Where it comes from.
    pub source: SettingSource,
}

/// What holds for a system.
#[derive(Debug, Clone)]
pub struct EffectiveSettings {
    /// The system.
    pub system: String,
    /// Which presets it starts from.
    pub profile: Profile,
    /// Every setting, in the order of the documentation.
    pub settings: Vec<EffectiveSetting>,
    operations: Vec<(String, Vec<EffectiveSetting>)>,
}

impl EffectiveSettings {
    /// Reads a text as [`Settings::parse_with`](crate::Settings::parse_with) does, and tells of every system what holds and
    /// why. A base URL may be missing: the environment of the service gives it.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn read(
        text: &str,
        name: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Vec<Self>, SettingsError> {
        let base = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut reading = Reading { file: name.to_owned(), faults: Vec::new() };
        let root = super::parsed(text, variables, &mut reading)?;
        let root = super::Section::of(&root, String::new(), Place::START, &mut reading);
        super::systems(&root, base, &mut reading);
        reading.faults.retain(|fault| !super::resolve::is_missing_base_url(fault));
        if !reading.faults.is_empty() {
            return Err(SettingsError::new(reading.faults));
        }
        // Everything has been told that there is to tell.
        let mut quiet = Reading { file: name.to_owned(), faults: Vec::new() };
        let layers = super::all_layers(&root, &mut quiet);
        Ok(layers.iter().filter_map(|system| of(system, base, &mut quiet)).collect())
    }

    /// What holds for one of the system's operations: what it says of its own, and what is the system's.
    #[must_use]
    pub fn operation(&self, id: &str) -> Vec<EffectiveSetting> {
        let own =
            self.operations.iter().find(|(known, _)| known == id).map(|(_, own)| own.as_slice()).unwrap_or_default();
        let of_system = self.settings.iter().filter(|setting| is_of_operation(&setting.key));
        of_system.map(|setting| own.iter().find(|own| own.key == setting.key).unwrap_or(setting).clone()).collect()
    }

    /// The operations that have settings of their own.
    pub fn operations(&self) -> impl Iterator<Item = &str> {
        self.operations.iter().map(|(id, _)| id.as_str())
    }
}

/// Settings that govern a single operation, its own or its system's.
fn is_of_operation(key: &str) -> bool {
    matches!(key, "base-url" | "max-reply") || key.starts_with("timeouts.") || key.starts_with("retry.")
}

fn of(system: &SystemLayers<'_>, base: &Path, reading: &mut Reading) -> Option<EffectiveSettings> {
    let settings = system.hold(base, reading)?;
    let preset = keys::values(&system.profile().preset(settings.base_url.clone()));
    let shown = keys::values(&settings).into_iter().zip(preset).filter_map(|((key, value), (_, preset))| {
        let (value, source) = one(system, &key, &value, &preset)?;
        Some(EffectiveSetting { key, value, source })
    });
    let operations = system.operations.iter().map(|(id, layer)| {
        let own = settings.operations.get(*id).cloned().unwrap_or_default();
        ((*id).to_owned(), of_operation(layer, &own))
    });
    Some(EffectiveSettings {
        system: system.name.to_owned(),
        profile: system.profile(),
        operations: operations.collect(),
        settings: shown.collect(),
    })
}

/// The value of a key and where it comes from. `None`: it has none of its own, and nobody says one.
fn one(system: &SystemLayers<'_>, key: &str, value: &Shown, preset: &Shown) -> Option<(String, SettingSource)> {
    let plain = &system.layer.plain;
    if key == "base-url" && plain.base_url.is_none() {
        return Some(("unset".to_owned(), SettingSource::Missing));
    }
    let exact = system.exact_origin(key);
    if let Shown::Nowhere = value {
        return Some((plain.max_concurrent?.to_string(), source(exact?)));
    }
    let origin = exact.map(source).or_else(|| {
        let said = kin(key).iter().find_map(|kin| system.exact_origin(kin));
        // A minimum bends only to a window that is smaller.
        let follows = said.filter(|_| key != "breaker.minimum-number-of-calls" || value != preset);
        follows.map(|origin| SettingSource::Follows { key: origin.key.clone() })
    });
    Some((value.to_string(), origin.unwrap_or(SettingSource::Preset(system.profile()))))
}

/// The keys that a key follows from where it is not said itself.
fn kin(key: &str) -> &'static [&'static str] {
    match key {
        "timeouts.call" => &["timeouts.read", "timeouts.connect"],
        "breaker.slow-call-duration-threshold" => &["timeouts.read"],
        "breaker.minimum-number-of-calls" => &["breaker.sliding-window-size"],
        "breaker.wait-multiplier-in-open-state" => &["breaker.max-wait-duration-in-open-state"],
        "breaker.max-wait-duration-in-open-state" => &["breaker.wait-multiplier-in-open-state"],
        "breaker.transition-after-half-open-wait" => &["breaker.max-wait-duration-in-half-open-state"],
        "bulkhead.max-concurrent-calls" | "pool.max-idle" => &["max-concurrent"],
        "bulkhead.adaptive-min-calls" | "bulkhead.adaptive-tolerance" => &["bulkhead.adaptive"],
        "rate-limit.enabled" | "rate-limit.period" | "rate-limit.max-wait" => &["rate-limit.limit"],
        "proxy.enabled" => &["proxy.url"],
        _ => &[],
    }
}

fn source(origin: &Origin) -> SettingSource {
    let key = origin.key.clone();
    match &origin.at {
        Place::At(line, col) => SettingSource::File { key, line: *line, col: *col },
        Place::Variable(name) => SettingSource::Variable { key, name: name.clone() },
    }
}

/// What an operation says of its own.
fn of_operation(layer: &OperationLayer, own: &OperationSettings) -> Vec<EffectiveSetting> {
    let values = keys::operation_values(own).into_iter().filter_map(|(key, value)| {
        let origin = match key.split_once('.') {
            Some(("timeouts", name)) => layer.timeouts.origin(name),
            Some(("retry", name)) => layer.retry.origin(name),
            _ => layer.plain.origin(&key),
        };
        // As for a system: the whole time follows from the read time.
        let follows = || {
            let read = layer.timeouts.origin("read").filter(|_| key == "timeouts.call" && own.call.is_some())?;
            Some(SettingSource::Follows { key: read.key.clone() })
        };
        let source = origin.map(source).or_else(follows)?;
        Some(EffectiveSetting { key, value: value.to_string(), source })
    });
    values.collect()
}

/// The variables of this process that could be settings.
#[must_use]
pub fn process_variables() -> Vec<(String, String)> {
    super::source::process_variables().filter(|(name, _)| name.starts_with(environment::PREFIX)).collect()
}
