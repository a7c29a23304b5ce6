//! Typed access to one mapping of the file, collecting every fault with its place.

use super::fault::SettingsFault;
use super::yaml::{Entry, Kind, Node, Place};

/// The file being read, and what is wrong with it so far.
pub(super) struct Reading {
    pub(super) file: String,
    pub(super) faults: Vec<SettingsFault>,
}

impl Reading {
    pub(super) fn fault(&mut self, code: &'static str, at: &Place, key: &str, message: String, help: String) {
        let (file, line, col) = match at {
            Place::At(line, col) => (self.file.clone(), *line, *col),
            Place::Variable(name) => (format!("environment variable {name}"), 0, 0),
        };
        self.faults.push(SettingsFault { code, key: key.to_owned(), file, line, col, message, help });
    }
}

/// Where a value was given, and whether a reason stands beside it.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    pub(super) at: Place,
    pub(super) key: String,
    pub(super) reasoned: bool,
}

/// One mapping of the file.
pub(super) struct Section<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) path: String,
    pub(super) at: Place,
    reasoned: bool,
}

impl<'a> Section<'a> {
    /// The mapping behind a value; anything else is a fault. `key: ` with nothing after it is an empty mapping.
    pub(super) fn of(node: &'a Node, path: String, at: Place, reading: &mut Reading) -> Self {
        let entries = match &node.kind {
            Kind::Map(entries) => entries.as_slice(),
            Kind::Nothing => &[],
            Kind::Text(_) | Kind::List => {
                reading.fault(VALUE, &node.at, &path, "keys are expected below it".into(), String::new());
                &[]
            }
        };
        Self { entries, path, at, reasoned: false }
    }

    /// Takes note of a `reason` that stands beside the values.
    pub(super) fn with_reason(self, reading: &mut Reading) -> Self {
        let reason = self.value("reason", reading, |text| match text.trim() {
            "" => Err("say why".into()),
            reason => Ok(reason.len()),
        });
        Self { reasoned: reason.is_some(), ..self }
    }

    pub(super) fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub(super) fn key(&self, key: &str) -> String {
        let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        let key = if plain { key.to_owned() } else { format!("{key:?}") };
        if self.path.is_empty() { key } else { format!("{}.{key}", self.path) }
    }

    /// Reports every key that is not known here.
    pub(super) fn known_keys(&self, known: &[&str], reading: &mut Reading) {
        for entry in self.entries {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let help = match nearest(&entry.key, known) {
                Some(nearest) => format!("`{nearest}` is meant?"),
                None => format!("known here: {}", known.join(", ")),
            };
            let message = format!("the key `{}` is not known", entry.key);
            reading.fault("CD-SETTINGS-KEY", &entry.at, &self.key(&entry.key), message, help);
        }
    }

    /// The mapping under a key.
    pub(super) fn section(&self, key: &str, reading: &mut Reading) -> Option<Section<'a>> {
        let entry = self.entry(key)?;
        Some(Section::of(&entry.value, self.key(key), entry.at.clone(), reading))
    }

    /// Every entry as a mapping of its own, with its key.
    pub(super) fn sections(&self, reading: &mut Reading) -> Vec<(&'a str, Section<'a>)> {
        let section = |entry: &'a Entry, reading: &mut Reading| {
            (entry.key.as_str(), Section::of(&entry.value, self.key(&entry.key), entry.at.clone(), reading))
        };
        self.entries.iter().map(|entry| section(entry, reading)).collect()
    }

    /// A value read by `read`, whose error says how to write it.
    pub(super) fn value<T>(
        &self,
        key: &str,
        reading: &mut Reading,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let entry = self.entry(key)?;
        let (message, help) = match &entry.value.kind {
            Kind::Text(text) => match read(text) {
                Ok(value) => return Some(value),
                // A URL with a password in it must not be repeated in a log.
                Err(help) if text.contains('@') => ("the value is not understood".to_owned(), help),
                Err(help) => (format!("{text:?} is not understood"), help),
            },
            Kind::Nothing => ("the value is missing".to_owned(), "give one, or remove the key".to_owned()),
            Kind::List | Kind::Map(_) => ("a single value is expected".to_owned(), String::new()),
        };
        reading.fault(VALUE, &entry.value.at, &self.key(key), message, help);
        None
    }

    /// One word of a few.
    pub(super) fn word<T: Copy>(&self, key: &str, reading: &mut Reading, words: &[(&str, T)]) -> Option<T> {
        self.value(key, reading, |text| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            words.iter().find(|(word, _)| *word == text.trim()).map(|(_, value)| *value).ok_or_else(|| {
                match nearest(text, &known) {
                    Some(nearest) => format!("`{nearest}` is meant?"),
                    None => format!("one of {}", known.join(", ")),
                }
            })
        })
    }

    /// Where the value of a key was given.
    pub(super) fn origin(&self, key: &str) -> Option<Origin> {
        let entry = self.entry(key)?;
        Some(Origin { at: entry.value.at.clone(), key: self.key(key), reasoned: self.reasoned })
    }
}

pub(super) const VALUE: &str = "CD-SETTINGS-VALUE";

/// The known word that a mistyped one is nearest to, when it is near enough to be meant.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' ', '.'], "");
    let word = plain(word);
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, &plain(candidate)), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(word.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
        .or_else(|| {
            // A key of which only the beginning is said.
            let mut begun = known.iter().copied().filter(|key| word.len() >= 4 && plain(key).starts_with(&word));
            begun.next().filter(|_| begun.next().is_none())
        })
}
