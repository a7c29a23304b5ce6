//! The settings file: YAML with one section a system, checked as a whole.

mod effective;
mod environment;
mod fault;
mod layer;
mod quantity;
mod resolve;
mod section;
mod source;
mod text;
mod yaml;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use self::layer::{Layer, OperationLayer, Part as _, Scope};
use self::resolve::SystemLayers;
use self::section::{Origin, Reading, Section};
use self::source::Variables;
use self::yaml::Place;
use super::{Profile, SystemHandle, SystemSettings};

pub use self::quantity::duration;
pub(super) use self::quantity::written;
pub(super) use self::source::Source;
pub use effective::{EffectiveSetting, EffectiveSettings, SettingSource, process_variables};
pub use fault::{SettingsError, SettingsFault};

/// The checked settings of all systems.
///
/// They come from a file with the sections `defaults` and `systems`, over which variables of the environment are laid.
/// Either everything in it holds, or nothing of it is used and every fault is told.
#[derive(Debug, Clone)]
pub struct Settings {
    source: Arc<Source>,
    systems: BTreeMap<String, SystemHandle>,
}

impl Settings {
    /// Reads a file, with overrides from this process's environment (`COFFERDAM__SBER__TIMEOUTS__READ=10s`).
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SettingsError> {
        let path = path.as_ref();
        let source = Source::new(&path.display().to_string(), Some(path), Variables::Process);
        let text = source.text()?;
        Self::of(source, &text)
    }

    /// Reads a text; `name` stands for its file in messages, and paths in it are relative to the folder of that name.
    /// The environment is left alone.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn parse(text: &str, name: &str) -> Result<Self, SettingsError> {
        Self::parse_with(text, name, [])
    }

    /// Reads a text, with overrides from these variables.
    ///
    /// # Errors
    /// Everything that is wrong with them, at once.
    pub fn parse_with(
        text: &str,
        name: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SettingsError> {
        Self::of(Source::new(name, None, Variables::Given(variables.into_iter().collect())), text)
    }

    fn of(source: Source, text: &str) -> Result<Self, SettingsError> {
        let handle = |(name, settings)| (String::clone(&name), SystemHandle::new(&name, settings));
        let systems = source.read(text)?.into_iter().map(handle).collect();
        Ok(Self { source: Arc::new(source), systems })
    }

    pub(super) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    pub(super) fn systems(&self) -> impl Iterator<Item = &SystemHandle> {
        self.systems.values()
    }

    /// The settings of a system, which may change while they are held.
    ///
    /// # Errors
    /// The file has no section for it.
    pub fn system(&self, name: &str) -> Result<SystemHandle, MissingSystem> {
        self.systems.get(name).cloned().ok_or_else(|| MissingSystem {
            file: self.source.name.clone(),
            system: name.to_owned(),
            known: self.names().map(str::to_owned).collect(),
        })
    }

    /// The same settings for adapters whose calls are to be decided about by this engine, in place of our own breaker,
    /// quota, bulkhead and retry: [`Transparent`](crate::engine::Transparent) in a team's own tests, say.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn with_engine(mut self, engine: impl crate::engine::Engine) -> Self {
        let engine: Arc<dyn crate::engine::Engine> = Arc::new(engine);
        for handle in self.systems.values_mut() {
            *handle = handle.clone().with_engine(Arc::clone(&engine));
        }
        self
    }

    /// Which presets a system's settings start from.
    #[must_use]
    pub fn profile(&self, name: &str) -> Option<Profile> {
        self.systems.get(name).map(|handle| handle.load().profile)
    }

    /// The names of the systems, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.systems.keys().map(String::as_str)
    }
}

/// A system that the settings do not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingSystem {
    file: String,
    system: String,
    known: Vec<String>,
}

impl MissingSystem {
    /// The system that was asked for.
    #[must_use]
    pub fn system(&self) -> &str {
        &self.system
    }
}

impl fmt::Display for MissingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: there are no settings `systems.{}`", self.file, self.system)?;
        let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
        match section::nearest(&self.system, &known) {
            Some(nearest) => write!(f, " (`{nearest}` is meant?)"),
            None if known.is_empty() => Ok(()),
            None => write!(f, " (known: {})", known.join(", ")),
        }
    }
}

impl std::error::Error for MissingSystem {}

/// Everything a text says, or everything that is wrong with it.
fn read(
    text: &str,
    name: &str,
    base: &Path,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<BTreeMap<String, SystemSettings>, SettingsError> {
    let mut reading = Reading { file: name.to_owned(), faults: Vec::new() };
    let root = parsed(text, variables, &mut reading)?;
    let root = Section::of(&root, String::new(), Place::START, &mut reading);
    let systems = systems(&root, base, &mut reading);
    if reading.faults.is_empty() { Ok(systems) } else { Err(SettingsError::new(reading.faults)) }
}

/// The tree of a text, with the variables laid over it.
fn parsed(
    text: &str,
    variables: impl IntoIterator<Item = (String, String)>,
    reading: &mut Reading,
) -> Result<yaml::Node, SettingsError> {
    match yaml::read(text) {
        Ok(mut root) => {
            environment::apply(&mut root, variables, reading);
            Ok(root)
        }
        Err(malformed) => {
            for fault in malformed {
                reading.fault("CD-SETTINGS-YAML", &fault.at, "", fault.message, fault.help.to_owned());
            }
            Err(SettingsError::new(std::mem::take(&mut reading.faults)))
        }
    }
}

/// What the file says of each system, upon what it says of all.
fn all_layers<'a>(root: &'a Section<'a>, reading: &mut Reading) -> Vec<SystemLayers<'a>> {
    let defaults = root.section("defaults", reading);
    let defaults = defaults.map(|section| Layer::read(&section, Scope::Defaults, reading)).unwrap_or_default();
    let Some(systems) = root.section("systems", reading) else { return Vec::new() };
    let names = systems.entries.iter().map(|entry| entry.key.as_str());
    names.filter_map(|name| Some(layers(name, &systems.section(name, reading)?, &defaults, reading))).collect()
}

fn systems(root: &Section<'_>, base: &Path, reading: &mut Reading) -> BTreeMap<String, SystemSettings> {
    root.known_keys(&["defaults", "systems", "database-pool"], reading);
    let database_pool = root.value("database-pool", reading, quantity::count);
    let defaults = match root.section("defaults", reading) {
        Some(section) => Layer::read(&section, Scope::Defaults, reading),
        None => Layer::default(),
    };
    let sections = match root.section("systems", reading) {
        Some(section) => section.sections(reading),
        None => Vec::new(),
    };
    let said_nothing = root.entry("systems").is_none_or(|entry| matches!(entry.value.kind, yaml::Kind::Nothing));
    if said_nothing && (reading.faults.is_empty() || !root.entries.is_empty()) {
        let help = "add `systems:` with a section for each system".to_owned();
        reading.fault("CD-SETTINGS-MISSING", &root.at, "systems", "there are no systems".into(), help);
    }
    let mut systems = BTreeMap::new();
    let mut code_bases: Vec<(u32, &str)> = Vec::new();
    for (name, section) in &sections {
        let system = layers(name, section, &defaults, reading);
        if let (Some(code_base), Some(origin)) = (system.layer.plain.code_base, system.layer.plain.origin("code-base"))
        {
            codes_apart(code_base, origin, &code_bases, reading);
            code_bases.push((code_base, name));
        }
        if let Some(settings) = system.resolve(base, reading) {
            systems.insert((*name).to_owned(), settings);
        }
    }
    together(&systems, root, database_pool, reading);
    systems
}

/// What the file says of one system, upon what it says of all.
fn layers<'a>(name: &'a str, section: &Section<'a>, defaults: &Layer, reading: &mut Reading) -> SystemLayers<'a> {
    let layer = Layer::read(section, Scope::System, reading).over(defaults);
    let operations =
        section.section("operations", reading).map(|section| section.sections(reading)).unwrap_or_default();
    let operations = operations.iter().map(|(id, section)| (*id, OperationLayer::read(section, reading))).collect();
    SystemLayers { name, key: section.path.clone(), at: section.at.clone(), layer, operations }
}

/// How many error codes a system may come to have.
const CODES: u32 = 100;

/// The error codes of two systems must be told apart by whoever reads them.
fn codes_apart(base: u32, origin: &Origin, others: &[(u32, &str)], reading: &mut Reading) {
    if let Some((other, name)) = others.iter().find(|(other, _)| other.abs_diff(base) < CODES) {
        let message = format!("the codes from {base} on run into those of `{name}` from {other} on");
        let help = format!("leave {CODES} numbers between two systems");
        reading.fault(section::VALUE, &origin.at, &origin.key, message, help);
    }
    if base > u32::MAX - CODES {
        let message = format!("there is no room for codes from {base} on");
        reading.fault(section::VALUE, &origin.at, &origin.key, message, "a smaller number".into());
    }
}

/// R-RES-ISO-2: the connections of all systems take at most half of the database's pool, when that is told.
fn together(
    systems: &BTreeMap<String, SystemSettings>,
    root: &Section<'_>,
    database_pool: Option<u32>,
    reading: &mut Reading,
) {
    let Some(database_pool) = database_pool else { return };
    let sum: usize = systems.values().fold(0, |sum, settings| sum.saturating_add(settings.pool.max_idle));
    let half = database_pool as usize / 2;
    if sum <= half {
        return;
    }
    let pools: Vec<String> =
        systems.iter().map(|(name, settings)| format!("{name} {}", settings.pool.max_idle)).collect();
    let message =
        format!("the pools of all systems hold {sum} connections ({}), more than half of it", pools.join(", "));
    let at = root.entry("database-pool").map_or(Place::START, |entry| entry.value.at.clone());
    reading.fault("R-RES-ISO-2", &at, "database-pool", message, format!("at most {half} in all"));
}
