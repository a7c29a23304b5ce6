use url::Url;

use super::SystemSettings;

/// Which presets a system's settings start from (R-RES-WHERE-1, R-RES-WHERE-2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// A system of somebody else, over the internet.
    #[default]
    External,
    /// A supplier whose answers people wait for: short times, quick to open.
    Supplier,
    /// A service of one's own, in the same data centre.
    Internal,
}

impl Profile {
    /// The word in settings and project files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Supplier => "supplier",
            Self::Internal => "internal",
        }
    }

    /// What holds where nothing is said.
    #[must_use]
    pub fn preset(self, base_url: Url) -> SystemSettings {
        match self {
            Self::External => SystemSettings::external(base_url),
            Self::Supplier => SystemSettings::supplier(base_url),
            Self::Internal => SystemSettings::internal(base_url),
        }
    }
}
