//! `cofferdam rules`: the rules, how each is upheld, and the tests that prove it.

use cofferdam::rules::{self, Rule};

use super::arguments::{RulesArguments, RulesFormat};
use super::{Ended, output};

pub(super) fn run(arguments: &RulesArguments) -> Ended {
    let chosen: Vec<&Rule> = if arguments.code.is_empty() {
        rules::all().collect()
    } else {
        let found: Vec<Option<&Rule>> = arguments.code.iter().map(|code| rules::find(code)).collect();
        let unknown: Vec<&String> =
            arguments.code.iter().zip(&found).filter_map(|(code, rule)| rule.is_none().then_some(code)).collect();
        if !unknown.is_empty() {
            for code in unknown {
                let help = "`cofferdam rules` prints them all";
                output::fault("CD-COMMAND", None, format!("there is no rule `{code}`"), help);
            }
            return Ended::Faults;
        }
        found.into_iter().flatten().collect()
    };
    match arguments.format {
        RulesFormat::Text => output::text(&rules::text(chosen)),
        RulesFormat::Json => output::line(&format!("{:#}", rules::json(chosen))),
    }
    Ended::Well
}
