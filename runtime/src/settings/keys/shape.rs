use serde_json::{Value, json};

use crate::settings::classes;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::settings) enum Shape {
    Duration,
    Percent,
    Ratio,
    Number,
    Count,
    Size,
    Switch,
    /// One of these.
    Word(&'static [&'static str]),
    /// An address with a path.
    BaseUrl,
    /// An address without one.
    ProxyUrl,
    Header,
    Probe,
    /// Classes of failures, with commas between them.
    Classes,
    /// Text that may not be empty.
    Text,
    /// A name without a colon.
    User,
    /// Never in a file: a variable of the environment gives it.
    Variable,
}

/// A number from 0 to 100.
const HUNDRED: &str = "(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)";

impl Shape {
    /// What JSON Schema says of it. YAML reads `20` as a number and `20 %` as text, so most have two forms.
    pub(in crate::settings) fn schema(self) -> Value {
        match self {
            Self::Duration => json!({
                "anyOf": [
                    { "type": "string", "pattern": "^ *([0-9]+(\\.[0-9]+)? *(ms|s|sec|m|min|h) *)+$" },
                    { "enum": [0, "0"] },
                ],
            }),
            Self::Percent => number_or_text(json!({ "minimum": 0, "maximum": 100 }), &format!("^ *{HUNDRED} *%? *$")),
            Self::Ratio => number_or_text(
                json!({ "minimum": 0, "maximum": 1 }),
                &format!("^ *({HUNDRED} *%|0(\\.[0-9]+)?|1(\\.0+)?) *$"),
            ),
            Self::Number => number_or_text(json!({ "minimum": 0 }), "^ *[0-9]+(\\.[0-9]+)? *$"),
            Self::Count => json!({
                "anyOf": [
                    { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                    { "type": "string", "pattern": "^ *[0-9]+ *$" },
                ],
            }),
            Self::Size => json!({
                "anyOf": [
                    { "type": "integer", "minimum": 0 },
                    { "type": "string", "pattern": "^ *[0-9]+ *(B|KiB|MiB|GiB|kB|KB|MB|GB)? *$" },
                ],
            }),
            Self::Switch => json!({ "enum": [true, false, "true", "false"] }),
            Self::Word(words) => json!({ "enum": words }),
            Self::BaseUrl => json!({ "type": "string", "pattern": "^ *https?://[^?#@]+$" }),
            Self::ProxyUrl => json!({ "type": "string", "pattern": "^ *https?://[^/?#@]+/? *$" }),
            Self::Header => json!({ "type": "string", "pattern": "^ *[!#$%&'*+.^_`|~0-9A-Za-z-]+ *$" }),
            Self::Probe => json!({ "type": "string", "pattern": "^ *(GET|HEAD|OPTIONS) +/[^ #]*$" }),
            Self::Classes => json!({
                "anyOf": [
                    { "type": "integer", "minimum": 200, "maximum": 599 },
                    { "type": "string", "pattern": classes::pattern() },
                ],
            }),
            Self::Text => json!({ "type": "string", "pattern": "[^ ]" }),
            Self::User => json!({ "type": "string", "pattern": "^[^:]*[^ :][^:]*$" }),
            Self::Variable => json!({ "not": {} }),
        }
    }
}

fn number_or_text(limits: Value, pattern: &str) -> Value {
    let mut number = limits;
    if let Some(number) = number.as_object_mut() {
        number.insert("type".into(), "number".into());
    }
    json!({ "anyOf": [number, { "type": "string", "pattern": pattern }] })
}
