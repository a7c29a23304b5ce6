use std::fmt;
use std::time::Duration;

use crate::secret::Secret;
use crate::settings::FailureClasses;
use crate::settings::file::written;

/// A value as a file would have it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::settings) enum Shown {
    /// The key has no value of its own once the file is read: other values follow from it.
    Nowhere,
    /// A text.
    Text(String),
    /// A text that is compared and never shown.
    Secret(Secret),
}

impl Shown {
    pub(super) fn unset() -> Self {
        Self::Text("unset".to_owned())
    }

    pub(super) fn text(value: impl fmt::Display) -> Self {
        Self::Text(value.to_string())
    }

    pub(super) fn option(value: Option<impl fmt::Display>) -> Self {
        value.map_or_else(Self::unset, Self::text)
    }

    pub(super) fn duration(value: Duration) -> Self {
        Self::Text(written(value))
    }

    pub(super) fn classes(classes: &FailureClasses) -> Self {
        if classes.is_empty() { Self::unset() } else { Self::text(classes) }
    }

    pub(super) fn percent(value: f32) -> Self {
        Self::Text(format!("{value} %"))
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Secret(_) => f.write_str("(secret)"),
        }
    }
}
