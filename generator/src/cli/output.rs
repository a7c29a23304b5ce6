//! What is printed, and where: results to standard output, diagnostics to standard error.
//!
//! A fault of a command is told by [`fault`], with a code of its own (see
//! [`messages`](cofferdam::diagnose::messages)), so that it is there in every form of `--message-format`. What [`say`] is
//! given with `error: ` before it is told as `CD-COMMAND`.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};

use cofferdam::diagnose::{self, Located, Location, Paint, Severity};

use super::look::{Look, MessageFormat};

static LOOK: OnceLock<Look> = OnceLock::new();

/// What was told in forms that are written as a whole, or count at the end.
static TOLD: Mutex<Vec<Located>> = Mutex::new(Vec::new());

/// Decides how everything looks from now on.
pub(super) fn set(look: Look) {
    let _ = LOOK.set(look);
}

/// How everything looks.
pub(super) fn look() -> Look {
    LOOK.get().copied().unwrap_or_default()
}

/// Prints a line of a result. A reader that went away is no fault of ours.
pub(super) fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints a text that ends its own lines.
pub(super) fn text(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a line about what was done: `--quiet` goes without.
pub(super) fn news(text: &str) {
    if !look().quiet {
        line(text);
    }
}

/// Prints a line about how the run went, for those who asked for it with `--verbose`.
pub(super) fn detail(text: impl FnOnce() -> String) {
    let look = look();
    if look.verbose && look.format == MessageFormat::Text {
        to_stderr(&format!("{}\n", text()));
    }
}

/// Prints a line about the run itself; one that begins with `error: ` is a fault, and what follows its first line its help.
pub(super) fn say(text: &str) {
    match (text.strip_prefix("error: "), look().format) {
        (Some(message), _) => {
            let (message, more) = message.split_once('\n').unwrap_or((message, ""));
            fault("CD-COMMAND", None, message, more);
        }
        (None, MessageFormat::Text) => to_stderr(&format!("{text}\n")),
        (None, _) => {}
    }
}

/// Tells a fault of the run: what is wrong, and what to do about it.
pub(super) fn fault(code: &'static str, location: Option<Location>, message: impl Into<String>, help: &str) {
    let help = (!help.is_empty()).then(|| help.to_owned());
    let (severity, code) = (Severity::Error, Cow::Borrowed(code));
    print(&[Located { severity, code, message: message.into(), location, help }]);
}

/// Prints diagnostics with the author's lines, and how many there are. Whether there is an error among them.
pub(super) fn tell(found: &[Located]) -> bool {
    print(found);
    let look = look();
    if let (Some(totals), MessageFormat::Text, false) = (diagnose::totals(found), look.format, look.quiet) {
        to_stderr(&format!("{totals}\n"));
    }
    found.iter().any(|one| one.severity == Severity::Error)
}

/// Prints diagnostics with the author's lines.
pub(super) fn print(found: &[Located]) {
    let look = look();
    let shown = found.iter().filter(|one| !look.quiet || one.severity > Severity::Note);
    let text: String = match look.format {
        MessageFormat::Text => shown.clone().map(painted).collect(),
        MessageFormat::Json => shown.clone().map(|one| format!("{}\n", diagnose::record(one))).collect(),
        MessageFormat::Sarif => String::new(),
    };
    match look.format {
        MessageFormat::Text => return to_stderr(&text),
        MessageFormat::Json => raw(&text),
        MessageFormat::Sarif => {}
    }
    TOLD.lock().unwrap_or_else(PoisonError::into_inner).extend(shown.cloned());
}

/// Notes go without the author's line: they are many, and seldom a matter of the line.
fn painted(one: &Located) -> String {
    let with_line = one.severity > Severity::Note || look().verbose;
    let shown = one.location.as_ref().filter(|_| with_line).and_then(|at| snippet(at, one.severity));
    diagnose::render_painted(one, shown.as_deref(), &Paint::COLOURS)
}

/// The author's line at a place.
fn snippet(location: &Location, severity: Severity) -> Option<String> {
    let position = location.position()?;
    let text = std::fs::read_to_string(&location.file).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    diagnose::painted(text, position, severity, &Paint::COLOURS)
}

/// Prints a difference between two texts, in colours where standard output has them.
pub(super) fn difference(diff: &str) {
    let mut text = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let colour = match line.as_bytes().first() {
            Some(b'-') => "\u{1b}[31m",
            Some(b'+') => "\u{1b}[32m",
            Some(b'@') => "\u{1b}[36m",
            _ => "",
        };
        let end = if colour.is_empty() { "" } else { "\u{1b}[0m" };
        let bare = line.trim_end_matches('\n');
        text.push_str(&format!("{colour}{bare}{end}{}", &line[bare.len()..]));
    }
    let _ = anstream::stdout().lock().write_all(text.as_bytes());
}

/// To standard error, with colours where it has them.
pub(super) fn to_stderr(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn raw(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Ends what was begun: forms that are one text as a whole are written now.
pub(super) fn finish() {
    let told = std::mem::take(&mut *TOLD.lock().unwrap_or_else(PoisonError::into_inner));
    match look().format {
        MessageFormat::Text => {}
        MessageFormat::Json => {
            let count = |severity| told.iter().filter(|one| one.severity == severity).count();
            let totals = serde_json::json!({
                "version": 1,
                "type": "totals",
                "errors": count(Severity::Error),
                "warnings": count(Severity::Warning),
                "notes": count(Severity::Note),
            });
            raw(&format!("{totals}\n"));
        }
        MessageFormat::Sarif => raw(&format!("{:#}\n", diagnose::sarif(&told))),
    }
}
