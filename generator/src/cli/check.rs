//! `cofferdam check`: would `generate` change anything, and is anything else not as it should be?

use cofferdam::diagnose::messages::{self, Explained};
use cofferdam::diagnose::{Located, Severity};
use cofferdam::write::Action;

use super::arguments::CheckArguments;
use super::generate::{Prepared, Receipts, prepare, tell_conflicts};
use super::{Ended, output};

pub(super) fn run(arguments: &CheckArguments) -> Ended {
    // All that are unknown are told.
    if arguments.allow.iter().filter(|code| !is_code(code)).count() > 0 {
        return Ended::Usage;
    }
    // Who checks does not believe what an earlier run says of itself.
    let prepared = match prepare(&arguments.output, false, Receipts::Ignored) {
        Ok(prepared) => prepared,
        Err(ended) => return ended,
    };
    let unmapped = prepared.unmapped();
    output::print(&unmapped);
    let is_allowed = |one: &Located| arguments.allow.iter().any(|code| code.eq_ignore_ascii_case(&one.code));
    let warnings = prepared.found.iter().chain(&unmapped).filter(|one| one.severity == Severity::Warning);
    let warnings = warnings.filter(|one| !is_allowed(one)).count();
    let drifted = tell_conflicts(&prepared.changes) || tell_drift(&prepared);
    if warnings > 0 {
        output::say("warnings fail a check: mend what they are about, or put up with them by `--allow CODE`");
    }
    if drifted || warnings > 0 {
        return Ended::Faults;
    }
    output::news("up to date");
    Ended::Well
}

/// Whether a code is that of a message; if not, that has been told.
fn is_code(code: &str) -> bool {
    match messages::find(code) {
        Ok(Explained::Message(message)) if message.code.eq_ignore_ascii_case(code) => true,
        Ok(Explained::Rule(rule, _)) if rule.code.eq_ignore_ascii_case(code) => true,
        found => {
            let near = match found {
                Ok(Explained::Message(message)) => Some(message.code),
                Ok(Explained::Rule(rule, _)) => Some(rule.code),
                Err(near) => near,
            };
            let help = near
                .map_or("`cofferdam explain --list` prints all codes".to_owned(), |near| format!("`{near}` is meant?"));
            output::fault("CD-COMMAND", None, format!("there is no code `{code}`"), &help);
            false
        }
    }
}

/// Tells every file that is not what it should be, with the difference. Whether there is any.
fn tell_drift(prepared: &Prepared) -> bool {
    let changes = &prepared.changes;
    if changes.is_clean() {
        return false;
    }
    let words = [
        (Action::Create, "this file is missing"),
        (Action::Replace, "this file is out of date"),
        (Action::Remove, "this file is no longer generated"),
        (Action::Leave, "this file is no longer generated, but edited"),
    ];
    let mut any = false;
    for (action, word) in words {
        for path in changes.with(action) {
            any = true;
            output::fault("CD-DRIFT", Some(changes.location(path)), word, "");
            if let Some(diff) = changes.difference(path) {
                output::difference(&diff);
            }
        }
    }
    if !any {
        output::fault("CD-DRIFT", Some(changes.location(cofferdam::write::LOCK_FILE)), "the lock is out of date", "");
    }
    output::say("the generated files are not what the documents say: run `cofferdam generate`");
    true
}
