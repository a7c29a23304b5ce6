//! The texts of a system's generated modules.

use std::collections::BTreeMap;

use super::text::{header, text};
use crate::Planned;
use crate::contract::Contract;
use crate::diagnose::{Diagnostic, Report, Severity};
use crate::plan::SystemPlan;
use crate::render;
use crate::view::ResilienceView;
use crate::{format, view};

/// A system's generated code as text. The same texts become a tree of files, a crate, or one file for a build script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The root module: it declares the others.
    pub root: String,
    /// All other modules, in the order of the root.
    pub modules: Vec<RenderedModule>,
    /// A team's own lines below the first one of each file; the texts do not hold them.
    pub header: String,
}

/// One generated module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedModule {
    /// Where it is below the root: `["types", "a"]`.
    pub path: Vec<String>,
    /// Its file below the root: `types/a.rs`.
    pub file: String,
    /// Its text, header included.
    pub text: String,
    /// What made it.
    pub template: String,
}

/// What stands beside the generated modules, for their root to declare.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// Hand-written modules.
    pub stubs: bool,
    /// Contract tests.
    pub contract: bool,
    /// Resilience tests, and where the hand-written file is that they need.
    pub trial: Option<TrialPlace>,
}

/// Where the hand-written half of resilience tests is, seen from the root of the generated modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialPlace {
    /// Beside it.
    Beside,
    /// In the folder above.
    Above,
}

/// Renders all generated modules of a system. Faults go to the report.
pub fn render(planned: &Planned, beside: Beside, report: &mut Report) -> Option<Rendered> {
    let plan = &planned.plan;
    let modules = render::modules(plan, report);
    if report.has_errors() {
        return None;
    }
    let texts = format::print_all(plan, &modules, report)?;
    let mut adapter = view::adapter(plan);
    adapter.has_method_after = planned.renderers.iter().any(|one| one.fills("points/method-after.rs.jinja"));
    // Everything wrong is told, whichever template it is in.
    let adapter = text(planned, &adapter, report).map(|text| format::as_it_is(&plan.document, &text));
    let root = text(planned, &view::module_root(plan, beside), report);
    let root = root.and_then(|text| print(plan, "generated/mod.rs.jinja", &text, report));
    let header = header(planned, report);
    let (adapter, root, header) = (adapter?, root?, header?);
    let mut rendered = vec![RenderedModule {
        path: vec!["adapter".to_owned()],
        file: "adapter.rs".to_owned(),
        text: adapter,
        template: "generated/adapter.rs.jinja".to_owned(),
    }];
    rendered.extend(modules.iter().zip(texts).map(|(module, text)| RenderedModule {
        path: module.path.clone(),
        file: module.file(),
        text,
        template: module.path.first().cloned().unwrap_or_default(),
    }));
    Some(Rendered { root, modules: rendered, header })
}

/// The text of a system's contract tests. `root` is the path of its root module.
pub(super) fn contract(planned: &Planned, contract: &Contract, root: &str, report: &mut Report) -> Option<String> {
    let text = text(planned, &view::contract(&planned.plan, contract, root), report)?;
    print(&planned.plan, "crate/contract.rs.jinja", &text, report)
}

/// The text of a system's resilience tests.
pub(super) fn resilience(planned: &Planned, view: &ResilienceView, report: &mut Report) -> Option<String> {
    let text = text(planned, view, report)?;
    print(&planned.plan, "crate/resilience.rs.jinja", &text, report)
}

/// The text of a template as a generated file.
fn print(plan: &SystemPlan, template: &str, text: &str, report: &mut Report) -> Option<String> {
    match format::print_text(&plan.document, text) {
        Ok(text) => Some(text),
        Err(cause) => {
            report.push(Diagnostic {
                severity: Severity::Error,
                code: "CD-INTERNAL",
                message: format!("the template {template} did not come out as Rust for `{}`: {cause}", plan.system),
                origin: None,
                location: None,
                help: Some("this is a fault of cofferdam: please report it with the document".to_owned()),
            });
            None
        }
    }
}

/// A generated file with a team's own lines below its first one.
pub(super) fn with_header(text: &str, header: &str) -> String {
    match text.split_once('\n') {
        Some((first, rest)) if !header.is_empty() => format!("{first}\n{header}{rest}"),
        _ => text.to_owned(),
    }
}

impl Rendered {
    /// All of it in one text, with modules inside, for `include!`: that takes no documentation of the file as a whole, so
    /// that of the root becomes plain comments.
    #[must_use]
    pub fn inline(&self) -> String {
        let plain = |line: &str| match line.strip_prefix("//!") {
            Some(rest) => format!("//{rest}\n"),
            None => format!("{line}\n"),
        };
        let root = with_header(&self.root, &self.header);
        let root: String = root.lines().map(plain).collect();
        let modules: BTreeMap<Vec<String>, String> =
            self.modules.iter().map(|module| (module.path.clone(), module.text.clone())).collect();
        format::inline(&root, &modules)
    }
}
