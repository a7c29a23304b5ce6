//! Code that is written line by line. Most of what is generated has a form so plain that it needs no syntax tree to be
//! laid out, and a syntax tree costs ten times the text.

use std::fmt::Display;

use proc_macro2::Literal;

/// The width that lists are kept within.
const WIDTH: usize = 100;

/// Lines of code.
#[derive(Debug, Default)]
pub(crate) struct Code {
    text: String,
}

impl Code {
    /// A line, so many levels deep.
    pub(crate) fn line(&mut self, depth: usize, line: impl Display) -> &mut Self {
        use std::fmt::Write as _;
        self.indent(depth);
        // Writing to a text does not fail.
        let _ = writeln!(self.text, "{line}");
        self
    }

    /// Documentation: what stands behind each `///`.
    pub(crate) fn docs(&mut self, depth: usize, lines: &[String]) -> &mut Self {
        for line in lines {
            self.indent(depth);
            self.text.push_str("///");
            // A comment ends with its line, whatever is in it.
            self.text.extend(line.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
            self.text.push('\n');
        }
        self
    }

    /// A list between a beginning and an end: on one line where there is room, else each item on its own.
    pub(crate) fn list(&mut self, depth: usize, begin: &str, items: &[String], end: &str) -> &mut Self {
        let whole = format!("{begin}{}{end}", items.join(", "));
        if depth * 4 + whole.chars().count() <= WIDTH {
            return self.line(depth, whole);
        }
        self.line(depth, begin);
        for item in items {
            self.line(depth + 1, format_args!("{item},"));
        }
        self.line(depth, end)
    }

    fn indent(&mut self, depth: usize) {
        (0..depth).for_each(|_| self.text.push_str("    "));
    }

    /// All of it.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A text as a literal.
pub(crate) fn literal(text: &str) -> String {
    Literal::string(text).to_string()
}
