//! `cofferdam generate`

use std::collections::BTreeMap;
use std::path::Path;

use cofferdam::diagnose::{Located, Location, Severity};
use cofferdam::output::{Layout, PROJECT, hand_written_files, relative};
use cofferdam::plan::{OperationKind, SystemPlan};
use cofferdam::project::{OwnCrate, System};
use cofferdam::receipt::{Fingerprint, Receipt};
use cofferdam::stubs::{Existing, Mappable, mappable};
use cofferdam::templates::listing;
use cofferdam::write::{Action, Changes, ConflictCause, Scope, Tree, WriteError, changes};

use super::arguments::{GenerateArguments, OutputArguments};
use super::inputs::{Inputs, SystemRun, layout};
use super::progress::Progress;
use super::templates::generating as templates;
use super::{Ended, output};

pub(super) fn run(arguments: &GenerateArguments) -> Ended {
    let prepared = match prepare(&arguments.output, arguments.force, Receipts::Asked) {
        Ok(prepared) => prepared,
        Err(ended) => return ended,
    };
    if tell_conflicts(&prepared.changes) {
        return Ended::Faults;
    }
    // Read before anything is created: what is created now maps everything.
    let waiting = prepared.unmapped();
    let applied = {
        let progress = Progress::new(1);
        progress.doing("writing");
        prepared.changes.apply()
    };
    if let Err(error) = applied {
        tell_write_error(&error);
        return Ended::Faults;
    }
    prepared.keep_receipts(&arguments.output);
    for run in &prepared.runs {
        match (&run.planned, &run.receipt) {
            (Some(planned), _) => output::news(&summary(&planned.plan)),
            (None, Some(receipt)) => output::news(&receipt.summary),
            (None, None) => {}
        }
    }
    tell_changes(&prepared.changes);
    hints(&arguments.output, &prepared).iter().for_each(|line| output::news(line));
    output::print(&waiting);
    Ended::Well
}

/// A run with everything done but the writing.
pub(super) struct Prepared {
    /// The systems.
    pub(super) runs: Vec<SystemRun>,
    /// What would be written.
    pub(super) changes: Changes,
    /// What there was to say; it has been told, and no error is among it.
    pub(super) found: Vec<Located>,
    inputs: Inputs,
}

/// Whether the receipts of earlier runs are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Receipts {
    /// What they say is done is not done again.
    Asked,
    /// Everything is done.
    Ignored,
}

/// Plans, renders and compares. Nothing is written; faults have been told when it fails.
pub(super) fn prepare(arguments: &OutputArguments, force: bool, receipts: Receipts) -> Result<Prepared, Ended> {
    if arguments.source.spec.is_some() && arguments.out.is_none() {
        output::fault("CD-COMMAND", None, "nobody said where to write", "with `--spec` give `--out DIR`");
        return Err(Ended::Usage);
    }
    let mut inputs = Inputs::read(&arguments.source, arguments.out.as_deref())?;
    templates::named(arguments, &mut inputs)?;
    if arguments.tag_features {
        let own = || OwnCrate { tag_features: true, ..OwnCrate::default() };
        inputs.systems.iter_mut().for_each(|system| system.own_crate = Some(own()));
    }
    let receipt = |system: &System| match receipts {
        Receipts::Asked => receipt(&inputs, system, &layout(arguments, system), arguments),
        Receipts::Ignored => None,
    };
    let mut runs = inputs.plan_unless(receipt);
    if templates::needs_all(&inputs, &runs) {
        runs = inputs.plan();
    }
    let mut tree = Tree::default();
    let progress = Progress::new(runs.len());
    for run in &mut runs {
        let Some(planned) = &mut run.planned else { continue };
        progress.doing(format!("{}: generating", run.system.name));
        if arguments.with_tests {
            planned.with_contract(&mut run.sources, &mut run.report);
            planned.with_trials(&mut run.sources, inputs.settings.clone());
        }
        run.sources.release();
        let layout = layout(arguments, &run.system);
        let folder = relative(&inputs.root, &run.system.out);
        if let Some(files) = cofferdam::generate(planned, &layout, &inputs.root, &folder, &mut run.report) {
            templates::merge(&mut tree, files, &mut run.report);
        }
        progress.done();
    }
    drop(progress);
    let mut found = inputs.diagnostics(&runs);
    found.extend(templates::of_project(&inputs, &runs, &mut tree));
    if output::tell(&found) {
        output::say("nothing was written");
        return Err(Ended::Faults);
    }
    debug_assert!(found.iter().all(|one| one.severity < Severity::Error));
    let names = |done: bool| {
        let runs = runs.iter().filter(|run| run.receipt.is_some() == done);
        runs.map(|run| run.system.name.clone()).collect::<Vec<String>>()
    };
    let (mut done, at_work) = (names(true), names(false));
    if at_work.is_empty() {
        done.push(PROJECT.to_owned());
    }
    let scope = if inputs.all { Scope::AllBut(&done) } else { Scope::Systems(&at_work) };
    let compared = changes(&inputs.root, &tree, inputs.lock.clone(), given_names(&runs), scope, force);
    match compared {
        Ok(changes) => Ok(Prepared { runs, changes, inputs, found }),
        Err(error) => {
            tell_write_error(&error);
            Err(Ended::Faults)
        }
    }
}

/// The receipt of a system, when there is nothing to do for it.
fn receipt(inputs: &Inputs, system: &System, layout: &Layout, arguments: &OutputArguments) -> Option<Receipt> {
    let (root, lock) = (&inputs.root, &inputs.lock);
    let folder = relative(root, &system.out);
    // Which operations their mapper knows decides what is tested, and it stands among files of ours.
    if arguments.with_tests && arguments.with_stubs {
        return None;
    }
    let theirs = hand_written_files(layout, root, &folder);
    let listed: Vec<&str> = lock.hand_written(&system.name).collect();
    let all_listed = theirs.iter().all(|file| listed.contains(&file.as_str()));
    // Tests have a hand-written file of their own.
    let is_trial =
        |file: &str| arguments.with_tests && Path::new(file).iter().any(|part| part == "trial.rs" || part == "trial");
    let all_known = listed.iter().all(|file| is_trial(file) || theirs.iter().any(|own| own == file));
    if !all_listed || !all_known || !listed.iter().all(|file| root.join(file).exists()) {
        return None;
    }
    let fingerprint = fingerprint(inputs, system, arguments, &lock.names_of(&system.name))?;
    Receipt::valid(root, &system.name, &fingerprint, Some(&lock.written(&system.name)))
}

/// All that decides what a system becomes, besides the files it is read from.
fn fingerprint(
    inputs: &Inputs,
    system: &System,
    arguments: &OutputArguments,
    names: &BTreeMap<String, String>,
) -> Option<Fingerprint> {
    // Resilience tests are made of what is mapped.
    let mapped = (arguments.with_tests && arguments.source.spec.is_none()).then(|| {
        let existing = Existing::read(&system.out, |path| path.ends_with("generated"));
        existing.map(|existing| existing.mapped).map_err(|error| error.to_string())
    });
    Fingerprint::of(&[
        ("system", system),
        ("governed", &inputs.governed.get(&system.name)),
        ("layout", &layout(arguments, system)),
        ("root", &inputs.root),
        ("tests", &arguments.with_tests),
        ("mapped", &mapped),
        ("settings", &inputs.settings),
        ("templates", &listing(&system.templates)),
        ("of the project", &templates::of_project_now(inputs)),
        ("names", names),
    ])
}

/// The names that were given, for the lock.
fn given_names(runs: &[SystemRun]) -> BTreeMap<String, BTreeMap<String, String>> {
    let of = |run: &SystemRun| {
        let plan = &run.planned.as_ref()?.plan;
        let file = |index: usize| run.sources.files.get(index).map_or("", |file| file.display.as_str());
        Some((plan.system.clone(), plan.given_names(file)))
    };
    runs.iter().filter_map(of).collect()
}

impl Prepared {
    /// Keeps a receipt of each system that was worked on. Without one the next run does it again: no more is lost.
    fn keep_receipts(&self, arguments: &OutputArguments) {
        for run in &self.runs {
            let Some(planned) = &run.planned else { continue };
            let name = &run.system.name;
            let names = self.changes.names_of(name);
            let Some(fingerprint) = fingerprint(&self.inputs, &run.system, arguments, &names) else { continue };
            let receipt = Receipt {
                fingerprint,
                read: run.sources.opened.clone(),
                written: self.changes.written(name),
                summary: summary(&planned.plan),
                operations: mappable(&planned.plan),
                found: run.found(),
            };
            let _ = receipt.keep(&self.inputs.root, name);
        }
    }

    /// A warning for each operation that the mappers there do not know.
    pub(super) fn unmapped(&self) -> Vec<Located> {
        let mut found = Vec::new();
        for run in &self.runs {
            let operations = match (&run.planned, &run.receipt) {
                (Some(planned), _) => mappable(&planned.plan),
                (None, Some(receipt)) => receipt.operations.clone(),
                (None, None) => continue,
            };
            found.extend(unmapped(&run.system, &operations));
        }
        found
    }
}

fn unmapped(system: &System, operations: &[Mappable]) -> Vec<Located> {
    let (name, folder) = (&system.name, &system.out);
    if !folder.join("mapper.rs").exists() && !folder.join("mapper").exists() {
        return Vec::new();
    }
    let warning = |code: &'static str, file: &Path, message: String, help: Option<String>| Located {
        severity: Severity::Warning,
        code: code.into(),
        message,
        location: Some(Location::file(file.display().to_string())),
        help,
    };
    let existing = match Existing::read(folder, |path| path.ends_with("generated")) {
        Ok(existing) => existing,
        Err(error) => {
            return vec![warning("CD-STUB-UNREADABLE", folder, format!("the mapper cannot be read: {error}"), None)];
        }
    };
    let unreadable = |(path, error): &(std::path::PathBuf, String)| {
        warning("CD-STUB-UNREADABLE", path, format!("this is no Rust that could be read: {error}"), None)
    };
    let single = folder.join("mapper.rs");
    let mapper = if single.exists() { single } else { folder.join("mapper") };
    let waiting = |operation: &Mappable| {
        let help = format!("`cofferdam stubs --system {name}` prints its stub");
        let message = format!("{name}: `{}` is not mapped yet", operation.id);
        warning("CD-STUB-MISSING", &mapper, message, Some(help))
    };
    let unread = existing.unreadable.iter().map(unreadable);
    unread.chain(operations.iter().filter(|one| !one.is_mapped(&existing)).map(waiting)).collect()
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
    if any && !arguments.with_stubs && !arguments.tag_features {
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
            output::news(&format!("  {word} {path}"));
        }
    }
    if !any {
        output::news("nothing changed");
    }
}

/// Prints what stands in the way. Whether anything does.
pub(super) fn tell_conflicts(changes: &Changes) -> bool {
    for conflict in &changes.conflicts {
        let (code, message, help) = match conflict.cause {
            ConflictCause::Edited => (
                "R-RES-OAS-X1",
                "this file is generated, but was edited",
                "put the change where it lasts (mapper, template, overlay); `--force` takes the file back",
            ),
            ConflictCause::Foreign => (
                "CD-FOREIGN",
                "this file is in the way: cofferdam did not write it",
                "move it away, or replace it with `--force`",
            ),
        };
        output::fault(code, Some(changes.location(&conflict.path)), message, help);
        output::say(conflict.diff.trim_end());
    }
    if changes.conflicts.is_empty() {
        return false;
    }
    output::say("nothing was written");
    true
}

/// Prints why the disk could not be read or written.
fn tell_write_error(error: &WriteError) {
    let at = |path: &Path| Some(Location::file(path.strip_prefix(".").unwrap_or(path).display().to_string()));
    let (place, message) = match error {
        WriteError::Read(path, error) => (at(path), format!("this cannot be read: {error}")),
        WriteError::Write(path, error) => (at(path), format!("this cannot be written: {error}")),
        other => (None, other.to_string()),
    };
    output::fault("CD-WRITE", place, message, "mend it and run again: every file is either as it was or new");
}
