//! The author's own line under a message, with carets under the place.

use super::{Paint, Position, Severity};
use crate::format::is_invisible;

/// How much of a long line is shown: a minified document is one line.
const WIDTH: usize = 100;

/// The line of a position with carets under what stands there, each of its three lines ending in a newline. `None` when
/// the text has no such line.
#[must_use]
pub fn snippet(text: &str, at: Position) -> Option<String> {
    painted(text, at, Severity::Error, &Paint::PLAIN)
}

/// The same in colours; the carets have that of the severity.
#[must_use]
pub fn painted(text: &str, at: Position, severity: Severity, paint: &Paint) -> Option<String> {
    let line = text.lines().nth(at.line.checked_sub(1)?)?;
    let before = at.col.saturating_sub(1);
    // A window of the line, with a third of it before the place.
    let start = if before < WIDTH { 0 } else { before - WIDTH / 3 };
    let shown: String = line.chars().skip(start).take(WIDTH).map(visible).collect();
    let number = at.line.to_string();
    let gutter = " ".repeat(number.len());
    let indent = before.saturating_sub(start);
    let carets = "^".repeat(token(line.chars().skip(before)).min(WIDTH.saturating_sub(indent)).max(1));
    Some(format!(
        "{}\n{} {}\n{} {}{}\n",
        paint.frame(&format!("{gutter} |")),
        paint.frame(&format!("{number} |")),
        shown.trim_end(),
        paint.frame(&format!("{gutter} |")),
        " ".repeat(indent),
        paint.severity(severity, &carets)
    ))
}

/// How many characters the word, number or quoted text has that begins here.
fn token(mut rest: impl Iterator<Item = char>) -> usize {
    let Some(first) = rest.next() else { return 1 };
    if first == '"' || first == '\'' {
        let mut escaped = false;
        let mut length = 1;
        for character in rest {
            length += 1;
            if character == first && !escaped {
                return length;
            }
            escaped = first == '"' && character == '\\' && !escaped;
        }
        return 1;
    }
    let is_word = |character: &char| !character.is_whitespace() && !",:{}[]\"'=#".contains(*character);
    if is_word(&first) { 1 + rest.take_while(is_word).count() } else { 1 }
}

/// One column for one character, and nothing that a terminal would obey.
fn visible(character: char) -> char {
    if character.is_control() || is_invisible(character) { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::{Paint, Position, Severity, painted, snippet};

    #[test]
    fn the_caret_stands_under_the_place() {
        let text = "a: 1\r\n\tb: \u{1b}[31mred\r\n";
        let shown = snippet(text, Position { line: 2, col: 5 }).unwrap();
        assert_eq!(shown, "  |\n2 |  b:  [31mred\n  |     ^\n");
    }

    #[test]
    fn carets_stand_under_the_whole_word_or_text() {
        let carets = |text: &str, col| {
            let shown = snippet(text, Position { line: 1, col }).unwrap();
            shown.lines().last().unwrap().trim_start_matches([' ', '|']).len()
        };
        assert_eq!(carets("operationId: list", 1), 11);
        assert_eq!(carets("operationId: list # same", 14), 4);
        assert_eq!(carets(r##"$ref: "#/a/b\"c", x"##, 7), 10);
        assert_eq!(carets("x: 'unclosed", 4), 1);
        assert_eq!(carets("{a: 1}", 1), 1);
        assert_eq!(carets("x", 9), 1);
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{} X{}", "a".repeat(4999), "b".repeat(5000));
        let shown = snippet(&text, Position { line: 1, col: 5001 }).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        let caret = lines[2].find('^').unwrap();
        assert_eq!(lines[1].as_bytes()[caret], b'X');
        assert!(shown.len() < 350, "{}", shown.len());
    }

    #[test]
    fn no_line_no_snippet() {
        assert_eq!(snippet("one", Position { line: 2, col: 1 }), None);
        assert_eq!(snippet("one", Position { line: 0, col: 0 }), None);
    }

    #[test]
    fn the_carets_have_the_colour_of_the_severity() {
        let shown = painted("a: b", Position { line: 1, col: 4 }, Severity::Warning, &Paint::COLOURS).unwrap();
        assert!(shown.ends_with("   \u{1b}[1;93m^\u{1b}[0m\n"), "{shown:?}");
    }
}
