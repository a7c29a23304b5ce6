//! The blocks of a Markdown text: paragraphs, lists and headings stay; every kind of code block becomes a fence marked
//! `text`, so that rustdoc neither compiles nor runs it.

use super::{html, inline};
use crate::format::is_invisible;

/// The text without what no comment should hold: control and bidirectional characters; tabs and line ends as usual.
pub(crate) fn clean(text: &str) -> String {
    let unified = text.replace("\r\n", "\n");
    let mut cleaned = String::with_capacity(unified.len());
    for c in unified.chars() {
        match c {
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.push('\n'),
            '\t' => cleaned.push_str("    "),
            '\n' => cleaned.push('\n'),
            c if c.is_control() || is_invisible(c) => {}
            c => cleaned.push(c),
        }
    }
    cleaned
}

/// A text of one line.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<String> = html::simple_tags(&clean(text)).split_whitespace().map(str::to_owned).collect();
    inline::escape(&block_free(&words.join(" ")))
}

/// The lines of a doc comment for a text.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let cleaned = html::simple_tags(&clean(text));
    let mut blocks = Blocks::default();
    let mut lines = cleaned.lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if let Some(fence) = Fence::open(body) {
            let mut content = Vec::new();
            for line in lines.by_ref() {
                if fence.is_closed_by(line) {
                    break;
                }
                content.push(unindented(line, indent));
            }
            blocks.leave_items(indent);
            blocks.fence(&content);
        } else if body.is_empty() {
            blocks.blank();
        } else if indent >= 4 && blocks.may_start_code() {
            let mut content = vec![unindented(line, 4)];
            while let Some(next) = lines.next_if(|next| next.is_empty() || next.starts_with("    ")) {
                content.push(unindented(next, 4));
            }
            let trailing = content.iter().rev().take_while(|line| line.is_empty()).count();
            content.truncate(content.len() - trailing);
            blocks.fence(&content);
            blocks.blank();
        } else {
            blocks.text(indent, body);
        }
    }
    blocks.finish()
}

fn unindented(line: &str, indent: usize) -> &str {
    let spaces = line.len() - line.trim_start_matches(' ').len();
    &line[spaces.min(indent)..]
}

/// The fence that opens a code block.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn open(body: &str) -> Option<Self> {
        let mark = body.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = body.chars().take_while(|c| *c == mark).count();
        // An info string with a backtick makes it a code span.
        let is_span = mark == '`' && body[length..].contains('`');
        (length >= 3 && !is_span).then_some(Self { mark, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let body = line.trim();
        body.chars().all(|c| c == self.mark) && body.len() >= self.length
    }
}

/// The blocks written so far.
#[derive(Default)]
struct Blocks {
    lines: Vec<String>,
    /// Where the list items that are open have their marker and their text, in the source and in what is written.
    items: Vec<Item>,
    after_blank: bool,
}

struct Item {
    /// Column of the marker in the source.
    marker: usize,
    /// Column of the text in what is written.
    text: usize,
}

impl Blocks {
    fn may_start_code(&self) -> bool {
        self.items.is_empty() && (self.after_blank || self.lines.is_empty())
    }

    fn blank(&mut self) {
        self.after_blank = true;
    }

    fn fence(&mut self, content: &[&str]) {
        let longest = content.iter().map(|line| inline::longest_run(line)).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let indent = self.indent();
        self.after_blank |= !self.lines.is_empty();
        self.separate();
        self.lines.push(format!("{indent}{fence}text"));
        self.lines.extend(content.iter().map(|line| format!("{indent}{line}").trim_end().to_owned()));
        self.lines.push(format!("{indent}{fence}"));
        self.after_blank = true;
    }

    fn text(&mut self, indent: usize, body: &str) {
        if let Some((marker, rest)) = list_marker(body) {
            self.item(indent, marker, rest);
            return;
        }
        self.leave_items(indent);
        if is_rule(body) {
            self.items.clear();
            self.after_blank = !self.lines.is_empty();
            self.separate();
            self.lines.push("---".to_owned());
            self.after_blank = true;
            return;
        }
        self.separate();
        let indent = self.indent();
        // Headings stay, unless they would be one by underlining.
        let text = if body.starts_with('#') { body.to_owned() } else { block_free(body) };
        self.lines.push(format!("{indent}{}", inline::escape(&text)));
    }

    /// After a blank line only an indented line still belongs to an item.
    fn leave_items(&mut self, indent: usize) {
        while self.after_blank && self.items.last().is_some_and(|item| indent <= item.marker) {
            self.items.pop();
        }
    }

    fn item(&mut self, indent: usize, marker: &str, rest: &str) {
        while self.items.last().is_some_and(|item| indent <= item.marker) {
            self.items.pop();
        }
        // A list may not begin inside a paragraph: rustdoc would read on, clippy would complain.
        if self.items.is_empty() && !self.lines.last().is_none_or(|line| starts_item(line)) {
            self.after_blank = true;
        }
        self.separate();
        let outer = self.indent();
        self.lines.push(format!("{outer}{marker} {}", inline::escape(&block_free(rest))));
        self.items.push(Item { marker: indent, text: outer.len() + marker.len() + 1 });
    }

    fn indent(&self) -> String {
        " ".repeat(self.items.last().map_or(0, |item| item.text))
    }

    fn separate(&mut self) {
        if std::mem::take(&mut self.after_blank) && !self.lines.is_empty() {
            self.lines.push(String::new());
        }
    }

    fn finish(self) -> Vec<String> {
        self.lines
    }
}

fn list_marker(body: &str) -> Option<(&str, &str)> {
    let digits = body.chars().take_while(char::is_ascii_digit).count();
    let length = match body.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let (marker, rest) = body.split_at(length);
    let text = rest.strip_prefix(' ')?.trim_start();
    (!is_rule(body) && !text.is_empty()).then_some((marker, text))
}

fn starts_item(line: &str) -> bool {
    list_marker(line.trim_start()).is_some()
}

/// `---`, `* * *`, `___`.
fn is_rule(body: &str) -> bool {
    let marks: Vec<char> = body.chars().filter(|c| *c != ' ').collect();
    marks.len() >= 3 && marks.iter().all(|c| *c == marks[0]) && matches!(marks[0], '-' | '*' | '_')
}

/// A line that would make a heading of the one before.
fn underlines(body: &str) -> bool {
    body.chars().all(|c| c == '=') || body.chars().all(|c| c == '-')
}

/// A text that begins as no block does: no heading, item, rule or fence.
fn block_free(text: &str) -> String {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    if digits > 0 && text[digits..].starts_with(['.', ')']) {
        return format!("{}\\{}", &text[..digits], &text[digits..]);
    }
    if text.starts_with(['#', '-', '+', '*', '=', '~']) && (is_block(text) || underlines(text)) {
        return format!("\\{text}");
    }
    text.to_owned()
}

fn is_block(text: &str) -> bool {
    let is_marker = |c: char| matches!(c, '-' | '+' | '*');
    text.starts_with(['#', '~'])
        || text.trim_start_matches(is_marker).starts_with(' ')
        || is_rule(text)
        || text.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(text: &str) -> String {
        lines(text).join("\n")
    }

    #[test]
    fn every_kind_of_code_block_becomes_a_fence_of_text() {
        assert_eq!(
            doc(
                "Plain, then code:\n\n    curl ${id}\n\n```\nfn main() { panic!() }\n```\n~~~rust\nbad!(\n~~~\nEnd \\\n"
            ),
            "Plain, then code:\n\n```text\ncurl ${id}\n```\n\n```text\nfn main() { panic!() }\n```\n\n\
             ```text\nbad!(\n```\n\nEnd \\"
        );
        assert_eq!(doc("    assert!(false);"), "```text\nassert!(false);\n```");
        assert_eq!(doc("~~~\n```\nx\n~~~"), "````text\n```\nx\n````");
        assert_eq!(doc("```\nnever closed"), "```text\nnever closed\n```");
    }

    #[test]
    fn lists_keep_their_nesting_and_continuation_lines_their_item() {
        assert_eq!(
            doc("Intro:\n- one\n  more\nlazy\n    - inner\n      deep\n\n1. first\n\n   second paragraph\n\nafter"),
            "Intro:\n\n- one\n  more\n  lazy\n  - inner\n    deep\n\n1. first\n\n   second paragraph\n\nafter"
        );
        assert_eq!(doc("\n\n- list\n      deep indent"), "- list\n  deep indent");
    }

    #[test]
    fn what_underlines_or_rules_makes_no_heading_of_the_text_above() {
        assert_eq!(doc("a\n==="), "a\n\\===");
        assert_eq!(doc("a\n---\nb"), "a\n\n---\n\nb");
        assert_eq!(doc("a\n-"), "a\n\\-");
        assert_eq!(doc("# Title\ntext"), "# Title\ntext");
    }

    #[test]
    fn line_ends_control_and_bidirectional_characters_are_tamed() {
        assert_eq!(doc("tabs\there\r\nCRLF\rCR\u{2028}LS \u{202e}x\0"), "tabs    here\nCRLF\nCR\nLS x");
    }

    #[test]
    fn a_summary_is_one_line_and_no_block() {
        assert_eq!(one_line("# a\n b  c"), "\\# a b c");
        assert_eq!(one_line("1. first"), "1\\. first");
        assert_eq!(one_line("- x"), "\\- x");
        assert_eq!(one_line("*bold* x"), "*bold* x");
    }
}
