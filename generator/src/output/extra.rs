//! Files beside those that every system has: where they may stand, and that none is in the way of another.

use super::arrange::join;
use super::text::is_rust;
use crate::Planned;
use crate::diagnose::{Location, Report, Severity};
use crate::format;
use crate::project::path_fault;
use crate::render::ExtraFile;
use crate::write::{FileBody, Ownership, Tree};

/// The owner of files for a project as a whole, where others have the name of their system: no system is called so.
pub const PROJECT: &str = "*";

/// Adds the files that the renderers of a system make beside the usual ones. `folder` is the system's, `header` what
/// stands below the first line of each generated Rust file.
pub(crate) fn extra(planned: &Planned, tree: &mut Tree, folder: &str, header: &str, report: &mut Report) {
    for renderer in &planned.renderers {
        for file in renderer.files(planned, report) {
            let source = file.source.clone().unwrap_or_else(|| Location::file(renderer.name()));
            let head = format::header(&planned.plan.document) + header;
            place(tree, folder, file, &planned.plan.system, &head, source, report);
        }
    }
}

/// Adds the files of a project as a whole to a tree. `folder` is the project's output folder.
pub fn extra_of_project(files: Vec<ExtraFile>, tree: &mut Tree, folder: &str, report: &mut Report) {
    for file in files {
        let source = file.source.clone().unwrap_or_default();
        let head = format::header("the project");
        place(tree, folder, file, PROJECT, &head, source, report);
    }
}

fn place(
    tree: &mut Tree,
    folder: &str,
    file: ExtraFile,
    system: &str,
    head: &str,
    source: Location,
    report: &mut Report,
) {
    let mut fault = |message: String, help: &str| {
        report.at(Severity::Error, "CD-TEMPLATE-PATH", source.clone(), message, help);
    };
    if let Some(wrong) = path_fault(&file.path) {
        fault(format!("the path {:?} {wrong}", file.path), "a relative path of plain names with `/` between them");
        return;
    }
    let path = join(folder, &file.path);
    if let Some(taken) = tree.iter().map(|(taken, _)| taken).find(|taken| meet(taken, &path)) {
        let message = format!("the file {path} is in the way of {taken}, which is generated too");
        fault(message, "give it another path in `output`: names that differ in nothing but case or signs become one");
        return;
    }
    let mut text = file.text;
    if path.ends_with(".rs") {
        if is_rust(&text, &format!("the file {path}"), source.clone(), report).is_none() {
            return;
        }
        text.insert_str(0, head);
    }
    let body = FileBody {
        text: Some(text.into()),
        ownership: Ownership::Generated,
        template: source.file.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
        system: system.to_owned(),
    };
    tree.insert(path, body);
}

/// Whether two files cannot both be there: one path on a machine that does not tell cases apart, or one the folder of
/// the other.
fn meet(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    one == other || one.starts_with(&format!("{other}/")) || other.starts_with(&format!("{one}/"))
}
