//! The configuration of a Spring service as settings of ours: what `application.yml` says under `resilience4j` and of its
//! clients.
//!
//! ```text
//! property ▸ documents ▸ placeholders ▸ sections ▸ systems ▸ patterns, clients, order ▸ draft ▸ checked ▸ written
//! flat list   profiles    defaults       sorted     names     our words                          rules     text
//! ```
//!
//! What the service says is taken in the meaning that it has in Resilience4j's code. What has no counterpart here is told,
//! and so is what breaks a rule: it is left out, and stands in the file as a comment.

mod checked;
mod clients;
mod documents;
mod draft;
mod duration;
mod exceptions;
mod order;
mod patterns;
mod placeholders;
mod presets;
mod property;
mod reading;
mod relaxed;
mod repeats;
mod sections;
mod systems;
mod written;
mod yaml;

use std::collections::BTreeMap;

use self::draft::{Draft, Section};
use self::placeholders::Resolved;
use self::property::Property;
use self::reading::Value;
use self::sections::{DEFAULT, Sections};
use self::systems::Named;
use crate::diagnose::{Location, Report, Severity};
use crate::project::Profile;

/// How a configuration is read.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// The presets that every system starts from.
    pub profile: Profile,
    /// Profiles of Spring whose documents hold besides those that always do.
    pub spring_profiles: Vec<String>,
    /// Where clients stand besides `client`, `clients` and `integration.clients`.
    pub clients: Vec<String>,
}

/// Settings of ours, made from those of a Spring service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The text of the file.
    pub text: String,
    /// The systems in it.
    pub systems: Vec<String>,
    /// How many reasons somebody has to fill in before the settings are accepted.
    pub reasons_missing: usize,
}

/// Makes settings from files of a Spring service, each with its name and its text; what a later file says goes before
/// an earlier one. `None` when a file is unreadable or there is nothing to import, which the report says.
pub fn import(files: &[(String, String)], options: &ImportOptions, report: &mut Report) -> Option<Imported> {
    let mut properties = documents::holding(files, &options.spring_profiles, report)?;
    fill(&mut properties, report);
    let sections = Sections::of(properties, &options.clients, report);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let systems = systems::named(&sections, report);
    if systems.is_empty() {
        let message = "there are neither instances of Resilience4j nor clients in it";
        let help = "`resilience4j.*.instances.NAME` and `client.NAME` are read; `--clients PREFIX` names another place";
        report.at(Severity::Error, "CD-IMPORT-EMPTY", Location::file(names.join(", ")), message, help);
        return None;
    }
    if let Some(property) = &sections.metrics_off {
        let message = "metrics are turned off: without them nobody sees a breaker that keeps opening";
        let help = "they are on here; the feature `metrics` of the runtime is a default one";
        report.at(Severity::Warning, "R-RES-OBS-X1", property.at.clone(), message, help);
    }
    let mut draft = drafted(&sections, &systems, options.profile, report);
    checked::check(&mut draft, report);
    presets::differing(&draft, &sections, &systems, report);
    let reasons = draft.sections.iter().flat_map(|section| &section.reasons);
    Some(Imported {
        text: written::text(&draft, &names, written::Reasons::AsTheyAre),
        reasons_missing: reasons.filter(|reason| reason.text.is_empty()).count(),
        systems: systems.into_iter().map(|system| system.name).collect(),
    })
}

/// Fills in placeholders; what cannot be filled in is left out.
fn fill(properties: &mut Vec<Property>, report: &mut Report) {
    let scalar = |property: &Property| (relaxed::plain(&property.key.join(".")), property.text().to_owned());
    let known: BTreeMap<String, String> = properties.iter().map(scalar).collect();
    properties.retain_mut(|property| {
        if !sections::is_ours(property) {
            return true;
        }
        for word in &mut property.values {
            match placeholders::resolve(&word.text, &known) {
                Resolved::Plain => {}
                Resolved::Taken(value, defaults) => {
                    if !defaults.is_empty() {
                        let message = format!("its default is taken: that of {}", defaults.join(", "));
                        let help = "our settings have variables of their own: `COFFERDAM__SYSTEM__…`";
                        report.at(Severity::Note, "CD-IMPORT-PLACEHOLDER", property.at.clone(), message, help);
                    }
                    word.text = value;
                }
                Resolved::Unknown(name) => {
                    let message = format!("`{name}` has no default: left out");
                    let help = "our settings have variables of their own: `COFFERDAM__SYSTEM__…`";
                    report.at(Severity::Warning, "CD-IMPORT-PLACEHOLDER", property.at.clone(), message, help);
                    return false;
                }
            }
        }
        true
    });
}

fn drafted(sections: &Sections, systems: &[Named], profile: Profile, report: &mut Report) -> Draft {
    let mut all: Vec<Section> = systems.iter().map(|system| of_system(system, sections, report)).collect();
    let mut defaults = common(sections, &all, report);
    for system in &mut all {
        system.values.retain(|own| defaults.iter().all(|value| value.key != own.key || value.text != own.text));
    }
    if let Some(order) = order::order(sections, report) {
        defaults.push(order);
    }
    if !defaults.is_empty() {
        all.insert(0, Section::new(None, defaults));
    }
    Draft { sections: all, profile }
}

/// Everything that is said of one system.
fn of_system(system: &Named, sections: &Sections, report: &mut Report) -> Section {
    let mut values: Vec<Value> = Vec::new();
    let client = system.client.as_ref().and_then(|name| sections.clients.get(name));
    if let Some(keys) = client {
        values.extend(clients::translate(keys, report));
    }
    for (pattern, section) in &sections.patterns {
        let Some(instance) = system.instance.as_ref().filter(|name| section.instances.contains_key(*name)) else {
            continue;
        };
        let (keys, missing) = section.effective(*pattern, instance);
        for property in missing {
            let message = format!("there is no `configs.{}`: Resilience4j does not start with this", property.text());
            report.at(Severity::Warning, "CD-IMPORT-VALUE", property.at.clone(), message, "");
        }
        for value in patterns::translate(*pattern, &keys, report) {
            merge(&mut values, value, report);
        }
    }
    if let Some(more) = presets::room(&values) {
        values.push(more);
    }
    Section::new(Some(system.name.clone()), values)
}

/// Adds what another section says. Of two limits of a whole attempt the shorter one ends it; a semaphore goes before a
/// pool of threads, which comes after it.
fn merge(values: &mut Vec<Value>, value: Value, report: &mut Report) {
    let Some(known) = values.iter_mut().find(|known| known.key == value.key) else {
        values.push(value);
        return;
    };
    if value.key != "timeouts.call" {
        return;
    }
    let limit = |value: &Value| duration::read(&value.text, std::time::Duration::from_millis(1));
    if limit(&value) < limit(known) {
        let message =
            format!("the time limiter's {} is shorter than the client's {}, and holds", value.text, known.text);
        report.at(Severity::Note, "R-RES-TO-1", value.from.clone(), message, "");
        *known = value;
    }
}

/// What `configs.default` says of every pattern, as far as each system that says anything of the pattern agrees or
/// says otherwise.
fn common(sections: &Sections, systems: &[Section], report: &mut Report) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for (pattern, section) in &sections.patterns {
        let Some(keys) = section.configs.get(DEFAULT) else { continue };
        for value in patterns::translate(*pattern, keys, report) {
            let part = draft::split(value.key).0;
            let held = |system: &&Section| {
                let silent = system.values.iter().all(|own| draft::split(own.key).0 != part);
                silent || system.value(value.key).is_some()
            };
            if systems.iter().all(|system| held(&system)) && found.iter().all(|known| known.key != value.key) {
                found.push(value);
            }
        }
    }
    found
}
