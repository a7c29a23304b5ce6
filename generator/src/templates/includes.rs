//! Which templates a template takes in.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Layered;
use crate::diagnose::{Position, Report, Severity, nearest};
use crate::render::templates::BUILT_IN;

/// `{% include "…" %}`, and the same of `extends`, `import` and `from`.
static INCLUDE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\{%[-+]?\s*(?:include|extends|import|from)\s+["']([^"']+)["']"#).ok());

/// The names that a text takes in, with where they stand.
fn of(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let found = INCLUDE.as_ref().into_iter().flat_map(move |pattern| pattern.captures_iter(text));
    found.filter_map(|captures| captures.get(1)).map(|name| (name.as_str(), name.start()))
}

/// Reports every name that is taken in and is not there.
pub(super) fn check(layered: &Layered, report: &mut Report) {
    for (name, file) in layered.files() {
        for (taken, at) in of(&file.text) {
            if layered.text(taken).is_some() {
                continue;
            }
            let position = Position::of_offset(&file.text, at);
            let help = match nearest(taken, layered.names()) {
                Some(near) => format!("`{near}` is meant?"),
                None => "names begin at the folder of templates: `own/part.jinja`".to_owned(),
            };
            let place = layered.place(name, position.line, position.col);
            report.at(Severity::Error, "CD-TEMPLATE-INCLUDE", place, format!("there is no template `{taken}`"), help);
        }
    }
}

/// The built-in templates that take in anything of the team's, on whatever way, or are the team's.
pub(super) fn reached(layered: &Layered) -> BTreeSet<&'static str> {
    let names = BUILT_IN.iter().map(|(name, _)| *name);
    names.filter(|name| is_changed(layered, name, &mut BTreeSet::new())).collect()
}

fn is_changed<'l>(layered: &'l Layered, name: &'l str, seen: &mut BTreeSet<&'l str>) -> bool {
    if layered.file(name).is_some() {
        return true;
    }
    seen.insert(name)
        && layered.text(name).is_some_and(|text| of(text).any(|(taken, _)| is_changed(layered, taken, seen)))
}

/// The names of all templates that others take in.
pub(super) fn taken(layered: &Layered) -> BTreeSet<&str> {
    layered.files().flat_map(|(_, file)| of(&file.text).map(|(name, _)| name)).collect()
}
