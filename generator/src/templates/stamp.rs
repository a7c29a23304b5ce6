use std::path::{Path, PathBuf};

use crate::view::VIEW_VERSION;

/// The first line of an ejected template: what it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The built-in template.
    pub name: String,
    /// The version of Cofferdam.
    pub version: String,
    /// The version of the views.
    pub view: u32,
    /// The [`digest`](crate::write::digest()) of the built-in template.
    pub hash: String,
}

const BEGIN: &str = "{#- ejected by cofferdam ";
const END: &str = " -#}";

impl Stamp {
    /// The stamp of a built-in template as it is now.
    #[must_use]
    pub fn of(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            view: VIEW_VERSION,
            hash: crate::write::digest(text),
        }
    }

    /// Its line, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{BEGIN}{} from {}, view {}, {}{END}\n", self.version, self.name, self.view, self.hash)
    }

    /// The stamp that a template begins with, and the text behind its line.
    #[must_use]
    pub fn split(text: &str) -> (Option<Self>, &str) {
        let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
        match Self::parse(line.trim_end()) {
            Some(stamp) => (Some(stamp), rest),
            None => (None, text),
        }
    }

    fn parse(line: &str) -> Option<Self> {
        let (version, rest) = line.strip_prefix(BEGIN)?.strip_suffix(END)?.split_once(" from ")?;
        let (name, rest) = rest.split_once(", view ")?;
        let (view, hash) = rest.split_once(", ")?;
        let view = view.parse().ok()?;
        Some(Self { name: name.to_owned(), version: version.to_owned(), view, hash: hash.to_owned() })
    }
}

/// Where the text is kept that a template of a folder was ejected from: for the merge when the built-in one changes.
#[must_use]
pub fn base_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(".base").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_read_as_it_is_written() {
        let stamp = Stamp::of("stubs/port.rs.jinja", "text");
        let whole = stamp.line() + "//! Port\n";
        assert_eq!(Stamp::split(&whole), (Some(stamp), "//! Port\n"));
        for none in
            ["", "//! Port\n", "{#- ejected by cofferdam 1 -#}\nx", "{#- ejected by cofferdam 1 from a, view x, y -#}"]
        {
            assert_eq!(Stamp::split(none), (None, none));
        }
    }
}
