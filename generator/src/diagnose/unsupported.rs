//! What a document asks for, OpenAPI defines, and Cofferdam does not do: which remarks say so, and making errors of
//! them for those who want none of it (`deny-unsupported`).

use std::collections::BTreeSet;

use super::{Located, Severity, nearest};

/// The codes of remarks by which something of the document is not honoured. What has no effect by OpenAPI's own rules,
/// and what is honoured in another way than its author may expect, is not among them.
const CODES: [&str; 29] = [
    "CD-ALLOW-EMPTY",
    "CD-BINARY-SCHEMA",
    "CD-BODY-RAW",
    "CD-CALLBACK",
    "CD-CONSTRAINT",
    "CD-CONTENT",
    "CD-DIALECT",
    "CD-ENUM-FLOAT",
    "CD-ENUM-MIXED",
    "CD-HEADER-CONTENT",
    "CD-LINKS",
    "CD-PARAMETER-CONTENT",
    "CD-PART-HEADERS",
    "CD-PATTERN-PROPERTIES",
    "CD-PREFIX-ITEMS",
    "CD-QUERYSTRING",
    "CD-REF-DYNAMIC",
    "CD-REQUIRED-BESIDE",
    "CD-SCHEMA-FALSE",
    "CD-SECURITY-UNSUPPORTED",
    "CD-STREAM-OTHER",
    "CD-TEXT-SCHEMA",
    "CD-TUPLE",
    "CD-UNION-LOOSE",
    "CD-UNION-RESTRICTS",
    "CD-UNION-SEVERAL",
    "CD-UNSUPPORTED",
    "CD-WEBHOOK",
    "CD-XML",
];

/// Whether a remark of this code says that something of the document is not honoured.
#[must_use]
pub fn is_unsupported(code: &str) -> bool {
    CODES.contains(&code)
}

/// What to do about what is not honoured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unsupported {
    /// Remarks about it are errors.
    pub deny: bool,
    /// The codes that are put up with all the same.
    pub allow: BTreeSet<String>,
}

impl Unsupported {
    /// What is wrong with a code that is to be put up with, and what to do about it; `None` when it is one.
    #[must_use]
    pub fn check(code: &str) -> Option<(String, String)> {
        if is_unsupported(code) {
            return None;
        }
        let help = match nearest(code, CODES) {
            Some(nearest) => format!("`{nearest}` is meant?"),
            None => format!("the codes are {}", CODES.join(", ")),
        };
        Some((format!("{code:?} is no code of what is not honoured"), help))
    }

    /// Makes errors of the remarks about what is not honoured, where that is asked for.
    pub fn apply(&self, found: &mut [Located]) {
        if !self.deny {
            return;
        }
        let denied = found.iter_mut().filter(|one| is_unsupported(&one.code) && !self.allow.contains(&*one.code));
        for one in denied.filter(|one| one.severity < Severity::Error) {
            one.severity = Severity::Error;
            let way_out = format!("what is not honoured is denied; to put up with it, allow `{}`", one.code);
            one.help = Some(one.help.take().map_or(way_out.clone(), |help| format!("{help}\n{way_out}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(severity: Severity, code: &'static str) -> Located {
        Located { severity, code: code.into(), message: String::new(), location: None, help: Some("first".to_owned()) }
    }

    fn severities(unsupported: &Unsupported) -> Vec<Severity> {
        let mut all = vec![
            found(Severity::Note, "CD-XML"),
            found(Severity::Warning, "CD-QUERYSTRING"),
            found(Severity::Note, "CD-NAME-CHANGED"),
        ];
        unsupported.apply(&mut all);
        all.iter().map(|one| one.severity).collect()
    }

    #[test]
    fn only_what_is_not_honoured_and_not_allowed_becomes_an_error() {
        let mut unsupported = Unsupported::default();
        assert_eq!(severities(&unsupported), [Severity::Note, Severity::Warning, Severity::Note]);
        unsupported.deny = true;
        assert_eq!(severities(&unsupported), [Severity::Error, Severity::Error, Severity::Note]);
        unsupported.allow.insert("CD-QUERYSTRING".to_owned());
        assert_eq!(severities(&unsupported), [Severity::Error, Severity::Warning, Severity::Note]);
    }

    #[test]
    fn the_way_out_is_told_after_the_help() {
        let mut all = [found(Severity::Note, "CD-XML")];
        Unsupported { deny: true, ..Unsupported::default() }.apply(&mut all);
        let help = all[0].help.as_deref().unwrap();
        assert_eq!(help, "first\nwhat is not honoured is denied; to put up with it, allow `CD-XML`");
    }

    #[test]
    fn a_code_of_something_else_cannot_be_allowed() {
        assert_eq!(Unsupported::check("CD-XML"), None);
        let (message, help) = Unsupported::check("CD-XLM").unwrap();
        assert_eq!(message, "\"CD-XLM\" is no code of what is not honoured");
        assert_eq!(help, "`CD-XML` is meant?");
        assert!(Unsupported::check("CD-REF-MISSING").unwrap().1.starts_with("the codes are CD-ALLOW-EMPTY, "));
    }

    #[test]
    fn every_code_is_told_somewhere() {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut told = String::new();
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name().is_some_and(|name| name != "unsupported.rs") {
                    told.push_str(&std::fs::read_to_string(path).unwrap());
                }
            }
        }
        for code in CODES {
            assert!(told.contains(&format!("\"{code}\"")), "{code}");
        }
    }
}
