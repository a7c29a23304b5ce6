use std::borrow::Cow;
use std::fs;

use super::{Diagnostic, Location, Query, Severity, Target, locate};
use crate::load::{SourceFile, Sources};
use crate::model::Origin;

/// A diagnostic whose place is known to the line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Located {
    /// How grave it is.
    pub severity: Severity,
    /// Its stable code.
    pub code: Cow<'static, str>,
    /// What is wrong.
    pub message: String,
    /// Where; `None` for what concerns the run as a whole.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
}

/// Gives every diagnostic its line and column, sorted by file and place, identical ones once.
pub(super) fn located(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Located> {
    let origins: Vec<Option<Origin>> = diagnostics.iter().map(|diagnostic| written(diagnostic, sources)).collect();
    let mut all: Vec<Located> = diagnostics
        .iter()
        .zip(&origins)
        .map(|(diagnostic, origin)| unplaced(diagnostic, origin.as_ref(), sources))
        .collect();
    for (index, source) in sources.files.iter().enumerate() {
        let is_here = |origin: &Option<Origin>| origin.as_ref().is_some_and(|origin| origin.file == index);
        let here = origins.iter().enumerate().filter(|(_, origin)| is_here(origin)).map(|(at, _)| at);
        place(&mut all, &here.collect::<Vec<_>>(), source);
    }
    // Stable: what was found first comes first among equals.
    all.sort_by(|a, b| place_key(a).cmp(&place_key(b)));
    let mut seen = std::collections::HashSet::new();
    all.retain(|located| seen.insert(located.clone()));
    all
}

fn place_key(located: &Located) -> (Option<&str>, usize, usize) {
    let location = located.location.as_ref();
    (
        location.map(|location| location.file.as_str()),
        location.map_or(0, |location| location.line),
        location.map_or(0, |location| location.col),
    )
}

/// Where the place of a diagnostic is written: what an overlay put into the document stands in the overlay's file.
/// `None`: nowhere, or the place is already known to the line.
fn written(diagnostic: &Diagnostic, sources: &Sources) -> Option<Origin> {
    if diagnostic.location.is_some() {
        return None;
    }
    let origin = diagnostic.origin.as_ref()?;
    sources.find(origin).origin.or_else(|| Some(origin.clone()))
}

fn unplaced(diagnostic: &Diagnostic, origin: Option<&Origin>, sources: &Sources) -> Located {
    let by_origin = || {
        let origin = origin?;
        let file = sources.files.get(origin.file)?.display.clone();
        Some(Location { file, line: 0, col: 0, pointer: origin.pointer.clone() })
    };
    Located {
        severity: diagnostic.severity,
        code: Cow::Borrowed(diagnostic.code),
        message: format!("{}{}", diagnostic.message, patched(diagnostic, sources).unwrap_or_default()),
        location: diagnostic.location.clone().or_else(by_origin),
        help: diagnostic.help.clone(),
    }
}

/// What overlays have to do with a diagnostic that its file and line do not show.
fn patched(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let origin = diagnostic.origin.as_ref().filter(|_| diagnostic.location.is_none())?;
    let shown = |file: usize| sources.files.get(file).map_or("?", |file| file.display.as_str());
    let found = sources.find(origin);
    let moved = found.origin.filter(|written| written.file != origin.file);
    let moved = moved.map(|_| format!("{} in {} as patched", origin.pointer, shown(origin.file)));
    let taken = found.taken.iter().map(|(key, by)| {
        let what = key.as_ref().map_or("some elements were".to_owned(), |key| format!("`{key}` was"));
        format!("{what} removed by {} in {}", by.pointer, shown(by.file))
    });
    let remarks: Vec<String> = moved.into_iter().chain(taken).collect();
    (!remarks.is_empty()).then(|| format!(" ({})", remarks.join("; ")))
}

/// Reads one file again and fills in the lines of the diagnostics that are about it. A file that vanished meanwhile
/// leaves them with their pointers.
fn place(all: &mut [Located], here: &[usize], source: &SourceFile) {
    if here.is_empty() {
        return;
    }
    let Ok(text) = fs::read_to_string(&source.path) else { return };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let pointers: Vec<String> = here
        .iter()
        .map(|at| all.get(*at).and_then(|located| located.location.as_ref()))
        .map(|location| location.map(|location| location.pointer.clone()).unwrap_or_default())
        .collect();
    let queries: Vec<Query<'_>> = pointers.iter().map(|pointer| Query { pointer, target: Target::Value }).collect();
    for (at, position) in here.iter().zip(locate(text, &queries)) {
        let location = all.get_mut(*at).and_then(|located| located.location.as_mut());
        if let (Some(location), Some(position)) = (location, position) {
            location.line = position.line;
            location.col = position.col;
        }
    }
}
