//! What `generate` has to do for a team's templates.

use std::fmt::Debug;
use std::path::PathBuf;

use cofferdam::Planned;
use cofferdam::diagnose::{Located, Location, Report, Severity};
use cofferdam::load::Sources;
use cofferdam::output::{PROJECT, extra_of_project, relative};
use cofferdam::project::Declared;
use cofferdam::templates::{contents, project_files};
use cofferdam::write::{Tree, digest_of_file};

use crate::cli::arguments::OutputArguments;
use crate::cli::inputs::{Inputs, SystemRun};
use crate::cli::{Ended, output};

/// Takes in the folders that the command line names.
pub(in crate::cli) fn named(arguments: &OutputArguments, inputs: &mut Inputs) -> Result<(), Ended> {
    for folder in &arguments.templates {
        if !folder.is_dir() {
            output::say(&format!("error: {} is no folder of templates", folder.display()));
            return Err(Ended::Usage);
        }
        for system in &mut inputs.systems {
            system.templates.folders.push(Declared { value: folder.clone(), at: Location::default() });
        }
    }
    Ok(())
}

/// Whether files of the project are to be made, for which the plans of all systems are needed.
pub(in crate::cli) fn needs_all(inputs: &Inputs, runs: &[SystemRun]) -> bool {
    let done = runs.iter().filter(|run| run.receipt.is_some()).count();
    let stands = |(path, hash): (&String, &String)| digest_of_file(&inputs.root.join(path)).as_ref() == Some(hash);
    let listed = inputs.lock.written(PROJECT);
    let all_stand = listed.len() == inputs.templates.extras.len() && listed.iter().all(stands);
    inputs.all && !inputs.templates.extras.is_empty() && done > 0 && (done < runs.len() || !all_stand)
}

/// All that decides the files of the project, besides its systems.
pub(in crate::cli) fn of_project_now(inputs: &Inputs) -> impl Debug + use<> {
    let is_used = inputs.all && !inputs.templates.extras.is_empty();
    is_used.then(|| -> (_, Vec<(PathBuf, Option<String>)>) { (inputs.templates.clone(), contents(&inputs.templates)) })
}

/// Takes the files of a system into the tree of all.
pub(in crate::cli) fn merge(tree: &mut Tree, files: Tree, report: &mut Report) {
    for path in tree.merge(files) {
        let message = format!("the file {path} is generated for two systems");
        let help = "give the systems folders of their own, or the extra template another `output`";
        report.at(Severity::Error, "CD-TEMPLATE-PATH", Location::default(), message, help);
    }
}

/// Adds the files of the project as a whole, where all of its systems are at work.
pub(in crate::cli) fn of_project(inputs: &Inputs, runs: &[SystemRun], tree: &mut Tree) -> Vec<Located> {
    let planned: Option<Vec<&Planned>> = runs.iter().map(|run| run.planned.as_ref()).collect();
    let Some(planned) = planned.filter(|_| inputs.all && !inputs.templates.extras.is_empty()) else {
        return Vec::new();
    };
    let (mut sources, mut report) = (Sources::default(), Report::default());
    let files = project_files(&inputs.templates, &planned, &mut sources, &mut report);
    extra_of_project(files, tree, &relative(&inputs.root, &inputs.out), &mut report);
    let mut found = report.located(&sources);
    // The systems have told what their folders have in common with the project's.
    found.retain(|one| one.code != "CD-TEMPLATE-STALE");
    found
}
