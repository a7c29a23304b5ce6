//! The author's own line under a message, with a caret under the place.

use super::Position;
use crate::format::is_invisible;

/// How much of a long line is shown: a minified document is one line.
const WIDTH: usize = 100;

/// The line of a position with a caret under it, each of its three lines ending in a newline. `None` when the text has
/// no such line.
#[must_use]
pub fn snippet(text: &str, at: Position) -> Option<String> {
    let line = text.lines().nth(at.line.checked_sub(1)?)?;
    let before = at.col.saturating_sub(1);
    // A window of the line, with a third of it before the place.
    let start = if before < WIDTH { 0 } else { before - WIDTH / 3 };
    let shown: String = line.chars().skip(start).take(WIDTH).map(visible).collect();
    let number = at.line.to_string();
    let gutter = " ".repeat(number.len());
    let indent = " ".repeat(before.saturating_sub(start));
    Some(format!("{gutter} |\n{number} | {}\n{gutter} | {indent}^\n", shown.trim_end()))
}

/// One column for one character, and nothing that a terminal would obey.
fn visible(character: char) -> char {
    if character.is_control() || is_invisible(character) { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::{Position, snippet};

    #[test]
    fn the_caret_stands_under_the_place() {
        let text = "a: 1\r\n\tb: \u{1b}[31mred\r\n";
        let shown = snippet(text, Position { line: 2, col: 5 }).unwrap();
        assert_eq!(shown, "  |\n2 |  b:  [31mred\n  |     ^\n");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let shown = snippet(&text, Position { line: 1, col: 5001 }).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        let caret = lines[2].find('^').unwrap();
        assert_eq!(lines[1].as_bytes()[caret], b'X');
        assert!(shown.len() < 300, "{}", shown.len());
    }

    #[test]
    fn no_line_no_snippet() {
        assert_eq!(snippet("one", Position { line: 2, col: 1 }), None);
        assert_eq!(snippet("one", Position { line: 0, col: 0 }), None);
    }
}
