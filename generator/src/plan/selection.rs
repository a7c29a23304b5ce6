//! Which operations of a document a system gets.

use std::collections::BTreeSet;

use super::nearest::did_you_mean;
use super::wishes::{Selection, Wish};
use crate::diagnose::{Report, Severity};
use crate::model::{Api, Operation};

/// The indices of the chosen operations, in document order. A wish that chooses nothing is an error that names what
/// was probably meant.
pub(super) fn choose(api: &Api, selection: Option<&Selection>, report: &mut Report) -> Vec<usize> {
    let Some(selection) = selection else { return (0..api.operations.len()).collect() };
    let mut chosen = BTreeSet::new();
    for wish in &selection.ids {
        if let Some(index) = operation_named(api, &wish.text) {
            chosen.insert(index);
        } else {
            unknown(report, "CD-SELECT-ID", wish, "the document has no operation", names(api));
        }
    }
    for wish in &selection.tags {
        let found = matching(api, |operation| operation.tags.contains(&wish.text));
        let any = !found.is_empty();
        chosen.extend(found);
        if !any {
            unknown(report, "CD-SELECT-TAG", wish, "no operation has the tag", tags(api));
        }
    }
    for wish in &selection.paths {
        let found = matching(api, |operation| path_matches(&wish.text, operation));
        if found.is_empty() {
            let paths = api.operations.iter().map(|operation| operation.path.raw.as_str());
            unknown(report, "CD-SELECT-PATH", wish, "no path matches", paths.collect());
        }
        chosen.extend(found);
    }
    if selection.ids.is_empty() && selection.tags.is_empty() && selection.paths.is_empty() {
        let help = "leave the selection out to take every operation";
        report.at(
            Severity::Error,
            "CD-SELECT-EMPTY",
            selection.location.clone(),
            "the selection chooses no operation",
            help,
        );
    }
    chosen.into_iter().collect()
}

/// The operation a word of the project file means: its id, or its method and path.
pub(super) fn operation_named(api: &Api, word: &str) -> Option<usize> {
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
pub(super) fn names(api: &Api) -> Vec<&str> {
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

fn unknown(report: &mut Report, code: &'static str, wish: &Wish, what: &str, candidates: Vec<&str>) {
    let help = did_you_mean(&wish.text, candidates);
    report.at(Severity::Error, code, wish.location.clone(), format!("{what} `{}`", wish.text), help);
}

/// Whether an operation is under a pattern such as `/orders/**` or `GET /orders/*`.
fn path_matches(pattern: &str, operation: &Operation) -> bool {
    let path_pattern = match pattern.split_once(' ') {
        Some((method, _)) if !operation.method.eq_ignore_ascii_case(method) => return false,
        Some((_, rest)) => rest.trim_start(),
        None => pattern,
    };
    let pattern: Vec<&str> = path_pattern.split('/').collect();
    let path: Vec<&str> = operation.path.raw.split('/').collect();
    segments_match(&pattern, &path)
}

/// Row by row over the pattern, so that hostile patterns cost no more than length times length.
fn segments_match(pattern: &[&str], path: &[&str]) -> bool {
    let mut reachable = vec![false; path.len() + 1];
    reachable[0] = true;
    for part in pattern {
        let mut next = vec![false; path.len() + 1];
        for (position, from) in reachable.iter().enumerate() {
            if !from {
                continue;
            }
            if *part == "**" {
                next[position..].fill(true);
                break;
            }
            if path.get(position).is_some_and(|segment| segment_matches(part, segment)) {
                next[position + 1] = true;
            }
        }
        reachable = next;
    }
    reachable.last().copied().unwrap_or(false)
}

/// `*` stands for any text, anything else for itself.
fn segment_matches(pattern: &str, segment: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == segment };
    let Some(mut left) = segment.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some(at) = left.find(piece) else { return false };
        left = &left[at + piece.len()..];
    }
    left.ends_with(last)
}
