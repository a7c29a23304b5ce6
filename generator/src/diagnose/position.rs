//! Lines and columns, both counted from 1, columns in characters: what editors show.

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub col: usize,
}

impl Position {
    /// The position of a byte offset. An offset past the end, or inside a character, is that of the character before.
    #[must_use]
    pub fn of_offset(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(..end).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let col = before.get(line_start..).unwrap_or_default().chars().count() + 1;
        Self { line, col }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a: \u{e9}\u{e9}\nb: x";
        assert_eq!(Position::of_offset(text, 0), Position { line: 1, col: 1 });
        assert_eq!(Position::of_offset(text, 7), Position { line: 1, col: 6 });
        assert_eq!(Position::of_offset(text, 8), Position { line: 2, col: 1 });
        assert_eq!(Position::of_offset(text, 999), Position { line: 2, col: 5 });
        // Inside the first é.
        assert_eq!(Position::of_offset(text, 4), Position { line: 1, col: 4 });
    }
}
