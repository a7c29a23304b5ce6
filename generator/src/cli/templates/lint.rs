//! `cofferdam templates lint`

use std::collections::{BTreeSet, HashSet};

use cofferdam::Planned;
use cofferdam::diagnose::{Located, Report, Severity};
use cofferdam::load::Sources;
use cofferdam::output::{extra_of_project, try_all};
use cofferdam::templates::{Layered, POINTS, TeamTemplates, built_in, project_files};
use cofferdam::write::Tree;

use super::PlaceArguments;
use crate::cli::inputs::Inputs;
use crate::cli::{Ended, output};

pub(super) fn run(arguments: &PlaceArguments) -> Result<Ended, Ended> {
    let only: Vec<String> = arguments.system.iter().cloned().collect();
    let inputs = Inputs::project(&arguments.project, &only)?;
    let mut runs = inputs.plan();
    let (mut used, mut layers) = (BTreeSet::new(), Vec::new());
    used.extend(inputs.templates.extras.iter().map(|extra| extra.template.value.clone()));
    for run in &mut runs {
        used.extend(run.system.templates.extras.iter().map(|extra| extra.template.value.clone()));
        let Some(planned) = &run.planned else { continue };
        let templates = TeamTemplates::load(&run.system.templates, &mut Sources::default(), &mut Report::default());
        try_all(planned, templates.as_ref(), &mut run.sources, &mut run.report);
        layers.extend(templates.map(|templates| templates.layered().clone()));
    }
    let mut found = inputs.diagnostics(&runs);
    let planned: Vec<&Planned> = runs.iter().filter_map(|run| run.planned.as_ref()).collect();
    if planned.len() == runs.len() && inputs.all {
        let (mut sources, mut report) = (Sources::default(), Report::default());
        let files = project_files(&inputs.templates, &planned, &mut sources, &mut report);
        extra_of_project(files, &mut Tree::default(), "", &mut report);
        found.extend(report.located(&sources));
    }
    let mut report = Report::default();
    layers.iter().for_each(|layered| remarks(layered, &used, &mut report));
    found.extend(report.located(&Sources::default()));
    // What documents have to say is the business of other commands.
    let mut seen: HashSet<Located> = HashSet::new();
    found.retain(|one| one.severity == Severity::Error || one.code.starts_with("CD-TEMPLATE-"));
    found.retain(|one| seen.insert(one.clone()));
    if output::tell(&found) {
        return Err(Ended::Faults);
    }
    let names: BTreeSet<&str> = layers.iter().flat_map(Layered::files).map(|(name, _)| name).collect();
    let templates = if names.len() == 1 { "template" } else { "templates" };
    let systems = if runs.len() == 1 { "system" } else { "systems" };
    output::line(&format!("{} {templates} of your own, rendered for {} {systems}", names.len(), runs.len()));
    Ok(Ended::Well)
}

/// What is no fault, and worth knowing.
fn remarks(layered: &Layered, used: &BTreeSet<String>, report: &mut Report) {
    let used: Vec<&str> = used.iter().map(String::as_str).collect();
    for name in layered.unused(&used) {
        let help = "name it in `[extra-templates.NAME]`, include it, or remove it";
        report.at(Severity::Warning, "CD-TEMPLATE-UNUSED", layered.location(name), "nothing uses this template", help);
    }
    for (name, file) in layered.files() {
        if built_in(name).is_some() && !name.starts_with(POINTS) && file.stamp.is_none() {
            let help = "`cofferdam templates eject` writes it: put that line of a fresh copy in front";
            let message = "no first line says what this was made from: changes of the built-in one are not told";
            report.at(Severity::Note, "CD-TEMPLATE-STAMP", layered.location(name), message, help);
        }
    }
}
