//! Types of the project's own for formats, schemas and properties: `[systems.NAME.types]`.

use super::extras::{Extra, extras};
use super::rust_path::{self, CRATES, Spelled};
use super::section::{Reading, Section};
use crate::diagnose::Location;
use crate::model::{OwnType, TextFormat, Through, Type};

/// The types of the crates that stand for a format by the crate's name alone.
const OF_FORMATS: [(&str, &str, &str); 12] = [
    ("chrono", "date-time", "chrono::DateTime<chrono::FixedOffset>"),
    ("chrono", "date", "chrono::NaiveDate"),
    ("chrono", "date-time-local", "chrono::NaiveDateTime"),
    ("chrono", "time-local", "chrono::NaiveTime"),
    ("jiff", "date-time", "jiff::ZonedDateTime"),
    ("jiff", "date", "jiff::civil::Date"),
    ("jiff", "date-time-local", "jiff::civil::DateTime"),
    ("jiff", "time-local", "jiff::civil::Time"),
    ("time", "date-time", "time::OffsetDateTime"),
    ("time", "date", "time::Date"),
    ("time", "date-time-local", "time::PrimitiveDateTime"),
    ("time", "time-local", "time::Time"),
];

const DECIMAL: &str = "rust_decimal::Decimal";

/// Types of these crates that the runtime reads and writes besides.
const OTHERS: [&str; 3] = [DECIMAL, "chrono::DateTime<chrono::Utc>", "jiff::Timestamp"];

const THROUGH: [(&str, Through); 3] = [("wire", Through::Wire), ("serde", Through::Serde), ("text", Through::Text)];

/// Types of the project's own in the place of generated ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeMappings {
    /// By `format`.
    pub formats: Vec<TypeMapping>,
    /// By schema: the name of a component, or a JSON pointer.
    pub schemas: Vec<TypeMapping>,
    /// By property or parameter: a JSON pointer.
    pub properties: Vec<TypeMapping>,
    /// Derives and attributes besides, by schema.
    pub extras: Vec<Extra>,
}

impl TypeMappings {
    /// All of them, the more special ones after the others. Their position is their number.
    pub fn all(&self) -> impl Iterator<Item = &TypeMapping> {
        self.formats.iter().chain(&self.schemas).chain(&self.properties)
    }
}

/// One declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeMapping {
    /// What it is for: a format, a name, or a pointer.
    pub key: String,
    /// Where it is declared.
    pub at: Location,
    target: Target,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    /// A crate: which of its types depends on what it stands for.
    Crate(&'static str),
    /// A type, and how it gets to JSON if that is said.
    Type(Spelled, Option<Through>),
}

impl TypeMapping {
    /// The type, in the place of what the document describes there. An error says why it cannot stand there.
    pub fn own(&self, instead: &Type) -> Result<OwnType, String> {
        let (spelled, through) = match &self.target {
            Target::Type(spelled, through) => (spelled.clone(), *through),
            Target::Crate(name) => (of_crate(name, form(instead).unwrap_or_default())?, None),
        };
        let is_text = matches!(instead, Type::Text(_));
        if spelled.text.ends_with(DECIMAL) && !is_text && !matches!(instead, Type::Int(_) | Type::Float(_)) {
            return Err("a decimal stands for a number, or for text".to_owned());
        }
        // A decimal is a number on the wire where the document says so, and text where it says that.
        let natural = if is_text && spelled.text.ends_with(DECIMAL) { Through::Text } else { Through::Wire };
        let feature = spelled.features.first().copied();
        Ok(OwnType { path: spelled.text, through: through.unwrap_or(natural), feature })
    }
}

/// The format that a crate's type is looked up by.
fn form(instead: &Type) -> Option<&'static str> {
    match instead {
        Type::Text(TextFormat::DateTime) => Some("date-time"),
        Type::Text(TextFormat::Date) => Some("date"),
        _ => None,
    }
}

fn of_crate(name: &str, format: &str) -> Result<Spelled, String> {
    if name == "rust_decimal" {
        return rust_path::spell(DECIMAL);
    }
    match OF_FORMATS.iter().find(|(of, known, _)| *of == name && *known == format) {
        Some((_, _, path)) => rust_path::spell(path),
        None => Err(format!("which type of `{name}` is meant is not clear from the document")),
    }
}

/// `[systems.NAME.types]`
pub(super) fn types(system: &Section<'_>, reading: &mut Reading<'_>) -> TypeMappings {
    let Some(section) = system.section("types", reading) else { return TypeMappings::default() };
    section.known_keys(&["formats", "schemas", "properties", "extra"], reading);
    let formats = entries(&section, "formats", reading);
    let formats = formats.into_iter().filter_map(|mapping| of_format(mapping, reading)).collect();
    let schemas = entries(&section, "schemas", reading);
    let properties = entries(&section, "properties", reading);
    for property in properties.iter().filter(|property| !property.key.trim_start_matches('#').starts_with('/')) {
        let help = "such as \"/components/schemas/Order/properties/amount\"";
        let message = format!("{:?} is no JSON pointer", property.key);
        reading.error("CD-PROJECT-VALUE", &property.at, message, help);
    }
    TypeMappings { formats, schemas, properties, extras: extras(&section, reading) }
}

fn entries(section: &Section<'_>, key: &str, reading: &mut Reading<'_>) -> Vec<TypeMapping> {
    let Some(section) = section.section(key, reading) else { return Vec::new() };
    let keys = section.keys();
    keys.into_iter().filter_map(|key| entry(&section, key, reading)).collect()
}

const HELP: &str = "the path of a type such as \"crate::Money\", or one of chrono, jiff, rust_decimal, time";

fn entry(section: &Section<'_>, key: &str, reading: &mut Reading<'_>) -> Option<TypeMapping> {
    let (named, through) = if section.is_text(key) {
        (section.text(key, reading)?, None)
    } else {
        let help = format!("{HELP}, or `{{ type = \"…\", through = \"serde\" }}`");
        let inner = section.section_or(key, &help, reading)?;
        inner.known_keys(&["type", "through"], reading);
        if !inner.contains("type") {
            reading.error("CD-PROJECT-MISSING", &inner.at, "the mapping has no `type`", HELP);
        }
        let through = inner.word("through", &THROUGH, reading);
        (inner.text("type", reading)?, through.map(|through| through.value))
    };
    let at = named.at;
    if let Some((name, _)) = CRATES.iter().find(|(name, _)| *name == named.value) {
        return Some(TypeMapping { key: key.to_owned(), at, target: Target::Crate(name) });
    }
    match rust_path::spell(&named.value).and_then(|spelled| readable(spelled, through, &named.value)) {
        Ok(spelled) => Some(TypeMapping { key: key.to_owned(), at, target: Target::Type(spelled, through) }),
        Err(fault) => {
            reading.error("CD-PROJECT-VALUE", &at, fault, HELP);
            None
        }
    }
}

/// Types of the crates that the runtime brings along are read and written by it, or as text.
fn readable(spelled: Spelled, through: Option<Through>, written: &str) -> Result<Spelled, String> {
    let Some(name) = spelled.of_crate else { return Ok(spelled) };
    match through {
        Some(Through::Text) => Ok(spelled),
        Some(Through::Serde) => Err(format!("for serde's traits take a `{name}` of your own: `::{written}`")),
        Some(Through::Wire) | None => {
            let known = OF_FORMATS.iter().map(|(_, _, path)| *path).chain(OTHERS);
            let spellings = known.filter_map(|path| rust_path::spell(path).ok());
            let is_known = spellings.into_iter().any(|known| known.text == spelled.text);
            let fault =
                || format!("the runtime does not know `{written}`; say `through = \"text\"` if it is read from text");
            if is_known { Ok(spelled) } else { Err(fault()) }
        }
    }
}

/// A format by itself says which type of a crate is meant.
fn of_format(mapping: TypeMapping, reading: &mut Reading<'_>) -> Option<TypeMapping> {
    if mapping.key == "binary" {
        let help = "a mapping is for what has a form in JSON";
        reading.error("CD-PROJECT-VALUE", &mapping.at, "raw bytes travel as they are", help);
        return None;
    }
    let Target::Crate(name) = mapping.target else { return Some(mapping) };
    match of_crate(name, &mapping.key) {
        Ok(spelled) => Some(TypeMapping { target: Target::Type(spelled, None), ..mapping }),
        Err(_) => {
            let message = format!("`{name}` has no type that stands for the format `{}`", mapping.key);
            reading.error("CD-PROJECT-VALUE", &mapping.at, message, "name the type by its path");
            None
        }
    }
}
