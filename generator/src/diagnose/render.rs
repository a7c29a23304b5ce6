//! Diagnostics as plain text: one line each that editors can jump to, and a line of help.

use std::fmt::Write as _;

use super::{Located, Location, Paint, Severity};
use crate::format::is_invisible;

/// `file:line:col: error[CODE] /pointer: message`, and `  help: …` under it. `snippet` gives the author's line for a
/// place, or nothing.
#[must_use]
pub fn render(located: &[Located], snippet: impl Fn(&Location) -> Option<String>) -> String {
    let mut text = String::new();
    for one in located {
        let shown = one.location.as_ref().and_then(&snippet);
        text.push_str(&render_painted(one, shown.as_deref(), &Paint::PLAIN));
    }
    text
}

/// One diagnostic in colours, with the author's line under it, if there is one to show.
#[must_use]
pub fn render_painted(one: &Located, snippet: Option<&str>, paint: &Paint) -> String {
    let mut text = String::new();
    head(&mut text, one, paint);
    text.push_str(snippet.unwrap_or_default());
    for (number, line) in one.help.iter().flat_map(|help| help.lines()).enumerate() {
        if number == 0 {
            let _ = write!(text, "  {} ", paint.help("help:"));
        } else {
            text.push_str("        ");
        }
        push_harmless(&mut text, line);
        text.push('\n');
    }
    text
}

fn head(text: &mut String, one: &Located, paint: &Paint) {
    if let Some(location) = one.location.as_ref().filter(|location| !location.file.is_empty()) {
        push_harmless(text, &location.file);
        if let Some(position) = location.position() {
            let _ = write!(text, ":{}:{}", position.line, position.col);
        }
        text.push_str(": ");
    }
    text.push_str(&paint.severity(one.severity, &format!("{}[{}]", one.severity.word(), one.code)));
    if let Some(location) = one.location.as_ref().filter(|location| !location.pointer.is_empty()) {
        text.push(' ');
        push_harmless(text, &location.pointer);
    }
    text.push_str(": ");
    let mut message = String::new();
    push_harmless(&mut message, &one.message);
    text.push_str(&paint.strong(&message));
    text.push('\n');
}

/// Text of a document may hold line breaks, escape sequences and marks that turn the writing round: a message stays one
/// line, reads as it is, and a terminal obeys nobody's spec.
fn push_harmless(text: &mut String, part: &str) {
    for character in part.chars() {
        if character.is_control() || is_invisible(character) {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
}

/// `2 errors, 1 warning`, or `None` when nothing was found.
#[must_use]
pub fn totals(located: &[Located]) -> Option<String> {
    let count = |severity| located.iter().filter(|one| one.severity == severity).count();
    let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (severity.word(), count(severity)))
        .filter(|(_, count)| *count > 0)
        .map(|(word, count)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Located, Location, Severity, render, totals};

    fn located(severity: Severity, message: &str) -> Located {
        let location = Location { file: "a.yaml".into(), line: 3, col: 7, pointer: "/paths/~1a".into() };
        Located { severity, code: "CD-X".into(), message: message.into(), location: Some(location), help: None }
    }

    #[test]
    fn a_message_is_one_line_and_its_help_follows() {
        let mut one = located(Severity::Error, "bad\n\u{1b}[31mtext");
        one.help = Some("do this\nand that".into());
        let text = render(&[one], |_| None);
        let wanted = "a.yaml:3:7: error[CD-X] /paths/~1a: bad\\n\\u{1b}[31mtext\n  help: do this\n        and that\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn a_place_may_be_a_file_or_nothing() {
        let mut file = located(Severity::Note, "m");
        file.location = Some(Location::file("b.json"));
        let mut nowhere = located(Severity::Warning, "m");
        nowhere.location = None;
        assert_eq!(render(&[file, nowhere], |_| None), "b.json: note[CD-X]: m\nwarning[CD-X]: m\n");
    }

    #[test]
    fn nothing_of_a_document_moves_the_cursor_or_turns_the_writing_round() {
        let mut one = located(Severity::Note, "a\n\u{1b}[2J");
        one.location = Some(Location { pointer: "/\u{202e}x".into(), ..Location::file("a.yaml") });
        assert_eq!(render(&[one], |_| None), "a.yaml: note[CD-X] /\\u{202e}x: a\\n\\u{1b}[2J\n");
    }

    #[test]
    fn totals_leave_out_what_was_not_found() {
        assert_eq!(totals(&[]), None);
        let found = [located(Severity::Error, "a"), located(Severity::Error, "b"), located(Severity::Note, "c")];
        assert_eq!(totals(&found).as_deref(), Some("2 errors, 1 note"));
    }
}
