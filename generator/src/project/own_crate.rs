//! A system as a crate of its own: `[systems.NAME.crate]`.

use std::path::{Path, PathBuf};

use super::section::{Reading, Section};
use crate::view::literal;

/// A system that is written as a crate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnCrate {
    /// The runtime's folder, as a path that can be opened, instead of its published version.
    pub runtime: Option<PathBuf>,
    /// Each tag becomes a feature that its operations need.
    pub tag_features: bool,
    /// What it depends on besides, by the name of the crate: the right-hand side, as TOML.
    pub dependencies: Vec<(String, String)>,
}

/// `[systems.NAME.crate]`
pub(super) fn own_crate(system: &Section<'_>, folder: &Path, reading: &mut Reading<'_>) -> Option<OwnCrate> {
    let section = system.section("crate", reading)?;
    section.known_keys(&["runtime-path", "tag-features", "dependencies"], reading);
    let runtime = section.text("runtime-path", reading).map(|path| folder.join(path.value));
    let tag_features = section.flag("tag-features", "write `tag-features = true`", reading);
    Some(OwnCrate {
        runtime,
        tag_features: tag_features.is_some_and(|flag| flag.value),
        dependencies: section
            .section("dependencies", reading)
            .map_or_else(Vec::new, |list| dependencies(&list, reading)),
    })
}

fn dependencies(section: &Section<'_>, reading: &mut Reading<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for key in section.keys() {
        let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if !is_name || key == "cofferdam-runtime" {
            let help = if is_name { "the runtime is depended on anyway" } else { "letters, digits, `-` and `_`" };
            let message = format!("{key:?} cannot be depended on");
            reading.error("CD-PROJECT-NAME", &section.at, message, help);
            continue;
        }
        found.extend(dependency(section, key, reading).map(|text| (key.to_owned(), text)));
    }
    found
}

/// A dependency as Cargo has it: a version, or a table of texts, flags and lists of texts.
fn dependency(section: &Section<'_>, key: &str, reading: &mut Reading<'_>) -> Option<String> {
    if section.is_text(key) {
        return section.text(key, reading).map(|version| literal(&version.value));
    }
    let help = "a version, or a table such as `{ path = \"…\", features = [\"…\"] }`";
    let table = section.section_or(key, help, reading)?;
    const TEXTS: [&str; 7] = ["version", "path", "git", "branch", "tag", "rev", "package"];
    let known: Vec<&str> = TEXTS.into_iter().chain(["features", "default-features"]).collect();
    table.known_keys(&known, reading);
    let mut parts: Vec<String> = Vec::new();
    for name in TEXTS {
        parts.extend(table.text(name, reading).map(|text| format!("{name} = {}", literal(&text.value))));
    }
    let features: Vec<String> = table.texts("features", reading).iter().map(|text| literal(&text.value)).collect();
    if !features.is_empty() {
        parts.push(format!("features = [{}]", features.join(", ")));
    }
    let defaults = table.flag("default-features", "write `default-features = false`", reading);
    parts.extend(defaults.map(|flag| format!("default-features = {}", flag.value)));
    Some(format!("{{ {} }}", parts.join(", ")))
}
