//! Whether an overlay is meant for the document it is applied to.

use std::path::Path;

use percent_encoding::percent_decode_str;

use crate::diagnose::Report;
use crate::load::Sources;
use crate::model::Origin;

/// Compares `extends` of an overlay with the root document. It may be applied to another one, but that is rarely meant.
pub(super) fn check(sources: &Sources, file: usize, extends: &str, report: &mut Report) {
    let (Some(root), Some(overlay)) = (sources.files.first(), sources.files.get(file)) else { return };
    let origin = Origin { file, pointer: "/extends".to_owned() };
    let reference = extends.split(['#', '?']).next().unwrap_or_default();
    let decoded = percent_decode_str(reference).decode_utf8_lossy();
    if reference.contains("://") && !reference.starts_with("file://") {
        let name = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
        if name(&decoded) != name(&root.display) {
            let message = format!("the overlay extends {extends:?}, which {:?} is taken to be", root.display);
            report.note("CD-OVERLAY-EXTENDS", origin, message, "no address is fetched: check that it is");
        }
        return;
    }
    let path = decoded.strip_prefix("file://").unwrap_or(&decoded);
    let meant = overlay.path.parent().unwrap_or(Path::new("")).join(path);
    let meant = meant.canonicalize().unwrap_or(meant);
    if meant != root.path {
        let message = format!("the overlay extends {extends:?}, but is applied to {:?}", root.display);
        report.warning("CD-OVERLAY-EXTENDS", origin, message, "correct `extends`, or remove it");
    }
}
