//! From the text of a project file to a [`Project`].

use std::path::{Path, PathBuf};

use toml_edit::Document;

use super::declarations::{credentials, operations, select, unsupported};
use super::declared_names;
use super::names::{check, module_name};
use super::own_crate::own_crate;
use super::section::{Reading, Section};
use super::templates::{extras, folders};
use super::types::types;
use super::{Declared, OnDuplicate, Per, Profile, Project, System, TemplateSettings};
use crate::diagnose::{Location, Position, Report, Severity};
use crate::load::read_text;

/// Where systems are written when the file does not say.
const DEFAULT_OUT: &str = "generated";

pub(super) fn load(path: &Path, report: &mut Report) -> Option<Project> {
    let display = path.display().to_string();
    let text = read_text(path, &display, report)?;
    let document = match Document::parse(text.as_str()) {
        Ok(document) => document,
        Err(error) => {
            let at = match error.span() {
                Some(span) => Location::at(&display, Position::of_offset(&text, span.start)),
                None => Location::file(&display),
            };
            report.at(Severity::Error, "CD-PARSE", at, format!("this is not TOML: {}", error.message().trim()), "");
            return None;
        }
    };
    let faults_before = errors(report);
    let mut reading = Reading { text: &text, display: &display, report };
    let root = Section::root(document.as_table(), &reading);
    let folder = path.parent().unwrap_or(Path::new(""));
    let project = project(&root, path, folder, &mut reading);
    (errors(report) == faults_before).then_some(project)
}

fn errors(report: &Report) -> usize {
    report.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}

fn project(root: &Section<'_>, file: &Path, folder: &Path, reading: &mut Reading<'_>) -> Project {
    root.known_keys(&["settings", "out", "templates", "extra-templates", "systems"], reading);
    let settings = root.text("settings", reading).and_then(|path| existing(path, folder, reading));
    let out = root.text("out", reading).map_or_else(|| DEFAULT_OUT.to_owned(), |out| out.value);
    let out = folder.join(out);
    let mut shared =
        TemplateSettings { folders: folders(root, folder, reading), extras: extras(root, &PER_OF_PROJECT, reading) };
    let before = reading.report.diagnostics().len();
    let sections = match root.section("systems", reading) {
        Some(section) => section.sections(reading),
        None => Vec::new(),
    };
    if sections.is_empty() && reading.report.diagnostics().len() == before {
        let help = "declare one: `[systems.NAME]` with `spec = \"…\"`";
        reading.error("CD-PROJECT-MISSING", &root.at, "the file declares no system", help);
    }
    let mut systems: Vec<System> =
        sections.iter().filter_map(|(name, section)| system(name, section, folder, &out, reading)).collect();
    for system in &mut systems {
        system.templates.folders.extend(shared.folders.iter().cloned());
        system.templates.extras.extend(shared.extras.iter().filter(|extra| extra.per != Per::Project).cloned());
    }
    shared.extras.retain(|extra| extra.per == Per::Project);
    apart(&systems, reading);
    Project { file: file.to_owned(), settings, out, templates: shared, systems }
}

fn system(name: &str, section: &Section<'_>, folder: &Path, out: &Path, reading: &mut Reading<'_>) -> Option<System> {
    section.known_keys(&KEYS, reading);
    let named = check(name, &section.at, reading.report);
    if !section.contains("spec") {
        let help = "add `spec = \"…\"`, the path of its OpenAPI document";
        reading.error("CD-PROJECT-MISSING", &section.at, format!("the system `{name}` has no `spec`"), help);
    }
    let spec = section.text("spec", reading).and_then(|path| existing(path, folder, reading));
    let overlays = section.text_or_texts("overlay", reading);
    let overlays = overlays.into_iter().filter_map(|path| existing(path, folder, reading)).collect();
    let own_out = section.text("out", reading).map(|own| folder.join(own.value));
    let own_crate = own_crate(section, folder, reading);
    let profile = section.word("profile", &PROFILES, reading);
    let on_duplicate = section.word("on-duplicate", &ON_DUPLICATE, reading);
    let unsupported = unsupported(section, reading);
    let select = select(section, reading);
    let credentials = credentials(section, reading);
    let types = types(section, reading);
    let names = declared_names::names(section, reading);
    let operations = operations(section, reading);
    let templates = TemplateSettings {
        folders: folders(section, folder, reading),
        extras: extras(section, &PER_OF_SYSTEM, reading),
    };
    named?;
    Some(System {
        name: name.to_owned(),
        at: section.at.clone(),
        spec: spec?,
        overlays,
        out: own_out.unwrap_or_else(|| out.join(module_name(name))),
        own_crate,
        profile: profile.map(|profile| profile.value).unwrap_or_default(),
        on_duplicate: on_duplicate.map(|on_duplicate| on_duplicate.value).unwrap_or_default(),
        unsupported,
        select,
        credentials,
        types,
        names,
        operations,
        templates,
    })
}

const KEYS: [&str; 15] = [
    "spec",
    "overlay",
    "out",
    "crate",
    "profile",
    "on-duplicate",
    "deny-unsupported",
    "allow-unsupported",
    "select",
    "credentials",
    "types",
    "names",
    "operations",
    "templates",
    "extra-templates",
];

const PER_OF_SYSTEM: [(&str, Per); 4] =
    [("system", Per::System), ("tag", Per::Tag), ("operation", Per::Operation), ("schema", Per::Schema)];

const PER_OF_PROJECT: [(&str, Per); 5] = [
    ("project", Per::Project),
    ("system", Per::System),
    ("tag", Per::Tag),
    ("operation", Per::Operation),
    ("schema", Per::Schema),
];

const PROFILES: [(&str, Profile); 3] =
    [("external", Profile::External), ("supplier", Profile::Supplier), ("internal", Profile::Internal)];

const ON_DUPLICATE: [(&str, OnDuplicate); 2] = [("error", OnDuplicate::Error), ("suffix", OnDuplicate::Suffix)];

/// A path that must lead to a file, relative to the project file.
fn existing(path: Declared<String>, folder: &Path, reading: &mut Reading<'_>) -> Option<Declared<PathBuf>> {
    if path.value.starts_with("http://") || path.value.starts_with("https://") {
        let help = "download the document, keep it beside the project file, and name its path";
        reading.error("CD-REF-URL", &path.at, format!("{:?} is a URL: nothing is fetched", path.value), help);
        return None;
    }
    let value = folder.join(&path.value);
    let (fault, help) = if value.is_dir() {
        ("is a folder, not a file", "name the file in it")
    } else if !value.exists() {
        ("does not exist", "paths are relative to the folder of the project file")
    } else {
        return Some(Declared { value, at: path.at });
    };
    reading.error("CD-FILE-MISSING", &path.at, format!("{:?} {fault}", path.value), help);
    None
}

/// Two systems must not meet: in a folder, or in the name of a module.
fn apart(systems: &[System], reading: &mut Reading<'_>) {
    for (index, system) in systems.iter().enumerate() {
        for other in systems.iter().take(index) {
            if module_name(&other.name) == module_name(&system.name) {
                let message = format!("`{}` and `{}` are one name as Rust modules", other.name, system.name);
                reading.error("CD-PROJECT-NAME", &system.at, message, "rename one of them");
            } else if other.out == system.out {
                let message = format!("`{}` is written to the folder of `{}`", system.name, other.name);
                reading.error("CD-PROJECT-VALUE", &system.at, message, "give each system an `out` of its own");
            }
        }
    }
}
