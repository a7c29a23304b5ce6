//! Which operations of a document a system gets.

use std::collections::BTreeSet;

use crate::diagnose::{Location, Report, Severity, nearest};
use crate::model::{Api, Operation};
use crate::project::Select;

/// The indices of the chosen operations, in document order. A wish that chooses nothing is an error that names what
/// was probably meant.
pub(super) fn choose(api: &Api, select: &Select, report: &mut Report) -> Vec<usize> {
    if select.is_everything() {
        return (0..api.operations.len()).collect();
    }
    let mut chosen = BTreeSet::new();
    for id in &select.ids {
        if let Some(index) = operation_named(api, &id.value) {
            chosen.insert(index);
        } else {
            unknown(report, "CD-SELECT-ID", &id.value, &id.at, "the document has no operation", &names(api));
        }
    }
    for tag in &select.tags {
        let found = matching(api, |operation| operation.tags.contains(&tag.value));
        if found.is_empty() {
            unknown(report, "CD-SELECT-TAG", &tag.value, &tag.at, "no operation has the tag", &tags(api));
        }
        chosen.extend(found);
    }
    for pattern in &select.paths {
        let found = matching(api, |operation| pattern.value.matches(&operation.path.raw));
        if found.is_empty() {
            let paths: Vec<&str> = api.operations.iter().map(|operation| operation.path.raw.as_str()).collect();
            unknown(report, "CD-SELECT-PATH", pattern.value.as_str(), &pattern.at, "no path matches", &paths);
        }
        chosen.extend(found);
    }
    chosen.into_iter().collect()
}

/// The operation a word of the project file means: its id, or its method and path.
pub(crate) fn operation_named(api: &Api, word: &str) -> Option<usize> {
    let by_id = api.operations.iter().position(|operation| operation.id == word);
    by_id.or_else(|| {
        let (method, path) = word.split_once(' ')?;
        let path = path.trim_start();
        api.operations
            .iter()
            .position(|operation| operation.method.eq_ignore_ascii_case(method) && operation.path.raw == path)
    })
}

/// What operations can be called in a project file.
pub(crate) fn names(api: &Api) -> Vec<&str> {
    api.operations.iter().map(|operation| operation.id.as_str()).collect()
}

fn tags(api: &Api) -> Vec<&str> {
    let all: BTreeSet<&str> =
        api.operations.iter().flat_map(|operation| operation.tags.iter().map(String::as_str)).collect();
    all.into_iter().collect()
}

fn matching(api: &Api, wanted: impl Fn(&Operation) -> bool) -> Vec<usize> {
    api.operations.iter().enumerate().filter(|(_, operation)| wanted(operation)).map(|(index, _)| index).collect()
}

fn unknown(report: &mut Report, code: &'static str, word: &str, at: &Location, what: &str, candidates: &[&str]) {
    report.at(Severity::Error, code, at.clone(), format!("{what} `{word}`"), did_you_mean(word, candidates));
}

/// A help sentence that names the nearest candidate, or else lists what there is.
pub(super) fn did_you_mean(wrong: &str, candidates: &[&str]) -> String {
    match nearest(wrong, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => listing(candidates),
    }
}

/// The candidates in one line, cut where it would become long.
fn listing(candidates: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = candidates.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match candidates.len() {
        0 => "there is none".to_owned(),
        count if count > SHOWN => format!("there are {} and {} more", shown.join(", "), count - SHOWN),
        _ => format!("there is {}", shown.join(", ")),
    }
}
