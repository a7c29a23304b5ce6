//! What is printed, and where: results to standard output, diagnostics to standard error.

use std::io::Write as _;

use cofferdam::diagnose::{self, Located, Location, Severity};

/// Prints a line of a result. A reader that went away is no fault of ours.
pub(super) fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints a text that ends its own lines.
pub(super) fn text(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a line about the run itself.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints diagnostics with the author's lines, and how many there are. Whether there is an error among them.
pub(super) fn tell(found: &[Located]) -> bool {
    let mut told = String::new();
    for one in found {
        // Notes go without the author's line: they are many, and seldom a matter of the line.
        let shown = |location: &Location| if one.severity == Severity::Note { None } else { snippet(location) };
        told.push_str(&diagnose::render(std::slice::from_ref(one), shown));
    }
    let _ = std::io::stderr().lock().write_all(told.as_bytes());
    if let Some(totals) = diagnose::totals(found) {
        say(&totals);
    }
    found.iter().any(|one| one.severity == Severity::Error)
}

/// The author's line at a place.
fn snippet(location: &Location) -> Option<String> {
    let text = std::fs::read_to_string(&location.file).ok()?;
    diagnose::snippet(&text, location.position()?)
}
