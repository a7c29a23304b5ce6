use serde::Serialize;

use super::VIEW_VERSION;
use crate::output::{Beside, TrialPlace};
use crate::plan::SystemPlan;
use crate::render::docs::{self, DocComment};

/// The root of a system's generated modules: `mod.rs` in a tree, `lib.rs` in a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ModuleRootView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// Documentation lines, ready for `//!`.
    pub docs: Vec<String>,
    /// `SberAdapter`
    pub adapter: String,
    /// `SberClient`
    pub client: String,
    /// `SberCredentials`
    pub credentials: String,
    /// The modules, in order.
    pub modules: Vec<ModuleView>,
    /// Whether hand-written modules stand among the generated ones.
    pub has_stubs: bool,
    /// Whether contract tests stand among them.
    pub has_contract: bool,
    /// Whether resilience tests stand among them.
    pub has_trials: bool,
    /// Whether the hand-written file that they need is in the folder above.
    pub trial_is_above: bool,
    /// `SberMapping`
    pub mapping: String,
    /// `SberError`
    pub error: String,
    /// `SberPort`
    pub port: String,
}

/// A module of a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ModuleView {
    /// Its name.
    pub name: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// Whether it is hand-written.
    pub is_hand_written: bool,
}

/// The view of the generated root of a system.
#[must_use]
pub fn module_root(plan: &SystemPlan, beside: Beside) -> ModuleRootView {
    let module = |is_hand_written: bool| {
        move |&(name, docs): &(&str, &str)| ModuleView {
            name: name.to_owned(),
            docs: vec![format!(" {docs}")],
            is_hand_written,
        }
    };
    let generated = [
        ("adapter", "The protected methods: the way to call the system."),
        ("client", "The bare client, without protection."),
        ("operations", "One type an operation, with what it takes and answers."),
        ("types", "The transport types. They never leave the adapter."),
    ];
    let hand_written = [
        ("domain", "What the domain knows of the system. Hand-written."),
        ("mapper", "Between the domain and the transport types. Hand-written."),
        ("port", "What the domain asks of the system. Hand-written."),
    ];
    let mut modules: Vec<ModuleView> = generated.iter().map(module(false)).collect();
    if beside.stubs {
        modules.extend(hand_written.iter().map(module(true)));
    }
    let mut comment = DocComment::default();
    comment.own(&format!("The external system {}.", docs::code(&plan.system)));
    comment.own(&docs::sentence(&format!("{} {}", plan.api.title, plan.api.version)));
    let prefix = &plan.type_prefix;
    ModuleRootView {
        view_version: VIEW_VERSION,
        docs: comment.lines(),
        adapter: format!("{prefix}Adapter"),
        client: format!("{prefix}Client"),
        credentials: format!("{prefix}Credentials"),
        modules,
        has_stubs: beside.stubs,
        has_contract: beside.contract,
        has_trials: beside.trial.is_some(),
        trial_is_above: beside.trial == Some(TrialPlace::Above),
        mapping: format!("{prefix}Mapping"),
        error: format!("{prefix}Error"),
        port: format!("{prefix}Port"),
    }
}
