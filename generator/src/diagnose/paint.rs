//! The colours of messages: what a terminal is told before and after each part.

use super::Severity;

/// Escape sequences by what they colour; all empty for plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    error: &'static str,
    warning: &'static str,
    note: &'static str,
    /// What stands out: the message itself, the place.
    strong: &'static str,
    /// What frames the author's line.
    frame: &'static str,
    help: &'static str,
    end: &'static str,
}

impl Paint {
    /// No colour.
    pub const PLAIN: Self = Self { error: "", warning: "", note: "", strong: "", frame: "", help: "", end: "" };

    /// The sixteen colours that every terminal has.
    pub const COLOURS: Self = Self {
        error: "\u{1b}[1;91m",
        warning: "\u{1b}[1;93m",
        note: "\u{1b}[1;92m",
        strong: "\u{1b}[1m",
        frame: "\u{1b}[1;94m",
        help: "\u{1b}[1;96m",
        end: "\u{1b}[0m",
    };

    /// A text in the colour of a severity.
    #[must_use]
    pub fn severity(&self, severity: Severity, text: &str) -> String {
        let colour = match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.note,
        };
        self.wrapped(colour, text)
    }

    /// A text that stands out.
    #[must_use]
    pub fn strong(&self, text: &str) -> String {
        self.wrapped(self.strong, text)
    }

    /// Line numbers and bars.
    #[must_use]
    pub fn frame(&self, text: &str) -> String {
        self.wrapped(self.frame, text)
    }

    /// The word that begins a line of help.
    #[must_use]
    pub fn help(&self, text: &str) -> String {
        self.wrapped(self.help, text)
    }

    fn wrapped(&self, colour: &str, text: &str) -> String {
        format!("{colour}{text}{}", self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Paint, Severity};

    #[test]
    fn plain_text_is_left_as_it_is() {
        assert_eq!(Paint::PLAIN.severity(Severity::Error, "error"), "error");
        assert_eq!(Paint::COLOURS.severity(Severity::Error, "error"), "\u{1b}[1;91merror\u{1b}[0m");
    }
}
