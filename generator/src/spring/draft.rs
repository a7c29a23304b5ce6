//! Settings in the making: the values of each system, and what became of them.

use super::reading::Value;

/// One section of the file to be: `defaults`, or a system.
#[derive(Debug)]
pub(super) struct Section {
    /// `None`: `defaults`.
    pub(super) system: Option<String>,
    pub(super) values: Vec<Value>,
    /// Values that break a rule which no reason excuses: they become comments.
    pub(super) refused: Vec<Refused>,
    /// Reasons that values need, by the part that they stand in (`breaker`).
    pub(super) reasons: Vec<Reason>,
}

/// A value that cannot be.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) value: Value,
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl Refused {
    /// The value, unless it may hold a password.
    pub(super) fn shown(&self) -> &str {
        if self.value.text.contains('@') { "(not shown: it holds credentials)" } else { &self.value.text }
    }
}

/// A reason that a part needs.
#[derive(Debug, Clone)]
pub(super) struct Reason {
    pub(super) part: &'static str,
    /// What comments of the service say; empty where somebody has to say it.
    pub(super) text: String,
    /// What it is for: the rule, and what departs from it.
    pub(super) asked: Vec<String>,
}

/// The whole file to be.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// `defaults` first, if there is any, then the systems by their names.
    pub(super) sections: Vec<Section>,
    /// The presets that systems start from.
    pub(super) profile: crate::project::Profile,
}

impl Section {
    pub(super) fn new(system: Option<String>, values: Vec<Value>) -> Self {
        Self { system, values, refused: Vec::new(), reasons: Vec::new() }
    }

    /// What messages of our settings call it.
    pub(super) fn path(&self) -> String {
        self.system.as_ref().map_or_else(|| "defaults".to_owned(), |name| format!("systems.{name}"))
    }

    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        self.values.iter().find(|value| value.key == key)
    }
}

/// The part that a key stands in, and its name there; what stands in the system itself has none.
pub(super) fn split(key: &'static str) -> (&'static str, &'static str) {
    key.split_once('.').unwrap_or(("", key))
}
