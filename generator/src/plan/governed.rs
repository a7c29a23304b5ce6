//! The run-time settings of a project, read when the plan is made: what is wrong with them is told before anything is
//! built.

use std::collections::BTreeMap;

use cofferdam_runtime::settings::{Settings, SettingsError, SystemSettings};

use super::policies::{NOWHERE, presets};
use super::{OperationKind, SystemPlan};
use crate::diagnose::{Location, Query, Report, Severity, Target, locate, nearest};
use crate::project::{Profile, Project, System};

/// What a system is governed by at run time.
#[derive(Debug, Clone)]
pub struct Governed {
    /// The values that hold.
    pub settings: SystemSettings,
    /// The file that says so, as messages show it; `None` where the presets hold.
    pub file: Option<String>,
}

impl Governed {
    /// Nothing but the presets of a profile.
    #[must_use]
    pub fn by(profile: Profile) -> Self {
        Self { settings: presets(profile), file: None }
    }
}

/// What each system of a project is governed by, by its name. Faults go to the report.
pub fn governed(project: &Project, report: &mut Report) -> BTreeMap<String, Governed> {
    let preset = |system: &System| (system.name.clone(), Governed::by(system.profile));
    let Some(file) = &project.settings else { return project.systems.iter().map(preset).collect() };
    let name = file.value.display().to_string();
    let text = match std::fs::read_to_string(&file.value) {
        Ok(text) => text,
        Err(error) => {
            let help = if error.kind() == std::io::ErrorKind::InvalidData { "save it as UTF-8" } else { "" };
            report.at(
                Severity::Error,
                "CD-SETTINGS-FILE",
                file.at.clone(),
                format!("cannot read {name}: {error}"),
                help,
            );
            return BTreeMap::new();
        }
    };
    match parse(&text, &name, &project.systems) {
        Ok(settings) => project.systems.iter().filter_map(|system| of(system, &settings, &name, report)).collect(),
        Err(error) => {
            for fault in error.faults() {
                let place =
                    Location { file: fault.file.clone(), line: fault.line, col: fault.col, pointer: fault.key.clone() };
                report.at(Severity::Error, fault.code, place, fault.message.clone(), fault.help.clone());
            }
            BTreeMap::new()
        }
    }
}

/// Where the settings of an operation stand. A file that cannot be read again gives no line.
fn operation_place(file: &str, system: &str, id: &str) -> Location {
    let escaped = |text: &str| text.replace('~', "~0").replace('/', "~1");
    let pointer = format!("/systems/{}/operations/{}", escaped(system), escaped(id));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let found = locate(&text, &[Query { pointer: &pointer, target: Target::Key }]);
    match found.first() {
        Some(Some(position)) => Location::at(file, *position),
        _ => Location::file(file),
    }
}

/// The base URL of a system may come from the environment of the service: a plan does not need it. Systems that have
/// none in the file get one that leads nowhere.
fn parse(text: &str, name: &str, systems: &[System]) -> Result<Settings, SettingsError> {
    let first = Settings::parse(text, name);
    let Err(error) = &first else { return first };
    let homeless: Vec<&System> = systems
        .iter()
        .filter(|system| {
            let key = format!("systems.{}", system.name);
            error.faults().iter().any(|fault| fault.code == "CD-SETTINGS-MISSING" && fault.key == key)
        })
        .collect();
    if homeless.is_empty() {
        return first;
    }
    let variable = |system: &&System| {
        (format!("COFFERDAM__{}__BASE_URL", system.name.to_uppercase().replace('-', "_")), NOWHERE.to_owned())
    };
    Settings::parse_with(text, name, homeless.iter().map(variable))
}

fn of(system: &System, settings: &Settings, file: &str, report: &mut Report) -> Option<(String, Governed)> {
    let handle = match settings.system(&system.name) {
        Ok(handle) => handle,
        Err(missing) => {
            let help = format!("add `systems.{}` to the settings", system.name);
            report.at(Severity::Error, "CD-SETTINGS-MISSING", system.at.clone(), missing.to_string(), help);
            return None;
        }
    };
    let (here, there) = (system.profile.word(), settings.profile(&system.name).map(|profile| profile.word()));
    if let Some(there) = there.filter(|there| *there != here) {
        let message = format!("the profile of `{}` is `{here}` here and `{there}` in the settings", system.name);
        let help = "the settings decide at run time: say the same in both";
        report.at(Severity::Warning, "CD-PROFILE-DIFFERS", system.at.clone(), message, help);
    }
    let settings = SystemSettings::clone(&handle.load());
    Some((system.name.clone(), Governed { settings, file: Some(file.to_owned()) }))
}

/// What the settings say of operations: that they exist, and that nobody expects a retry of what is sent once.
pub fn lint_settings(plan: &SystemPlan, governed: &Governed, report: &mut Report) {
    let Governed { settings, file: Some(file) } = governed else { return };
    let ids: Vec<&str> = plan.api.operations.iter().map(|operation| operation.id.as_str()).collect();
    for (id, own) in &settings.operations {
        let key = format!("systems.{}.operations.{id}", plan.system);
        let place = operation_place(file, &plan.system, id).named(key);
        if !ids.contains(&id.as_str()) {
            let help = nearest(id, ids.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            let message = format!("the document of `{}` has no operation `{id}`", plan.system);
            report.at(Severity::Error, "CD-SETTINGS-OPERATION", place, message, help.unwrap_or_default());
            continue;
        }
        let once = plan
            .operations
            .iter()
            .any(|planned| planned.kind == OperationKind::Once && plan.operation(planned).id == *id);
        if own.retry.is_some() && once {
            let message = format!("`{id}` is sent once: there is nothing that a retry setting could change");
            let help = "take the setting out, or declare the operation's idempotency key in the project file";
            report.at(Severity::Error, "R-RES-RE-X1", place, message, help);
        }
    }
}
