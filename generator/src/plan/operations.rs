//! The chosen operations of a system, each with its kind.

use std::collections::BTreeMap;

use super::nearest::did_you_mean;
use super::retry_eligibility::{self, Eligibility};
use super::wishes::{Declaration, Wishes};
use super::{PlannedOperation, selection};
use crate::diagnose::{Report, Severity};
use crate::model::Api;

/// Chooses operations and decides what may be repeated. `None` when a wish or a declaration is wrong; everything wrong
/// is in the report then.
pub fn choose_operations(api: &Api, wishes: &Wishes, report: &mut Report) -> Option<Vec<PlannedOperation>> {
    let faults_before = report.diagnostics().len();
    let chosen = selection::choose(api, wishes.selection.as_ref(), report);
    let declared = declarations(api, wishes, report);
    let mut planned = Vec::with_capacity(chosen.len());
    for &index in &chosen {
        let Some(operation) = api.operations.get(index) else { continue };
        let decision = retry_eligibility::decide(api, operation, declared.get(&index).copied(), report);
        if let Some(Eligibility { kind, reason, key }) = decision {
            planned.push(PlannedOperation { index, kind, reason, key });
        }
    }
    for (index, declaration) in &declared {
        if !chosen.contains(index) {
            let message = format!("`{}` is declared, but not among the chosen operations", declaration.operation.text);
            let help = "choose the operation too, or take the declaration out";
            report.at(Severity::Warning, "CD-DECLARED-UNUSED", declaration.operation.location.clone(), message, help);
        }
    }
    let wrong = report.diagnostics().iter().skip(faults_before).any(|d| d.severity == Severity::Error);
    (!wrong).then_some(planned)
}

/// The declarations by the operation they are about.
fn declarations<'a>(api: &Api, wishes: &'a Wishes, report: &mut Report) -> BTreeMap<usize, &'a Declaration> {
    let mut declared = BTreeMap::new();
    for declaration in &wishes.declarations {
        let word = &declaration.operation;
        match selection::operation_named(api, &word.text) {
            None => {
                let help = did_you_mean(&word.text, selection::names(api));
                let message = format!("the document has no operation `{}`", word.text);
                report.at(Severity::Error, "CD-DECLARED-UNKNOWN", word.location.clone(), message, help);
            }
            Some(index) => {
                if declared.insert(index, declaration).is_some() {
                    let message = format!("`{}` is declared twice", word.text);
                    report.at(
                        Severity::Error,
                        "CD-DECLARED-TWICE",
                        word.location.clone(),
                        message,
                        "keep one of the two",
                    );
                }
            }
        }
    }
    declared
}
