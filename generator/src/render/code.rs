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
    /// An attribute of each item.
    gate: Option<String>,
}

impl Code {
    /// Code whose items have an attribute.
    pub(crate) fn gated(gate: Option<String>) -> Self {
        Self { text: String::new(), gate }
    }

    /// The line that an item or a method begins with, after its documentation and other attributes.
    pub(crate) fn item(&mut self, depth: usize, line: impl Display) -> &mut Self {
        self.gate(depth);
        self.line(depth, line)
    }

    /// The attribute of an item, where there is one.
    pub(crate) fn gate(&mut self, depth: usize) {
        if let Some(gate) = &self.gate {
            self.text.extend(std::iter::repeat_n("    ", depth));
            self.text.push_str(gate);
            self.text.push('\n');
        }
    }

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

    /// A list between a beginning and an end: on one line where there is room, else in lines of their own.
    pub(crate) fn list(&mut self, depth: usize, begin: &str, items: &[String], end: &str) -> &mut Self {
        let whole = format!("{begin}{}{end}", items.join(", "));
        if depth * 4 + whole.chars().count() <= WIDTH {
            return self.line(depth, whole);
        }
        self.line(depth, begin);
        for line in filled(items, depth + 1) {
            self.line(depth + 1, line);
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

/// Items in full lines, so many levels deep: comma after each.
pub(crate) fn filled(items: &[String], depth: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut().filter(|line| depth * 4 + line.len() + item.len() + 2 <= WIDTH) {
            Some(line) => {
                line.push(' ');
                line.push_str(item);
                line.push(',');
            }
            None => lines.push(format!("{item},")),
        }
    }
    lines
}

/// A text as a literal.
pub(crate) fn literal(text: &str) -> String {
    Literal::string(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_within_the_width() {
        let mut code = Code::default();
        let names: Vec<String> = (0..30).map(|n| format!("name_{n}")).collect();
        code.list(1, "f(", &names[..3], ");").list(1, "f(", &names, ");");
        let text = code.finish();
        assert!(text.starts_with("    f(name_0, name_1, name_2);\n    f(\n        name_0, name_1,"), "{text}");
        assert!(text.ends_with("name_29,\n    );\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
    }

    #[test]
    fn an_attribute_stands_on_items_alone() {
        let mut code = Code::gated(Some("#[cfg(a)]".to_owned()));
        code.docs(1, &["x".to_owned()]).item(1, "fn a() {").line(2, "a()");
        assert_eq!(code.finish(), "    ///x\n    #[cfg(a)]\n    fn a() {\n        a()\n");
        let mut code = Code::default();
        code.item(0, "fn a() {}");
        assert_eq!(code.finish(), "fn a() {}\n");
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        let mut code = Code::default();
        code.docs(1, &[" a\nfn b() {}\r".to_owned(), String::new()]);
        assert_eq!(code.finish(), "    /// a fn b() {} \n    ///\n");
    }
}
