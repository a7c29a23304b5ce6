use std::collections::HashSet;
use std::fmt::Write as _;

use indexmap::IndexMap;

use crate::diagnose::{Diagnostic, Report, Severity};
use crate::model::Origin;

/// How many places a counted remark names.
const NAMED_PLACES: usize = 3;

/// Faults and remarks of one lowering: the same fault at the same place is told once, and remarks of one kind that a
/// document repeats by the thousand are counted and told together (see [`Findings::count`]).
pub(crate) struct Findings<'r> {
    report: &'r mut Report,
    told: HashSet<(&'static str, Origin, String)>,
    counted: IndexMap<(&'static str, String), Counted>,
}

struct Counted {
    severity: Severity,
    places: HashSet<Origin>,
    first: Origin,
    named: Vec<String>,
    help: &'static str,
}

impl<'r> Findings<'r> {
    pub(crate) fn new(report: &'r mut Report) -> Self {
        Self { report, told: HashSet::new(), counted: IndexMap::new() }
    }

    /// What the parser of other files writes to.
    pub(crate) fn report(&mut self) -> &mut Report {
        self.report
    }

    pub(crate) fn error(
        &mut self,
        code: &'static str,
        at: &Origin,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.tell(Severity::Error, code, at, message.into(), help.into());
    }

    pub(crate) fn warning(
        &mut self,
        code: &'static str,
        at: &Origin,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.tell(Severity::Warning, code, at, message.into(), help.into());
    }

    pub(crate) fn note(
        &mut self,
        code: &'static str,
        at: &Origin,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.tell(Severity::Note, code, at, message.into(), help.into());
    }

    fn tell(&mut self, severity: Severity, code: &'static str, at: &Origin, message: String, help: String) {
        if self.told.insert((code, at.clone(), message.clone())) {
            let help = (!help.is_empty()).then_some(help);
            self.report.push(Diagnostic { severity, code, message, origin: Some(at.clone()), location: None, help });
        }
    }

    /// Counts a remark. Remarks with the same code and message become one, told by [`Findings::finish`] at the first
    /// place, with the number of places and the next few pointers.
    pub(crate) fn count(&mut self, code: &'static str, at: &Origin, message: impl Into<String>, help: &'static str) {
        self.count_as(Severity::Note, code, at, message.into(), help);
    }

    /// As [`Findings::count`], for what is probably not meant.
    pub(crate) fn count_warning(
        &mut self,
        code: &'static str,
        at: &Origin,
        message: impl Into<String>,
        help: &'static str,
    ) {
        self.count_as(Severity::Warning, code, at, message.into(), help);
    }

    fn count_as(&mut self, severity: Severity, code: &'static str, at: &Origin, message: String, help: &'static str) {
        let counted = self.counted.entry((code, message)).or_insert_with(|| Counted {
            severity,
            places: HashSet::new(),
            first: at.clone(),
            named: Vec::new(),
            help,
        });
        if counted.places.insert(at.clone()) && counted.named.len() < NAMED_PLACES {
            counted.named.push(at.pointer.clone());
        }
    }

    /// Tells what was counted.
    pub(crate) fn finish(self) {
        for ((code, mut message), counted) in self.counted {
            let places = counted.places.len();
            if places > 1 {
                // Writing to a String cannot fail.
                let _ = write!(message, " ({places} places: {}", counted.named.join(", "));
                message.push_str(if places > counted.named.len() { ", …)" } else { ")" });
            }
            let help = (!counted.help.is_empty()).then(|| counted.help.to_owned());
            let origin = Some(counted.first);
            self.report.push(Diagnostic { severity: counted.severity, code, message, origin, location: None, help });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pointer: &str) -> Origin {
        Origin { file: 0, pointer: pointer.to_owned() }
    }

    #[test]
    fn the_same_fault_at_the_same_place_is_told_once() {
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        findings.error("CD-X", &at("/a"), "wrong", "");
        findings.error("CD-X", &at("/a"), "wrong", "");
        findings.error("CD-X", &at("/b"), "wrong", "");
        findings.finish();
        assert_eq!(report.diagnostics().len(), 2);
    }

    #[test]
    fn counted_remarks_become_one_with_the_first_pointers() {
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        for place in ["/a", "/b", "/b", "/c", "/d"] {
            findings.count("CD-X", &at(place), "`pattern` is not enforced", "");
        }
        findings.finish();
        let [only] = report.diagnostics() else { panic!("{report:?}") };
        assert_eq!(only.message, "`pattern` is not enforced (4 places: /a, /b, /c, …)");
        assert_eq!(only.origin, Some(at("/a")));
    }
}
