use serde::Serialize;

use super::VIEW_VERSION;
use crate::plan::SystemPlan;

/// The lines of a team's own below the first line of every generated Rust file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct HeaderView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// The document, as the first line names it.
    pub document: String,
    /// The version of Cofferdam.
    pub version: String,
}

/// The view of the lines below the first one.
#[must_use]
pub fn header(plan: &SystemPlan) -> HeaderView {
    let is_seen = |c: &char| !c.is_control() && !crate::format::is_invisible(*c);
    HeaderView {
        view_version: VIEW_VERSION,
        system: plan.system.clone(),
        document: plan.document.chars().filter(is_seen).collect(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
