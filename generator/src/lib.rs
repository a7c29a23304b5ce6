//! Cofferdam: resilient adapters from OpenAPI specs.
//!
//! A run is a pipeline of stages, each a module that can be read on its own:
//!
//! ```text
//! load ▸ overlay ▸ resolve ▸ normalise ▸ lower ▸ map ▸ analyse ▸ plan ▸ view ▸ render ▸ format ▸ output ▸ write
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
pub mod contract;
pub mod diagnose;
pub mod diff;
pub mod format;
pub mod init;
pub mod load;
pub mod lower;
pub mod mapping;
pub mod model;
mod normalise;
pub mod output;
pub mod overlay;
pub mod plan;
pub mod project;
pub mod receipt;
pub mod render;
mod resolve;
pub mod rules;
pub mod sample;
pub mod spring;
pub mod stubs;
pub mod templates;
pub mod view;
pub mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use build_script::{Build, BuildError, Built};

use crate::contract::Contract;
use crate::diagnose::Report;
use crate::load::Sources;
use crate::lower::LowerOptions;
use crate::model::Api;
use crate::output::Layout;
use crate::plan::{Governed, Policy, SystemPlan};
use crate::project::System;
use crate::render::Renderer;
use crate::sample::OperationSamples;
use crate::templates::TeamTemplates;
use crate::write::Tree;

/// A system with everything decided about it.
#[derive(Debug, Clone)]
pub struct Planned {
    /// Operations, kinds and names.
    pub plan: SystemPlan,
    /// What protects each operation, in the plan's order.
    pub policies: Vec<Policy>,
    /// The examples its contract tests are made of; `None` when none are wanted.
    pub contract: Option<Contract>,
    /// What its resilience tests are made of; `None` when none are wanted.
    pub trials: Option<Trials>,
    /// The files its documents stand in, as messages show them.
    pub files: Vec<String>,
    /// Who makes its files in the place of the built-in templates, or beside them: a team's templates, and whoever
    /// else is put before or behind them.
    pub renderers: Vec<Arc<dyn Renderer>>,
}

/// What resilience tests are made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trials {
    /// Samples of what the operations take and answer, in the plan's order.
    pub samples: Vec<OperationSamples>,
    /// The file of run-time settings that the service has, if it is known.
    pub settings: Option<PathBuf>,
}

impl Planned {
    /// Asks for contract tests: the examples of the documents are gathered. A system without any gets none.
    pub fn with_contract(&mut self, sources: &mut Sources, report: &mut Report) {
        let contract = Contract::of(&self.plan, sources, report);
        self.contract = (!contract.examples.is_empty()).then_some(contract);
    }

    /// Asks for resilience tests, under the settings of this file.
    pub fn with_trials(&mut self, sources: &mut Sources, settings: Option<PathBuf>) {
        self.trials = Some(Trials { samples: sample::of_operations(&self.plan, sources), settings });
    }
}

/// From a document to a plan. `sources` holds every file that was read afterwards, whether it went well or not.
pub fn plan(system: &System, governed: &Governed, sources: &mut Sources, report: &mut Report) -> Option<Planned> {
    plan_after(system, governed, &BTreeMap::new(), sources, report)
}

/// The same, after an earlier run: `earlier` are the names it gave ([`Lock::names`](write::Lock::names)), and where names
/// meet, who had one keeps it.
pub fn plan_after(
    system: &System,
    governed: &Governed,
    earlier: &BTreeMap<String, String>,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<Planned> {
    let api = read(system, sources, report)?;
    let files = sources.files.iter().map(|file| file.display.clone()).collect();
    // Before anything is decided: what is wrong with templates is told whatever is wrong with the document.
    let templates = (!system.templates.is_empty()).then(|| TeamTemplates::load(&system.templates, sources, report));
    let planned = decide(system, api, governed, earlier, report)?;
    let renderers = match templates {
        Some(templates) => vec![Arc::new(templates?) as Arc<dyn Renderer>],
        None => Vec::new(),
    };
    Some(Planned { files, renderers, ..planned })
}

/// From a document to what it means.
fn read(system: &System, sources: &mut Sources, report: &mut Report) -> Option<Api> {
    *sources = Sources::open_root(&system.spec.value, report)?;
    overlay::apply(sources, system.overlays.iter().map(|overlay| overlay.value.as_path()), report)?;
    lower::lower(sources, &LowerOptions::of(system), report)
}

/// From what a document means to a plan.
fn decide(
    system: &System,
    mut api: Api,
    governed: &Governed,
    earlier: &BTreeMap<String, String>,
    report: &mut Report,
) -> Option<Planned> {
    let mapped = mapping::apply(&mut api, &system.types, report);
    let operations = plan::choose_operations(&api, system, report)?;
    let chosen: Vec<usize> = operations.iter().map(|operation| operation.index).collect();
    let given = plan::given_names(&api, system, earlier, report)?;
    let analysis = analyse::analyse_after(&api, &chosen, &given, report);
    let mut plan = SystemPlan::new(system, api, operations, analysis);
    plan.features = mapping::features(&plan, &system.types, &mapped, report);
    plan.extras = mapping::extras(&plan, &system.types.extras, report);
    if let Some(own) = &system.own_crate {
        plan.gates = own.tag_features.then(|| plan::Gates::of(&plan));
        plan.dependencies.clone_from(&own.dependencies);
    }
    plan::lint(&plan, report);
    plan::lint_settings(&plan, governed, report);
    let policies = plan::policies(&plan, &governed.settings);
    Some(Planned { plan, policies, contract: None, trials: None, files: Vec::new(), renderers: Vec::new() })
}

/// From a plan to files. `folder` is where the system stands below `root`; see [`output::arrange`].
pub fn generate(planned: &Planned, layout: &Layout, root: &Path, folder: &str, report: &mut Report) -> Option<Tree> {
    let trials = output::Resilience::of(planned, layout, root, folder, report)?;
    let beside = layout.beside(planned.contract.is_some(), trials.is_some());
    let rendered = output::render(planned, beside, report)?;
    let tests = output::Tests { contract: planned.contract.as_ref(), trials: trials.as_ref() };
    output::arrange(planned, rendered, tests, layout, root, folder, report)
}
