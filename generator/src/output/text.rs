//! From a view to a text: by whoever makes it, and held to be Rust where it is to be.

use super::arrange::internal;
use crate::Planned;
use crate::diagnose::{Location, Report, Severity};
use crate::format;
use crate::render::{Rendering, View};

/// The text of a view. Faults go to the report.
pub(crate) fn text<'v>(planned: &Planned, view: impl Into<View<'v>>, report: &mut Report) -> Option<String> {
    let view = view.into();
    let template = view.template();
    for renderer in &planned.renderers {
        let text = match renderer.render(view, planned, report) {
            Rendering::Text(text) => text,
            Rendering::Left => continue,
            Rendering::Failed => return None,
        };
        if template.ends_with(".rs.jinja") {
            let what = format!("what {template} gives for `{}`", planned.plan.system);
            is_rust(&text, &what, renderer.source(template), report)?;
        }
        return Some(text);
    }
    let built_in = view.built_in();
    built_in
        .map_err(|error| report.push(internal(format!("the template {template} could not be filled: {error}"))))
        .ok()
}

/// Whether a text is Rust; what is not goes to the report, at where it comes from.
pub(super) fn is_rust(text: &str, what: &str, source: Location, report: &mut Report) -> Option<()> {
    let Some(fault) = format::rust_fault(text) else { return Some(()) };
    let begins = text.lines().nth(fault.line.saturating_sub(1)).unwrap_or_default().trim();
    let begins: String = begins.chars().take(80).collect();
    let message = format!("{what} is no Rust: {}, in what begins with line {}: {begins}", fault.cause, fault.line);
    report.at(Severity::Error, "CD-TEMPLATE-RUST", source, message, "repair the template: nothing was written");
    None
}

/// The lines of a team's own below the first one of each generated Rust file: all of them comments.
pub(crate) fn header(planned: &Planned, report: &mut Report) -> Option<String> {
    if planned.renderers.is_empty() {
        return Some(String::new());
    }
    let view = crate::view::header(&planned.plan);
    let text = text(planned, &view, report)?;
    let text = text.trim();
    if text.is_empty() {
        return Some(String::new());
    }
    let is_comment = |line: &str| line.starts_with("//") && !line.starts_with("//!") && !line.starts_with("///");
    if let Some(line) = text.lines().find(|line| !is_comment(line)) {
        let view = View::from(&view);
        let source =
            planned.renderers.iter().find(|one| one.fills(view.template())).map(|one| one.source(view.template()));
        let message = format!("this is no line of a comment: {line}");
        let help = "begin each line with `//`: the header stands before what documents the file";
        report.at(Severity::Error, "CD-TEMPLATE-RUST", source.unwrap_or_default(), message, help);
        return None;
    }
    Some(format!("{text}\n"))
}
