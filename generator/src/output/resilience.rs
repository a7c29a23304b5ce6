//! The resilience tests of a system: what they are made of, and whether there can be any.

use std::path::Path;

use super::arrange::{crate_name, internal, join};
use super::{Layout, relative};
use crate::contract::Contract;
use crate::diagnose::Report;
use crate::model::Origin;
use crate::stubs::Existing;
use crate::view::{self, ResilienceView, TrialView};
use crate::{Planned, Trials};

/// The tests of a system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tests<'a> {
    /// The contract tests, when they are asked for and there are any.
    pub contract: Option<&'a Contract>,
    /// The resilience tests, likewise.
    pub trials: Option<&'a Resilience>,
}

/// Resilience tests, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resilience {
    /// The tests.
    pub view: ResilienceView,
    /// The hand-written file that says what they run with, as it is created.
    pub trial: TrialView,
}

impl Resilience {
    /// The resilience tests of a system. The outer `None` is a fault that has been told; the inner one: none are asked
    /// for, or there is no mapping to try, which is told.
    pub(crate) fn of(
        planned: &Planned,
        layout: &Layout,
        root: &Path,
        folder: &str,
        report: &mut Report,
    ) -> Option<Option<Self>> {
        let (Some(Trials { samples, settings }), plan) = (&planned.trials, &planned.plan) else { return Some(None) };
        let (tests_in, mapper_in, module, own_crate) = match layout {
            Layout::Project => (folder.to_owned(), folder.to_owned(), "super", false),
            Layout::Module { with_stubs: true } => (folder.to_owned(), folder.to_owned(), "super", false),
            Layout::Crate { with_stubs: true, .. } => (join(folder, "tests/trial"), join(folder, "src"), "", true),
            Layout::Module { .. } | Layout::Crate { .. } => {
                let message = "no resilience tests: there is no mapper whose adapter could be tried";
                report.note(
                    "CD-RESILIENCE",
                    Origin::default(),
                    message,
                    "write the hand-written half with `--with-stubs`",
                );
                return Some(None);
            }
        };
        let is_mapped = mapped(&root.join(&mapper_in), report)?;
        let crate_name = crate_name(plan);
        let module = if own_crate { crate_name.as_str() } else { module };
        let view = view::resilience(plan, samples, is_mapped, module, own_crate);
        if view.cases.is_empty() {
            let message = "no resilience tests: no operation can be called with a sample";
            report.note("CD-RESILIENCE", Origin::default(), message, "");
            return Some(None);
        }
        let settings = settings.as_ref().map(|settings| relative(&root.join(&tests_in), settings));
        let hand_written = match layout {
            Layout::Project => "super::super",
            _ if own_crate => crate_name.as_str(),
            _ => "super",
        };
        Some(Some(Self { view, trial: view::trial(plan, hand_written, settings.as_deref()) }))
    }
}

/// Which operations the mapper in this folder maps: all of them where it is still to be created.
fn mapped(folder: &Path, report: &mut Report) -> Option<impl Fn(&str) -> bool + use<>> {
    let is_there = folder.join("mapper.rs").exists() || folder.join("mapper").exists();
    let existing =
        if is_there { Existing::read(folder, |path| path.ends_with("generated")) } else { Ok(Existing::default()) };
    match existing {
        Ok(existing) => Some(move |marker: &str| !is_there || existing.mapped.contains(marker)),
        Err(error) => {
            report.push(internal(format!("the mapper in {} cannot be read: {error}", folder.display())));
            None
        }
    }
}
