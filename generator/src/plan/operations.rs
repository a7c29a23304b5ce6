//! The chosen operations of a system, each with its kind.

use std::collections::BTreeMap;

use super::retry_eligibility::{self, Eligibility};
use super::selection::did_you_mean;
use super::{PlannedOperation, pages, selection};
use crate::diagnose::{Report, Severity};
use crate::model::Api;
use crate::project::{OperationDeclaration, System};

/// Chooses operations and decides what may be repeated. `None` when a wish or a declaration is wrong; everything wrong
/// is in the report then.
pub fn choose_operations(api: &Api, system: &System, report: &mut Report) -> Option<Vec<PlannedOperation>> {
    let faults_before = report.diagnostics().len();
    let chosen = selection::choose(api, &system.select, report);
    let declared = declarations(api, system, report);
    let mut planned = Vec::with_capacity(chosen.len());
    for &index in &chosen {
        let Some(operation) = api.operations.get(index) else { continue };
        let declared = declared.get(&index).copied();
        let decision = retry_eligibility::decide(api, operation, declared, report);
        if let Some(Eligibility { kind, reason, key }) = decision {
            let pages = declared.and_then(|declared| declared.pages.as_ref());
            // A fault in it is in the report, and there is no plan then.
            let pages = pages.and_then(|pages| pages::decide(api, operation, kind, pages, report));
            planned.push(PlannedOperation { index, kind, reason, key, pages });
        }
    }
    for (index, declaration) in &declared {
        if !chosen.contains(index) {
            let message = format!("`{}` is declared, but not among the chosen operations", declaration.id);
            let help = "choose the operation too, or take the declaration out";
            report.at(Severity::Warning, "CD-DECLARED-UNUSED", declaration.at.clone(), message, help);
        }
    }
    let wrong = report.diagnostics().iter().skip(faults_before).any(|d| d.severity == Severity::Error);
    (!wrong).then_some(planned)
}

/// The declarations by the operation they are about.
fn declarations<'a>(api: &Api, system: &'a System, report: &mut Report) -> BTreeMap<usize, &'a OperationDeclaration> {
    let mut declared = BTreeMap::new();
    for declaration in &system.operations {
        match selection::operation_named(api, &declaration.id) {
            None => {
                let help = did_you_mean(&declaration.id, &selection::names(api));
                let message = format!("the document has no operation `{}`", declaration.id);
                report.at(Severity::Error, "CD-DECLARED-UNKNOWN", declaration.at.clone(), message, help);
            }
            Some(index) => {
                if declared.insert(index, declaration).is_some() {
                    let message = format!("`{}` is declared twice", declaration.id);
                    report.at(
                        Severity::Error,
                        "CD-DECLARED-TWICE",
                        declaration.at.clone(),
                        message,
                        "keep one of the two",
                    );
                }
            }
        }
    }
    declared
}
