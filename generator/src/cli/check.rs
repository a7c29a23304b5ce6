//! `cofferdam check`: would `generate` change anything?

use cofferdam::write::Action;

use super::arguments::CheckArguments;
use super::generate::{Receipts, prepare, tell_conflicts};
use super::{Ended, output};

pub(super) fn run(arguments: &CheckArguments) -> Ended {
    // Who checks does not believe what an earlier run says of itself.
    let prepared = match prepare(&arguments.output, false, Receipts::Ignored) {
        Ok(prepared) => prepared,
        Err(ended) => return ended,
    };
    prepared.unmapped().iter().for_each(|line| output::line(line));
    if tell_conflicts(&prepared.changes) {
        return Ended::Faults;
    }
    let words = [
        (Action::Create, "is missing"),
        (Action::Replace, "is out of date"),
        (Action::Remove, "is no longer generated"),
        (Action::Leave, "is no longer generated, but edited"),
    ];
    for (action, word) in words {
        for path in prepared.changes.with(action) {
            output::line(&format!("{path} {word}"));
        }
    }
    if prepared.changes.is_clean() {
        output::line("up to date");
        return Ended::Well;
    }
    output::say("error: the generated files are not what the documents say; run `cofferdam generate`");
    Ended::Faults
}
