//! Overrides by variables of the environment: `COFFERDAM__SBER__TIMEOUTS__READ=10s`.
//!
//! They are laid into the tree before it is read, so that an override is checked as if it stood in the file.

use super::section::{Reading, VALUE, nearest};
use super::yaml::{Entry, Kind, Node, Place};

/// What all these variables begin with.
pub(super) const PREFIX: &str = "COFFERDAM__";

/// A name as a part of a variable: `f6-orders` is `F6_ORDERS`.
pub(super) fn segment(name: &str) -> String {
    name.replace('-', "_").to_uppercase()
}

/// Lays the variables into the tree, in the order of their names.
pub(super) fn apply(root: &mut Node, variables: impl IntoIterator<Item = (String, String)>, reading: &mut Reading) {
    let mut variables: Vec<(String, String)> =
        variables.into_iter().filter(|(name, _)| name.starts_with(PREFIX)).collect();
    variables.sort();
    for (name, value) in variables {
        match path(root, &name) {
            Ok(keys) => set(root, &keys, &name, value),
            Err(help) => {
                let message = "the variable names no setting".to_owned();
                reading.fault(VALUE, &Place::Variable(name), "", message, help);
            }
        }
    }
}

/// The keys that a variable stands for. Names of systems and operations are those of the file; the rest is kebab-case.
fn path(root: &Node, name: &str) -> Result<Vec<String>, String> {
    let mut segments = name.strip_prefix(PREFIX).unwrap_or(name).split("__");
    let first = segments.next().unwrap_or_default();
    let mut keys = match first {
        "DEFAULTS" => vec!["defaults".to_owned()],
        "DATABASE_POOL" => vec!["database-pool".to_owned()],
        _ => vec!["systems".to_owned(), system(root, first)?],
    };
    while let Some(next) = segments.next() {
        if next == "OPERATIONS" && keys.len() == 2 {
            let wanted = segments.next().unwrap_or_default();
            let id = operation(root, &keys, wanted)?;
            keys.extend(["operations".to_owned(), id]);
        } else {
            keys.push(next.to_lowercase().replace('_', "-"));
        }
    }
    if keys.iter().any(String::is_empty) { Err("its parts are joined by `__`".into()) } else { Ok(keys) }
}

fn system(root: &Node, wanted: &str) -> Result<String, String> {
    let names = keys_of(child(root, "systems"));
    if let Some(name) = names.iter().find(|name| segment(name) == wanted) {
        return Ok((*name).to_owned());
    }
    let known: Vec<String> = names.iter().map(|name| segment(name)).chain(["DEFAULTS".to_owned()]).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Err(match nearest(wanted, &known) {
        Some(nearest) => format!("`{PREFIX}{nearest}__…` is meant?"),
        None => format!("it goes on with the name of a system of the file: {}", known.join(", ")),
    })
}

/// An operation whose settings stand in the file: `REGISTER_ORDER` and `REGISTERORDER` are `registerOrder`.
fn operation(root: &Node, system: &[String], wanted: &str) -> Result<String, String> {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let mut node = Some(root);
    for key in system {
        node = node.and_then(|node| child(node, key));
    }
    let ids = keys_of(node.and_then(|node| child(node, "operations")));
    let mut found = ids.iter().filter(|id| plain(id) == plain(wanted));
    match (found.next(), found.next()) {
        (Some(id), None) => Ok((*id).to_owned()),
        (Some(one), Some(two)) => Err(format!("it could be `{one}` and `{two}`: set it in the file")),
        (None, _) => Err(format!("the file has no settings of an operation {wanted}: write its section first")),
    }
}

fn child<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    match &node.kind {
        Kind::Map(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value),
        _ => None,
    }
}

fn keys_of(node: Option<&Node>) -> Vec<&str> {
    match node.map(|node| &node.kind) {
        Some(Kind::Map(entries)) => entries.iter().map(|entry| entry.key.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Sets the value behind the keys, with the mappings on the way.
fn set(root: &mut Node, keys: &[String], variable: &str, value: String) {
    let place = Place::Variable(variable.to_owned());
    let mut node = root;
    for key in keys {
        // A value where a mapping should be is told when the file is read; the override does not hide it.
        if matches!(node.kind, Kind::Text(_) | Kind::List) {
            return;
        }
        if !matches!(node.kind, Kind::Map(_)) {
            node.kind = Kind::Map(Vec::new());
        }
        let Kind::Map(entries) = &mut node.kind else { return };
        let index = entries.iter().position(|entry| entry.key == *key).unwrap_or_else(|| {
            let value = Node { at: place.clone(), kind: Kind::Nothing };
            entries.push(Entry { key: key.clone(), at: place.clone(), value });
            entries.len() - 1
        });
        let Some(entry) = entries.get_mut(index) else { return };
        node = &mut entry.value;
    }
    node.at = place;
    node.kind = Kind::Text(value);
}
