use serde::Serialize;

use super::VIEW_VERSION;
use crate::plan::SystemPlan;

/// The root of a system's generated modules: `mod.rs` in a tree, `lib.rs` in a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
}

/// A module of a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModuleView {
    /// Its name.
    pub name: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
}

/// The view of the generated root of a system.
#[must_use]
pub fn module_root(plan: &SystemPlan) -> ModuleRootView {
    let module = |name: &str, docs: &str| ModuleView { name: name.to_owned(), docs: vec![format!(" {docs}")] };
    ModuleRootView {
        view_version: VIEW_VERSION,
        docs: vec![format!(" The external system `{}`.", plan.system)],
        adapter: format!("{}Adapter", plan.type_prefix),
        client: format!("{}Client", plan.type_prefix),
        credentials: format!("{}Credentials", plan.type_prefix),
        modules: vec![
            module("adapter", "The protected methods: the way to call the system."),
            module("client", "The bare client, without protection."),
            module("operations", "One type an operation, with what it takes and answers."),
            module("types", "The transport types. They never leave the adapter."),
        ],
    }
}
