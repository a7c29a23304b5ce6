//! Which systems there are: the instances of Resilience4j and the clients, brought together under one name each.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToKebabCase as _;

use super::relaxed::plain;
use super::sections::{Keys, Pattern, Sections};
use crate::diagnose::{Location, Report, Severity};

/// A system, and what the service calls it.
#[derive(Debug)]
pub(super) struct Named {
    /// As our settings call it.
    pub(super) name: String,
    /// As instances of Resilience4j are called; `None` where there is only a client.
    pub(super) instance: Option<String>,
    /// As its client is called.
    pub(super) client: Option<String>,
    /// Where it stands first.
    pub(super) from: Location,
}

/// All systems, by their names.
pub(super) fn named(sections: &Sections, report: &mut Report) -> Vec<Named> {
    let instances: BTreeSet<&String> =
        sections.patterns.values().flat_map(|section| section.instances.keys()).collect();
    let mut used: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut systems = Vec::new();
    for instance in instances {
        let client = client_of(instance, sections);
        if let Some(client) = client {
            used.entry(client).or_default().push(instance);
        }
        let from = instance_place(instance, sections)
            .or_else(|| client.and_then(|client| place(sections.clients.get(client)?)));
        let (instance, client) = (Some(instance.clone()), client.map(str::to_owned));
        systems.push(Named { name: String::new(), instance, client, from: from.unwrap_or_default() });
    }
    for (client, keys) in &sections.clients {
        match used.get(client.as_str()).map(Vec::as_slice) {
            None => {
                let from = place(keys).unwrap_or_default();
                systems.push(Named { name: String::new(), instance: None, client: Some(client.clone()), from });
            }
            Some(sharing) => joined(client, sharing, keys, report),
        }
    }
    give_names(&mut systems, report);
    systems.sort_by(|one, other| one.name.cmp(&other.name));
    systems
}

/// The client of an instance: of the same name, or of the words that its name begins with (`f6` of `f6-api`).
fn client_of<'s>(instance: &str, sections: &'s Sections) -> Option<&'s str> {
    let clients = || sections.clients.keys().map(String::as_str);
    if let Some(same) = clients().find(|client| plain(client) == plain(instance)) {
        return Some(same);
    }
    let kebab = instance.to_kebab_case();
    let begins = |client: &str| kebab.strip_prefix(&client.to_kebab_case()).is_some_and(|rest| rest.starts_with('-'));
    clients().filter(|client| begins(client)).max_by_key(|client| client.len())
}

/// Tells when a client has another name than its instance, and when several instances share it.
fn joined(client: &str, sharing: &[&str], keys: &Keys, report: &mut Report) {
    let Some(at) = place(keys) else { return };
    if let [_, _, ..] = sharing {
        let message = format!("the client `{client}` serves several systems: {}", sharing.join(", "));
        let help = "each system gets a client and a pool of its own, with these settings";
        report.at(Severity::Warning, "R-RES-ISO-X1", at, message, help);
        return;
    }
    for instance in sharing.iter().filter(|instance| plain(instance) != plain(client)) {
        let message = format!("the client `{client}` is taken for that of `{instance}`: a system has one name");
        report.at(
            Severity::Note,
            "R-RES-ISO-3",
            at.clone(),
            message,
            "give both the same name where they are one system",
        );
    }
}

fn instance_place(instance: &str, sections: &Sections) -> Option<Location> {
    Pattern::ALL.iter().find_map(|pattern| place(sections.patterns.get(pattern)?.instances.get(instance)?))
}

/// Where a set of keys begins.
fn place(keys: &Keys) -> Option<Location> {
    keys.values().map(|property| &property.at).min_by_key(|at| (at.file.clone(), at.line, at.col)).cloned()
}

/// Names that our settings and project files take.
fn give_names(systems: &mut [Named], report: &mut Report) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for system in systems {
        let theirs = system.instance.as_deref().or(system.client.as_deref()).unwrap_or_default();
        let mut name = if crate::project::is_system_name(theirs) { theirs.to_owned() } else { legal(theirs) };
        let plain_name = name.clone();
        let mut number = 2;
        while taken.contains(&name) {
            name = format!("{plain_name}-{number}");
            number += 1;
        }
        if name != theirs {
            let message = format!("the system {theirs:?} is called `{name}` here");
            let help = "lower-case words of letters and digits, joined by `-` or `_`, the first a letter";
            report.at(Severity::Note, "CD-IMPORT-NAME", system.from.clone(), message, help);
        }
        taken.insert(name.clone());
        system.name = name;
    }
}

fn legal(name: &str) -> String {
    let ascii: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let kebab: String = ascii.to_kebab_case().chars().take(80).collect();
    let kebab = kebab.trim_matches('-');
    if crate::project::is_system_name(kebab) {
        return kebab.to_owned();
    }
    let prefixed = format!("system-{kebab}");
    if crate::project::is_system_name(&prefixed) { prefixed } else { "system".to_owned() }
}
