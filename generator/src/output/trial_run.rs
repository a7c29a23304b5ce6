//! Every template of a system rendered, whatever is there already: for looking at templates, not for writing.

use super::text::{header, text};
use super::{Beside, TrialPlace, arrange::items, extra};
use crate::Planned;
use crate::contract::Contract;
use crate::diagnose::{Position, Report, Severity};
use crate::load::Sources;
use crate::render::View;
use crate::sample;
use crate::stubs::{self, Existing, GeneratedAt, Placement};
use crate::templates::TeamTemplates;
use crate::view::{self, RuntimeSource};
use crate::write::Tree;

/// Renders every template of a system from its plan. Faults go to the report, those included that only show where a
/// document has what this one has not: fields that no view has.
pub fn try_all(planned: &Planned, templates: Option<&TeamTemplates>, sources: &mut Sources, report: &mut Report) {
    let plan = &planned.plan;
    let one = |view: View<'_>, report: &mut Report| {
        templates.into_iter().for_each(|templates| fields(templates, &view, report));
        text(planned, view, report);
    };
    for has_method_after in [false, true] {
        let mut adapter = view::adapter(plan);
        adapter.has_method_after = has_method_after;
        one((&adapter).into(), report);
    }
    let beside = Beside { stubs: true, contract: true, trial: Some(TrialPlace::Above) };
    for beside in [Beside::default(), beside] {
        one((&view::module_root(plan, beside)).into(), report);
    }
    let contract = Contract::of(plan, sources, &mut Report::default());
    one((&view::contract(plan, &contract, "super")).into(), report);
    let samples = sample::of_operations(plan, sources);
    one((&view::resilience(plan, &samples, |_| true, "super", false)).into(), report);
    one((&view::trial(plan, "super", None)).into(), report);
    one((&view::manifest(plan, &RuntimeSource::Version, true)).into(), report);
    for included in [None, Some("included.rs")] {
        one((&view::stub_root(plan, included)).into(), report);
    }
    if let Some(items) = items(plan, report) {
        let made = stubs::stubs(plan, &items, GeneratedAt::Beside);
        one((&made.domain).into(), report);
        one((&made.mapper).into(), report);
        one((&made.port).into(), report);
        for placement in [Placement::Paste, Placement::OwnFile] {
            one((&stubs::missing(plan, &items, &Existing::default(), placement)).into(), report);
        }
    }
    if let Some(header) = header(planned, report) {
        extra(planned, &mut Tree::default(), "", &header, report);
    }
}

/// Fields that the view of an overridden template does not have.
fn fields(templates: &TeamTemplates, view: &View<'_>, report: &mut Report) {
    let template = view.template();
    let Some(file) = templates.layered().file(template) else { return };
    for (field, near) in templates.unknown_fields(view) {
        let at = file.text.find(&format!("view.{field}")).unwrap_or_default();
        let position = Position::of_offset(&file.text, at);
        let help = match near {
            Some(near) => format!("`{near}` is meant?"),
            None => format!("`cofferdam templates context {template}` prints what it sees"),
        };
        let at = file.place(position.line, position.col);
        report.at(Severity::Error, "CD-TEMPLATE-FIELD", at, format!("`view` has no `{field}`"), help);
    }
}
