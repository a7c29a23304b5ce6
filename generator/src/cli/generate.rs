//! `cofferdam generate`

use std::collections::BTreeMap;

use cofferdam::diagnose::Severity;
use cofferdam::output::relative;
use cofferdam::plan::{OperationKind, SystemPlan};
use cofferdam::project::OwnCrate;
use cofferdam::stubs::{Existing, unmapped};
use cofferdam::write::{Action, Changes, ConflictCause, Scope, Tree, changes};

use super::arguments::{GenerateArguments, OutputArguments};
use super::inputs::{Inputs, SystemRun, layout};
use super::{Ended, output};

pub(super) fn run(arguments: &GenerateArguments) -> Ended {
    let prepared = match prepare(&arguments.output, arguments.force) {
        Ok(prepared) => prepared,
        Err(ended) => return ended,
    };
    if tell_conflicts(&prepared.changes) {
        return Ended::Faults;
    }
    // Read before anything is created: what is created now maps everything.
    let waiting = prepared.unmapped();
    if let Err(error) = prepared.changes.apply() {
        output::say(&format!("error: {error}"));
        return Ended::Faults;
    }
    for run in &prepared.runs {
        if let Some(planned) = &run.planned {
            output::line(&summary(&planned.plan));
        }
    }
    tell_changes(&prepared.changes);
    hints(&arguments.output, &prepared).iter().for_each(|line| output::line(line));
    waiting.iter().for_each(|line| output::line(line));
    Ended::Well
}

/// A run with everything done but the writing.
pub(super) struct Prepared {
    /// The systems.
    pub(super) runs: Vec<SystemRun>,
    /// What would be written.
    pub(super) changes: Changes,
}

/// Plans, renders and compares. Nothing is written; faults have been told when it fails.
pub(super) fn prepare(arguments: &OutputArguments, force: bool) -> Result<Prepared, Ended> {
    if arguments.source.spec.is_some() && arguments.out.is_none() {
        output::say("error: with `--spec` say where to write: `--out DIR`");
        return Err(Ended::Usage);
    }
    let mut inputs = Inputs::read(&arguments.source, arguments.out.as_deref())?;
    if arguments.tag_features {
        let own = || OwnCrate { tag_features: true, ..OwnCrate::default() };
        inputs.systems.iter_mut().for_each(|system| system.own_crate = Some(own()));
    }
    let mut runs = inputs.plan();
    let mut tree = Tree::default();
    for run in &mut runs {
        let Some(planned) = &mut run.planned else { continue };
        if arguments.with_tests {
            planned.with_contract(&mut run.sources, &mut run.report);
        }
        let layout = layout(arguments, &run.system);
        let folder = relative(&inputs.root, &run.system.out);
        if let Some(files) = cofferdam::generate(planned, &layout, &inputs.root, &folder, &mut run.report) {
            tree.merge(files);
        }
    }
    let found = inputs.diagnostics(&runs);
    if output::tell(&found) {
        output::say("nothing was written");
        return Err(Ended::Faults);
    }
    debug_assert!(found.iter().all(|one| one.severity < Severity::Error));
    let names: Vec<String> = inputs.systems.iter().map(|system| system.name.clone()).collect();
    let scope = if inputs.all { Scope::All } else { Scope::Systems(&names) };
    let compared = changes(&inputs.root, &tree, inputs.lock, type_names(&runs), scope, force);
    match compared {
        Ok(changes) => Ok(Prepared { runs, changes }),
        Err(error) => {
            output::say(&format!("error: {error}"));
            Err(Ended::Faults)
        }
    }
}

/// The type of each schema by its place, for the lock.
fn type_names(runs: &[SystemRun]) -> BTreeMap<String, BTreeMap<String, String>> {
    let of = |run: &SystemRun| {
        let plan = &run.planned.as_ref()?.plan;
        let file = |index: usize| run.sources.files.get(index).map_or("", |file| file.display.as_str());
        Some((plan.system.clone(), plan.type_names(file)))
    };
    runs.iter().filter_map(of).collect()
}

impl Prepared {
    /// A line for each operation that the mappers there do not know.
    pub(super) fn unmapped(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for run in &self.runs {
            let Some(planned) = &run.planned else { continue };
            let folder = &run.system.out;
            if !folder.join("mapper.rs").exists() && !folder.join("mapper").exists() {
                continue;
            }
            let existing = match Existing::read(folder, |path| path.ends_with("generated")) {
                Ok(existing) => existing,
                Err(error) => {
                    lines.push(format!("{}: the mapper cannot be read: {error}", run.system.name));
                    continue;
                }
            };
            for (path, error) in &existing.unreadable {
                lines.push(format!("{}: {} is no Rust that could be read: {error}", run.system.name, path.display()));
            }
            for operation in unmapped(&planned.plan, &existing) {
                let id = &planned.plan.operation(operation).id;
                let name = &run.system.name;
                lines.push(format!("{name}: `{id}` is not mapped yet; `cofferdam stubs --system {name}` has its stub"));
            }
        }
        lines
    }
}

/// What to do next, after files were created for the first time.
fn hints(arguments: &OutputArguments, prepared: &Prepared) -> Vec<String> {
    let created = |file: &std::path::Path| prepared.changes.creates(file);
    if arguments.source.spec.is_none() {
        let roots = prepared.runs.iter().filter(|run| created(&run.system.out.join("mod.rs")));
        let hint = |run: &SystemRun| {
            let module = cofferdam::project::module_name(&run.system.name);
            format!("{}: declare it with `pub mod {module};` in the module above its folder", run.system.name)
        };
        return roots.map(hint).collect();
    }
    let any = prepared.changes.with(Action::Create).next().is_some();
    if any && !arguments.with_stubs {
        let hint = "the hand-written half (domain types, mapper, port) is created too with `--with-stubs`";
        return vec![hint.to_owned()];
    }
    Vec::new()
}

/// `sber: 6 operations (1 read, 2 keyed, 3 once)`
fn summary(plan: &SystemPlan) -> String {
    let count = |kind| plan.operations.iter().filter(|operation| operation.kind == kind).count();
    let kinds: Vec<String> =
        [(OperationKind::Read, "read"), (OperationKind::Keyed, "keyed"), (OperationKind::Once, "once")]
            .into_iter()
            .map(|(kind, word)| (count(kind), word))
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
    let (all, total) = (plan.operations.len(), plan.api.operations.len());
    let of = if total == all { String::new() } else { format!(" of {total}") };
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{}: {all}{of} operation{}{kinds}", plan.system, if total == 1 { "" } else { "s" })
}

fn tell_changes(changes: &Changes) {
    let words = [
        (Action::Create, "created"),
        (Action::Replace, "replaced"),
        (Action::Remove, "removed"),
        (Action::Leave, "left alone (no longer generated, but edited)"),
    ];
    let mut any = false;
    for (action, word) in words {
        for path in changes.with(action) {
            any = true;
            output::line(&format!("  {word} {path}"));
        }
    }
    if !any {
        output::line("nothing changed");
    }
}

/// Prints what stands in the way. Whether anything does.
pub(super) fn tell_conflicts(changes: &Changes) -> bool {
    for conflict in &changes.conflicts {
        let cause = match conflict.cause {
            ConflictCause::Edited => "is generated, but was edited (R-RES-OAS-X1)",
            ConflictCause::Foreign => "is in the way: cofferdam did not write it",
        };
        output::say(&format!("error: {} {cause}", conflict.path));
        output::say(conflict.diff.trim_end());
    }
    if changes.conflicts.is_empty() {
        return false;
    }
    output::say("nothing was written; keep your edits elsewhere, then run with `--force` to replace these files");
    true
}
