//! `cofferdam templates list`

use cofferdam::render::templates::BUILT_IN;
use cofferdam::templates::{Layered, OWN, POINTS, built_in};
use cofferdam::write::digest;

use super::PlaceArguments;
use crate::cli::{Ended, output};

pub(super) fn run(arguments: &PlaceArguments) -> Result<Ended, Ended> {
    // Without a project there are the built-in ones.
    let is_there = arguments.project.exists() || arguments.system.is_some();
    let layered = if is_there { arguments.layered()? } else { Layered::default() };
    let width = layered.names().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    names.extend(layered.files().map(|(name, _)| name).filter(|name| name.starts_with(OWN)));
    names.sort_unstable();
    for name in names {
        output::line(&format!("{name:<width$}  {:<8}  {}", kind(name), state(&layered, name)));
        for hidden in layered.file(name).iter().flat_map(|file| &file.hides) {
            output::line(&format!("{:<width$}  {:<8}  hides {}", "", "", hidden.display()));
        }
    }
    Ok(Ended::Well)
}

fn kind(name: &str) -> &'static str {
    if name.starts_with(OWN) {
        "own"
    } else if name.starts_with(POINTS) {
        "point"
    } else if name.contains("/parts-") {
        "part"
    } else {
        "template"
    }
}

fn state(layered: &Layered, name: &str) -> String {
    let Some(file) = layered.file(name) else { return "built in".to_owned() };
    let made_from = match (&file.stamp, built_in(name)) {
        (Some(stamp), Some(text)) if stamp.hash == digest(text) => format!(", from {}", stamp.version),
        (Some(stamp), _) => format!(", from {}; the built-in one has changed since", stamp.version),
        (None, _) => String::new(),
    };
    format!("{}{made_from}", file.display)
}
