//! Reading TOML so that every fault has its place: typed access to one table, with the report at hand.

use std::ops::Range;

use toml_edit::{Item, TableLike, Value};

use super::Declared;
use crate::diagnose::{Location, Position, Report, Severity, nearest};

/// The file being read.
pub(super) struct Reading<'a> {
    pub(super) text: &'a str,
    pub(super) display: &'a str,
    pub(super) report: &'a mut Report,
}

impl Reading<'_> {
    /// The place of a span; the file as a whole where the parser gives none.
    pub(super) fn place(&self, span: Option<Range<usize>>, key: &str) -> Location {
        let place = match span {
            Some(span) => Location::at(self.display, Position::of_offset(self.text, span.start)),
            None => Location::file(self.display),
        };
        place.named(key)
    }

    pub(super) fn error(&mut self, code: &'static str, at: &Location, message: impl Into<String>, help: &str) {
        self.report.at(Severity::Error, code, at.clone(), message, help);
    }
}

/// One table of the file.
pub(super) struct Section<'a> {
    table: &'a dyn TableLike,
    /// Its dotted key.
    pub(super) path: String,
    /// Where its name stands.
    pub(super) at: Location,
}

impl<'a> Section<'a> {
    pub(super) fn root(table: &'a dyn TableLike, reading: &Reading<'_>) -> Self {
        Self { table, path: String::new(), at: reading.place(Some(0..0), "") }
    }

    /// The dotted key of an entry.
    fn key(&self, key: &str) -> String {
        let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        let key = if bare { key.to_owned() } else { format!("{key:?}") };
        if self.path.is_empty() { key } else { format!("{}.{key}", self.path) }
    }

    /// Where the key of an entry stands.
    fn key_place(&self, key: &str, reading: &Reading<'_>) -> Location {
        let span = self.table.get_key_value(key).and_then(|(key, item)| key.span().or_else(|| item.span()));
        reading.place(span, &self.key(key))
    }

    /// Reports every key that is not known.
    pub(super) fn known_keys(&self, known: &[&str], reading: &mut Reading<'_>) {
        for (key, _) in self.table.iter() {
            if known.contains(&key) {
                continue;
            }
            let at = self.key_place(key, reading);
            let help = match nearest(key, known.iter().copied()) {
                Some(nearest) => format!("`{nearest}` is meant?"),
                None => format!("known here: {}", known.join(", ")),
            };
            reading.error("CD-PROJECT-KEY", &at, format!("the key `{key}` is not known"), &help);
        }
    }

    /// A text that must not be blank.
    pub(super) fn text(&self, key: &str, reading: &mut Reading<'_>) -> Option<Declared<String>> {
        let item = self.table.get(key)?;
        text(item.as_value(), item, self.key(key), reading)
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str, reading: &mut Reading<'_>) -> Vec<Declared<String>> {
        let Some(item) = self.table.get(key) else { return Vec::new() };
        let name = self.key(key);
        let Some(array) = item.as_array() else {
            let at = reading.place(item.span(), &name);
            let message = format!("a list of texts is expected, not {}", article(item.type_name()));
            reading.error("CD-PROJECT-VALUE", &at, message, &format!("write `{key} = [\"…\"]`"));
            return Vec::new();
        };
        let mut texts: Vec<Declared<String>> = Vec::new();
        for (index, value) in array.iter().enumerate() {
            let Some(one) = text(Some(value), &Item::None, format!("{name}[{index}]"), reading) else { continue };
            if texts.iter().any(|other| other.value == one.value) {
                reading.error("CD-PROJECT-VALUE", &one.at, format!("{:?} stands twice in this list", one.value), "");
            } else {
                texts.push(one);
            }
        }
        texts
    }

    /// A text, or a list of texts.
    pub(super) fn text_or_texts(&self, key: &str, reading: &mut Reading<'_>) -> Vec<Declared<String>> {
        match self.table.get(key) {
            Some(item) if item.is_array() => self.texts(key, reading),
            _ => self.text(key, reading).into_iter().collect(),
        }
    }

    /// A text of property names joined by dots, from the root of what is named.
    pub(super) fn steps(&self, key: &str, root: &str, reading: &mut Reading<'_>) -> Option<Declared<Vec<String>>> {
        let text = self.text(key, reading)?;
        let steps: Vec<String> = text.value.split('.').map(str::to_owned).collect();
        if steps.iter().any(String::is_empty) {
            let message = format!("{:?} has an empty step", text.value);
            let help = format!("property names from the root of {root}, joined by dots");
            reading.error("CD-PROJECT-VALUE", &text.at, message, &help);
            return None;
        }
        Some(Declared { value: steps, at: text.at })
    }

    /// A whole number that is not negative.
    pub(super) fn number(&self, key: &str, reading: &mut Reading<'_>) -> Option<Declared<u64>> {
        let item = self.table.get(key)?;
        let at = reading.place(item.span(), &self.key(key));
        if let Some(value) = item.as_integer().and_then(|number| u64::try_from(number).ok()) {
            return Some(Declared { value, at });
        }
        let message = match item.as_integer() {
            Some(number) => format!("{number} is negative"),
            None => format!("a whole number is expected, not {}", article(item.type_name())),
        };
        reading.error("CD-PROJECT-VALUE", &at, message, &format!("write `{key} = 1`"));
        None
    }

    /// `true` or `false`, with the help for what is neither.
    pub(super) fn flag(&self, key: &str, help: &str, reading: &mut Reading<'_>) -> Option<Declared<bool>> {
        let item = self.table.get(key)?;
        let at = reading.place(item.span(), &self.key(key));
        match item.as_bool() {
            Some(value) => Some(Declared { value, at }),
            None => {
                let message = format!("`true` is expected, not {}", article(item.type_name()));
                reading.error("CD-PROJECT-VALUE", &at, message, help);
                None
            }
        }
    }

    /// Whether an entry is a text.
    pub(super) fn is_text(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(Item::is_str)
    }

    /// One word of a few.
    pub(super) fn word<T: Copy>(
        &self,
        key: &str,
        words: &[(&'static str, T)],
        reading: &mut Reading<'_>,
    ) -> Option<Declared<T>> {
        let text = self.text(key, reading)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.value) {
            return Some(Declared { value: *value, at: text.at });
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let help = match nearest(&text.value, known.iter().copied()) {
            Some(nearest) => format!("`{nearest}` is meant?"),
            None => format!("one of {}", known.join(", ")),
        };
        reading.error("CD-PROJECT-VALUE", &text.at, format!("{:?} is no {key}", text.value), &help);
        None
    }

    /// A table under a key.
    pub(super) fn section(&self, key: &str, reading: &mut Reading<'_>) -> Option<Section<'a>> {
        let help = format!("write `[{}]`", self.key(key));
        self.section_or(key, &help, reading)
    }

    /// A table under a key, with the help for what is none.
    pub(super) fn section_or(&self, key: &str, help: &str, reading: &mut Reading<'_>) -> Option<Section<'a>> {
        let item = self.table.get(key)?;
        let path = self.key(key);
        let at = self.key_place(key, reading);
        if let Some(table) = item.as_table_like() {
            return Some(Section { table, path, at });
        }
        let message = format!("a table is expected, not {}", article(item.type_name()));
        reading.error("CD-PROJECT-VALUE", &at, message, help);
        None
    }

    /// Every entry as a table of its own.
    pub(super) fn sections(&self, reading: &mut Reading<'_>) -> Vec<(String, Section<'a>)> {
        self.keys().into_iter().filter_map(|key| Some((key.to_owned(), self.section(key, reading)?))).collect()
    }

    /// The keys, in the order of the file.
    pub(super) fn keys(&self) -> Vec<&'a str> {
        self.table.iter().map(|(key, _)| key).collect()
    }

    pub(super) fn contains(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }
}

fn text(value: Option<&Value>, item: &Item, key: String, reading: &mut Reading<'_>) -> Option<Declared<String>> {
    let at = reading.place(value.and_then(Value::span).or_else(|| item.span()), &key);
    match value.and_then(Value::as_str) {
        Some(text) if text.trim().is_empty() => {
            reading.error("CD-PROJECT-VALUE", &at, "the text is empty", "");
            None
        }
        Some(text) => Some(Declared { value: text.to_owned(), at }),
        None => {
            let found = value.map_or_else(|| item.type_name(), Value::type_name);
            let message = format!("a text is expected, not {}", article(found));
            reading.error("CD-PROJECT-VALUE", &at, message, "put it in quotes");
            None
        }
    }
}

fn article(type_name: &str) -> String {
    let article = if type_name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {type_name}")
}
