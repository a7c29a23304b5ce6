use std::fs;

use super::{Diagnostic, Location, Query, Severity, Target, locate};
use crate::load::{SourceFile, Sources};

/// A diagnostic whose place is known to the line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Located {
    /// How grave it is.
    pub severity: Severity,
    /// Its stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where; `None` for what concerns the run as a whole.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
}

/// Gives every diagnostic its line and column, sorted by file and place, identical ones once.
pub(super) fn located(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Located> {
    let mut all: Vec<Located> = diagnostics.iter().map(|diagnostic| unplaced(diagnostic, sources)).collect();
    for (index, source) in sources.files.iter().enumerate() {
        let here: Vec<usize> = diagnostics
            .iter()
            .enumerate()
            .filter(|(_, diagnostic)| diagnostic.location.is_none())
            .filter(|(_, diagnostic)| diagnostic.origin.as_ref().is_some_and(|origin| origin.file == index))
            .map(|(at, _)| at)
            .collect();
        place(&mut all, &here, source);
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

fn unplaced(diagnostic: &Diagnostic, sources: &Sources) -> Located {
    let by_origin = || {
        let origin = diagnostic.origin.as_ref()?;
        let file = sources.files.get(origin.file)?.display.clone();
        Some(Location { file, line: 0, col: 0, pointer: origin.pointer.clone() })
    };
    Located {
        severity: diagnostic.severity,
        code: diagnostic.code,
        message: diagnostic.message.clone(),
        location: diagnostic.location.clone().or_else(by_origin),
        help: diagnostic.help.clone(),
    }
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
