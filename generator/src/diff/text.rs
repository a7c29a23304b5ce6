//! A comparison as text, for people.

use std::collections::BTreeMap;

use super::{Change, Function, Impact, SpecDiff};

/// All that is to say of some systems, as text that ends its own lines.
#[must_use]
pub fn text(systems: &[SpecDiff]) -> String {
    systems.iter().map(of_system).collect::<Vec<_>>().join("\n")
}

fn of_system(diff: &SpecDiff) -> String {
    let mut text = format!("{}\n", heading(diff));
    if diff.changes.is_empty() {
        text.push_str("\nNothing changed.\n");
        return text;
    }
    for impact in Impact::ALL {
        let changes: Vec<&Change> = diff.of(impact).collect();
        if changes.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{} ({}): {}\n", title(impact).to_uppercase(), changes.len(), meaning(impact)));
        for (index, change) in changes.iter().enumerate() {
            // Of changes that reach the same functions the last one names them.
            let next = changes.get(index + 1).map(|next| &next.functions);
            text.push_str(&of_change(change, next != Some(&change.functions)));
        }
    }
    let functions = diff.functions();
    if !functions.is_empty() {
        text.push_str("\nFunctions to look at:\n");
        for (file, names) in by_file(functions.into_iter()) {
            text.push_str(&format!("  {file}\n"));
            names.iter().for_each(|name| text.push_str(&format!("    {name}\n")));
        }
    }
    text
}

/// `payments: Payments 1 → Payments 2`
pub(super) fn heading(diff: &SpecDiff) -> String {
    let version = |version: &super::Version| format!("{} {}", version.title, version.version);
    if diff.from == diff.to && diff.from.title.is_empty() {
        return diff.system.clone();
    }
    format!("{}: {} → {}", diff.system, version(&diff.from), version(&diff.to))
}

pub(super) fn title(impact: Impact) -> &'static str {
    match impact {
        Impact::Protection => "Protection",
        Impact::Breaking => "Breaking",
        Impact::Mapper => "Mapper",
        Impact::Compatible => "Compatible",
    }
}

pub(super) fn meaning(impact: Impact) -> &'static str {
    match impact {
        Impact::Protection => "what protects these calls is another; code that compiles may do something else",
        Impact::Breaking => "what is deployed today does not fit the new version",
        Impact::Mapper => "what is deployed goes on working; generated anew, the mapper stops compiling there",
        Impact::Compatible => "nothing has to be done",
    }
}

fn of_change(change: &Change, with_functions: bool) -> String {
    let mark = match change.impact {
        Impact::Protection => '!',
        Impact::Breaking => '-',
        Impact::Mapper => '~',
        Impact::Compatible => '+',
    };
    let mut text = format!("  {mark} {}\n", change.message);
    for detail in &change.details {
        text.push_str(&format!("      {detail}\n"));
    }
    for (file, names) in by_file(change.functions.iter().filter(|_| with_functions)) {
        text.push_str(&format!("      {file}: {}\n", names.join(", ")));
    }
    text
}

/// Functions by their files, both in order.
pub(super) fn by_file<'a>(functions: impl Iterator<Item = &'a Function>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for function in functions {
        files.entry(function.file).or_default().push(&function.name);
    }
    files
}
