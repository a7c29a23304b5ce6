//! Which ends of an attempt the breaker counts as failures, where that differs from the rules.

use std::fmt;

/// Ends of an attempt, by a word of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// A reply with this status that is no success: `429`.
    Status(u16),
    /// A reply with a status of this hundred that is no success: `4xx`.
    Hundred(u16),
    /// An error by its word, that of `ClientError::kind`: `timed_out`, `undecodable`, ….
    Kind(&'static str),
    /// A reply that the mapping calls a failure.
    Verdict,
}

/// The words of errors that the system may be blamed for. What never left us is never its fault.
const KINDS: [&str; 16] = [
    "timed_out",
    "dns",
    "connect",
    "tls",
    "closed",
    "unprocessed",
    "reset",
    "truncated",
    "protocol",
    "reply_too_large",
    "token",
    "other",
    "server_error",
    "rejected",
    "unexpected",
    "undecodable",
];

#[cfg(feature = "http")]
impl FailureClass {
    /// Whether an error of this kind, with this status if there was one, is among it.
    fn holds(self, kind: &str, status: Option<u16>) -> bool {
        match self {
            Self::Status(own) => status == Some(own),
            Self::Hundred(hundred) => status.is_some_and(|status| status / 100 == hundred),
            Self::Kind(own) => own == kind,
            Self::Verdict => false,
        }
    }
}

impl std::str::FromStr for FailureClass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = text.trim().replace('-', "_");
        if word == "verdict" {
            return Ok(Self::Verdict);
        }
        if let Some(kind) = KINDS.into_iter().find(|kind| *kind == word) {
            return Ok(Self::Kind(kind));
        }
        let hundred = word.strip_suffix("xx").and_then(|digit| digit.parse().ok());
        match (hundred, word.parse()) {
            (Some(hundred @ 2..=5), _) => Ok(Self::Hundred(hundred)),
            (None, Ok(status @ 200..=599)) => Ok(Self::Status(status)),
            _ => Err(format!("a status (`429`, `4xx`), `verdict`, or one of {}", KINDS.join(", "))),
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => status.fmt(f),
            Self::Hundred(hundred) => write!(f, "{hundred}xx"),
            Self::Kind(kind) => f.write_str(kind),
            Self::Verdict => f.write_str("verdict"),
        }
    }
}

/// How several classes are written, as a regular expression.
pub(super) fn pattern() -> String {
    let kinds: Vec<String> = KINDS.iter().map(|kind| kind.replace('_', "[_-]")).collect();
    let class = format!("([2-5]xx|[2-5][0-9][0-9]|verdict|{})", kinds.join("|"));
    format!("^ *{class} *(, *{class} *)*$")
}

/// Several classes, written one after the other with commas between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailureClasses(Vec<FailureClass>);

impl FailureClasses {
    /// Just these.
    pub fn new(classes: impl IntoIterator<Item = FailureClass>) -> Self {
        Self(classes.into_iter().collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = FailureClass> + '_ {
        self.0.iter().copied()
    }
}

impl std::str::FromStr for FailureClasses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(str::parse).collect::<Result<Vec<_>, _>>().map(Self)
    }
}

impl fmt::Display for FailureClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, class) in self.0.iter().enumerate() {
            write!(f, "{}{class}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// What counts otherwise than by the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counting {
    /// Counted as failures although they would not be.
    pub record: FailureClasses,
    /// Not counted at all although they would be, or are recorded by the other list.
    pub ignore: FailureClasses,
}

#[cfg(feature = "http")]
impl Counting {
    /// Whether an error of this kind, with this status if there was one, is a failure; `None`: as by the rules.
    pub(crate) fn error(&self, kind: &str, status: Option<u16>) -> Option<bool> {
        if self.ignore.iter().any(|class| class.holds(kind, status)) {
            Some(false)
        } else {
            self.record.iter().any(|class| class.holds(kind, status)).then_some(true)
        }
    }

    /// Whether a reply that the mapping calls a failure counts.
    pub(crate) fn verdict(&self) -> bool {
        !self.ignore.iter().any(|class| class == FailureClass::Verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> FailureClasses {
        text.parse().unwrap()
    }

    #[test]
    fn they_are_read_as_they_are_written() {
        let written = "429, 5xx, timed_out, verdict";
        assert_eq!(classes(written).to_string(), written);
        assert_eq!(classes(" 429,5xx , timed-out,verdict"), classes(written));
    }

    #[test]
    fn what_is_no_class_is_refused() {
        for text in ["", ",", "429,", "42", "600", "0xx", "6xx", "xx", "not_sent", "timeout", "4 2 9", "5XX", "Verdict"]
        {
            assert!(text.parse::<FailureClasses>().is_err(), "{text:?}");
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn to_ignore_goes_before_to_record() {
        let counting = Counting { record: classes("4xx, token"), ignore: classes("404, timed_out, server_error") };
        let counted = |kind, status| counting.error(kind, status);
        assert_eq!(counted("rejected", Some(429)), Some(true));
        assert_eq!(counted("rejected", Some(404)), Some(false));
        assert_eq!(counted("timed_out", None), Some(false));
        assert_eq!(counted("token", None), Some(true));
        assert_eq!(counted("closed", None), None);
        assert!(counting.verdict() && !Counting { ignore: classes("verdict"), ..counting }.verdict());
    }
}
