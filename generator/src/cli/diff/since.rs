//! A project as it was at a commit: its files of then, in a folder of their own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use cofferdam::diff::SpecDiff;
use cofferdam::plan::Governed;
use cofferdam::project::System;
use tempfile::TempDir;

use super::{Before, cannot};
use crate::cli::inputs::Inputs;

/// Compares the systems of a project with what they were.
pub(super) fn compared(project: &Path, only: &[String], revision: &str) -> Result<Vec<SpecDiff>, String> {
    let now = Inputs::project(project, only).map_err(|_| cannot(project))?;
    let then = Then::check_out(project, revision)?;
    if !then.project.exists() {
        return Err(format!("there is no {} at {revision}", project.display()));
    }
    // A system may have come since: who asks for it is not to be told that it was not there.
    let before = Inputs::project(&then.project, &[]).map_err(|_| format!("{} at {revision}", cannot(project)))?;
    let mut diffs = Vec::new();
    for system in &now.systems {
        diffs.push(match before.systems.iter().find(|one| one.name == system.name) {
            Some(old) => {
                let was = Before::of(old, &governed(&before, old), &before.lock.names_of(&old.name))?;
                was.compared(system, &governed(&now, system))?
            }
            None => SpecDiff::system_added(&system.name),
        });
    }
    if only.is_empty() {
        let gone = before.systems.iter().filter(|old| now.systems.iter().all(|one| one.name != old.name));
        diffs.extend(gone.map(|old| SpecDiff::system_removed(&old.name)));
    }
    Ok(diffs)
}

fn governed(inputs: &Inputs, system: &System) -> Governed {
    inputs.governed.get(&system.name).cloned().unwrap_or_else(|| Governed::by(system.profile))
}

/// The tree of a commit, as long as this lives.
struct Then {
    _folder: TempDir,
    /// The project file in it.
    project: PathBuf,
}

impl Then {
    /// Writes the tree of a commit to a folder of its own, by an index of its own: neither the work tree nor the index
    /// of the repository is touched.
    fn check_out(project: &Path, revision: &str) -> Result<Self, String> {
        let name = project.file_name().ok_or_else(|| cannot(project))?;
        let home = match project.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let folder = tempfile::tempdir().map_err(|error| format!("no folder for the old files: {error}"))?;
        let tree = folder.path().join("tree");
        let index = folder.path().join("index");
        let prefix = git(home, &index, &[OsStr::new("rev-parse"), OsStr::new("--show-prefix")])?;
        // A revision that begins with a dash is an option to git.
        let wanted = format!("{revision}^{{tree}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted].map(OsStr::new);
        let commit = git(home, &index, &arguments).map_err(|_| format!("git knows no revision `{revision}`"))?;
        git(home, &index, &[OsStr::new("read-tree"), OsStr::new(commit.trim())])?;
        let mut target = std::ffi::OsString::from("--prefix=");
        target.push(&tree);
        target.push("/");
        // From the top: below it, git would only write what is below it.
        let top = git(home, &index, &[OsStr::new("rev-parse"), OsStr::new("--show-toplevel")])?;
        git(
            Path::new(top.trim_end_matches(['\r', '\n'])),
            &index,
            &[OsStr::new("checkout-index"), OsStr::new("--all"), &target],
        )?;
        let project = tree.join(prefix.trim_end_matches(['\r', '\n'])).join(name);
        Ok(Self { _folder: folder, project })
    }
}

/// What git says.
fn git(folder: &Path, index: &Path, arguments: &[&OsStr]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_INDEX_FILE", index)
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().lines().next().unwrap_or("it does not say why").to_owned();
        return Err(format!("git failed: {said}"));
    }
    String::from_utf8(output.stdout).map_err(|_| "git names a folder that is no text".to_owned())
}
