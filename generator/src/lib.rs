//! Cofferdam: resilient adapters from OpenAPI specs.
//!
//! A run is a pipeline of stages, each a module that can be read on its own:
//!
//! ```text
//! load ▸ overlay ▸ resolve ▸ normalise ▸ lower ▸ analyse ▸ plan ▸ view ▸ render ▸ format ▸ output ▸ write
//! text   a team's  $ref      one         to the  reach,    kinds, flat   askama,   syn +    which    atomic,
//! to     own       external  dialect     model   cycles,   names, view   quote     pretty-  file     only if
//! value  changes   files                         names     policy models           please   where    changed
//! ```
//!
//! A stage takes its input and a [`Report`], gives `Option` of its output, and touches nothing until
//! [`mod@write`]. Everything wrong is collected; a system stops at the end of the stage that found an error. Only the
//! command prints.

pub mod analyse;
mod build_script;
pub mod diagnose;
pub mod format;
pub mod load;
pub mod lower;
pub mod model;
mod normalise;
pub mod output;
pub mod overlay;
pub mod plan;
pub mod project;
pub mod render;
mod resolve;
pub mod stubs;
pub mod view;
pub mod write;

use std::collections::BTreeMap;
use std::path::Path;

pub use build_script::{Build, BuildError, Built};

use crate::diagnose::Report;
use crate::load::Sources;
use crate::lower::LowerOptions;
use crate::output::Layout;
use crate::plan::{Governed, Policy, SystemPlan};
use crate::project::System;
use crate::write::Tree;

/// A system with everything decided about it.
#[derive(Debug, Clone)]
pub struct Planned {
    /// Operations, kinds and names.
    pub plan: SystemPlan,
    /// What protects each operation, in the plan's order.
    pub policies: Vec<Policy>,
}

/// From a document to a plan. `earlier` are type names to keep ([`Lock::names`](write::Lock::names)). `sources` holds
/// every file that was read afterwards, whether it went well or not.
pub fn plan(
    system: &System,
    governed: &Governed,
    earlier: &BTreeMap<String, String>,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<Planned> {
    *sources = Sources::open_root(&system.spec.value, report)?;
    overlay::apply(sources, system.overlays.iter().map(|overlay| overlay.value.as_path()), report)?;
    let api = lower::lower(sources, &LowerOptions::of(system), report)?;
    let operations = plan::choose_operations(&api, system, report)?;
    let chosen: Vec<usize> = operations.iter().map(|operation| operation.index).collect();
    let analysis = analyse::analyse_after(&api, &chosen, earlier, report);
    let plan = SystemPlan::new(system, api, operations, analysis);
    plan::lint(&plan, report);
    plan::lint_settings(&plan, governed, report);
    let policies = plan::policies(&plan, &governed.settings);
    Some(Planned { plan, policies })
}

/// From a plan to files. `folder` is where the system stands below `root`; see [`output::arrange`].
pub fn generate(planned: &Planned, layout: &Layout, root: &Path, folder: &str, report: &mut Report) -> Option<Tree> {
    let rendered = output::render(&planned.plan, layout.has_stubs_among(), report)?;
    output::arrange(&planned.plan, &rendered, layout, root, folder, report)
}
