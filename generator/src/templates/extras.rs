//! Files beside those that every system has.

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::{TeamTemplates, faults};
use crate::Planned;
use crate::diagnose::Report;
use crate::project::{ExtraTemplate, Per, TemplateSettings};
use crate::render::ExtraFile;
use crate::view::{PageSystem, VIEW_VERSION, page_system};

/// The files of a system.
pub(super) fn files(templates: &TeamTemplates, planned: &Planned, report: &mut Report) -> Vec<ExtraFile> {
    if templates.extras.is_empty() {
        return Vec::new();
    }
    let page = page_system(planned);
    let system = Value::from(Serde(&page));
    let mut files = Vec::new();
    for extra in &templates.extras {
        for (name, view) in views(&page, &system, extra.per) {
            let label = (extra.per != Per::System).then(|| format!("{} `{name}`", extra.per.word()));
            match templates.text(&extra.template.value, context! { view => view }) {
                Ok(text) => {
                    let of =
                        |placeholder: &str| if placeholder == "system" { page.module.clone() } else { name.clone() };
                    files.push(file(templates, extra, extra.output.value.path(of), text));
                }
                Err(error) => faults::of_extra(templates, &extra.template.value, &page.name, label, &error, report),
            }
        }
    }
    files
}

/// What an extra template is rendered from, once for each of what it is for, with the name of that.
fn views(page: &PageSystem, system: &Value, per: Per) -> Vec<(String, Value)> {
    let version = env!("CARGO_PKG_VERSION");
    let entries = |list: &str| -> Vec<Value> {
        let entries = system.get_attr(list).and_then(|list| list.try_iter());
        entries.map(|entries| entries.collect()).unwrap_or_default()
    };
    match per {
        Per::Project => Vec::new(),
        Per::System => {
            vec![(page.name.clone(), context! { view_version => VIEW_VERSION, version, system })]
        }
        Per::Tag => {
            let operations = entries("operations");
            let of = |tag: &String| {
                let tagged = page.operations.iter().zip(&operations).filter(|(one, _)| one.tags.contains(tag));
                let operations: Vec<Value> = tagged.map(|(_, value)| value.clone()).collect();
                (tag.clone(), context! { view_version => VIEW_VERSION, version, system, tag, operations })
            };
            page.tags.iter().map(of).collect()
        }
        Per::Operation => {
            let of = |(one, operation): (&crate::view::PageOperation, Value)| {
                let name = one.operation.rust.adapter.rsplit("::").next().unwrap_or_default();
                (
                    name.trim_start_matches("r#").to_owned(),
                    context! { view_version => VIEW_VERSION, version, system, operation },
                )
            };
            page.operations.iter().zip(entries("operations")).map(of).collect()
        }
        Per::Schema => {
            let of = |(one, schema): (&crate::view::PageSchema, Value)| {
                (one.name.clone(), context! { view_version => VIEW_VERSION, version, system, schema })
            };
            page.schemas.iter().zip(entries("schemas")).map(of).collect()
        }
    }
}

fn file(templates: &TeamTemplates, extra: &ExtraTemplate, path: String, text: String) -> ExtraFile {
    ExtraFile { path, text, source: Some(templates.layered.location(&extra.template.value)) }
}

/// The files of a project as a whole. `systems` are all of its systems.
pub fn project_files(
    settings: &TemplateSettings,
    systems: &[&Planned],
    sources: &mut crate::load::Sources,
    report: &mut Report,
) -> Vec<ExtraFile> {
    let Some(templates) = TeamTemplates::load(settings, sources, report) else { return Vec::new() };
    let pages: Vec<PageSystem> = systems.iter().map(|planned| page_system(planned)).collect();
    let systems = Value::from(Serde(&pages));
    let mut files = Vec::new();
    for extra in templates.extras.iter().filter(|extra| extra.per == Per::Project) {
        let view = context! { view_version => VIEW_VERSION, version => env!("CARGO_PKG_VERSION"), systems => &systems };
        match templates.text(&extra.template.value, context! { view => view }) {
            Ok(text) => files.push(file(&templates, extra, extra.output.value.path(|_| String::new()), text)),
            Err(error) => faults::of_extra(&templates, &extra.template.value, "", None, &error, report),
        }
    }
    files
}
