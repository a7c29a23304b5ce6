//! What a project says of a document that the new one has no place for any more.

use std::collections::BTreeMap;

use super::{Change, Impact};
use crate::Planned;
use crate::diagnose::{Report, nearest};
use crate::load::Sources;
use crate::model::Api;
use crate::plan::{Governed, names, operation_named};
use crate::project::{Select, System};

/// What a project loses by a new document, as changes.
pub type Lost = Vec<Change>;

/// Plans a system with a new document, to be compared with what it has: what the project file and the settings say of
/// operations that are not there any more is told as lost, where [`plan_after`](crate::plan_after) refuses it.
///
/// `earlier` are the names of the plan that it is compared with. Faults go to the report.
pub fn plan_anew(
    system: &System,
    governed: &Governed,
    earlier: &BTreeMap<String, String>,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<(Planned, Lost)> {
    let api = crate::read(system, sources, report)?;
    let mut lost = Vec::new();
    let (system, governed) = (kept(system, &api, &mut lost), governing(governed, system, &api, &mut lost));
    let planned = crate::decide(&system, api, &governed, earlier, report)?;
    Some((planned, lost))
}

/// A system without what it says of operations that are not there.
fn kept(system: &System, api: &Api, lost: &mut Lost) -> System {
    let mut kept = system.clone();
    kept.operations.retain(|declared| {
        let is_there = operation_named(api, &declared.id).is_some();
        if !is_there {
            let grave = declared.kind.is_some() || declared.key.is_some();
            let impact = if grave { Impact::Protection } else { Impact::Breaking };
            let key = format!("systems.{}.operations.{:?}", system.name, declared.id);
            lost.push(change(impact, "declaration-lost", &declared.id, &key, "cofferdam.toml", api));
        }
        is_there
    });
    let select = select(&system.select, api, &system.name, lost);
    // A choice of which nothing is left would choose everything: then the plan tells what is wrong.
    if !select.is_everything() {
        kept.select = select;
    }
    kept
}

fn select(select: &Select, api: &Api, system: &str, lost: &mut Lost) -> Select {
    let mut kept = select.clone();
    let mut keep = |word: &str, key: &str, is_there: bool| {
        if !is_there {
            let key = format!("systems.{system}.select.{key}");
            lost.push(change(Impact::Breaking, "declaration-lost", word, &key, "cofferdam.toml", api));
        }
        is_there
    };
    kept.ids.retain(|id| keep(&id.value, "ids", operation_named(api, &id.value).is_some()));
    kept.tags.retain(|tag| {
        let is_there = api.operations.iter().any(|operation| operation.tags.contains(&tag.value));
        keep(&tag.value, "tags", is_there)
    });
    kept.paths.retain(|pattern| {
        let is_there = api.operations.iter().any(|operation| pattern.value.matches(&operation.path.raw));
        keep(pattern.value.as_str(), "paths", is_there)
    });
    kept
}

/// What governs a system, without what it says of operations that are not there.
fn governing(governed: &Governed, system: &System, api: &Api, lost: &mut Lost) -> Governed {
    let mut kept = governed.clone();
    let Some(file) = &governed.file else { return kept };
    kept.settings.operations.retain(|id, _| {
        let is_there = api.operations.iter().any(|operation| operation.id == *id);
        if !is_there {
            let key = format!("systems.{}.operations.{id}", system.name);
            lost.push(change(Impact::Protection, "setting-lost", id, &key, file, api));
        }
        is_there
    });
    kept
}

fn change(impact: Impact, code: &'static str, word: &str, key: &str, file: &str, api: &Api) -> Change {
    let message = format!("`{key}` in {file} speaks of `{word}`, which the new document does not have");
    let change = Change::new(impact, code, word, message);
    let near = nearest(word, names(api)).map(|near| format!("`{near}` may be meant"));
    let change = near.into_iter().fold(change, Change::detail);
    change.detail("`cofferdam generate` refuses the new document until it is taken out or renamed")
}
