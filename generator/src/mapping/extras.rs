//! Which types get derives and attributes besides.

use std::collections::BTreeMap;

use super::CODE;
use crate::diagnose::{Report, Severity, nearest};
use crate::model::{NameSource, SchemaDef, SchemaId, SchemaKind};
use crate::plan::SystemPlan;
use crate::project::Extra;

/// What a type gets besides, as source text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extras {
    /// Paths of derive macros.
    pub derives: Vec<String>,
    /// Attributes.
    pub attributes: Vec<String>,
}

/// The types that get something besides. What names no generated type is an error.
pub fn extras(plan: &SystemPlan, declared: &[Extra], report: &mut Report) -> BTreeMap<SchemaId, Extras> {
    let mut found: BTreeMap<SchemaId, Extras> = BTreeMap::new();
    for extra in declared {
        let named: Vec<&SchemaDef> = emitted(plan).filter(|def| is_named(plan, def, &extra.key)).collect();
        let items: Vec<&SchemaDef> = named.iter().copied().filter(|def| is_item(plan, def)).collect();
        if items.is_empty() {
            tell(plan, extra, !named.is_empty(), report);
        }
        for def in items {
            let extras = found.entry(def.id).or_default();
            add(&mut extras.derives, extra.derives.iter().map(|derive| &derive.value));
            add(&mut extras.attributes, extra.attributes.iter().map(|attribute| &attribute.value));
        }
    }
    found
}

fn add<'a>(list: &mut Vec<String>, more: impl Iterator<Item = &'a String>) {
    for one in more {
        if !list.contains(one) {
            list.push(one.clone());
        }
    }
}

fn emitted(plan: &SystemPlan) -> impl Iterator<Item = &SchemaDef> {
    plan.api.schemas.iter().filter(|def| plan.reached.get(def.id.index()) == Some(&true))
}

/// Whether a schema becomes a type of its own, and not another name of one.
fn is_item(plan: &SystemPlan, def: &SchemaDef) -> bool {
    !matches!(def.kind, SchemaKind::Alias(_)) || plan.newtypes.contains(&def.id)
}

fn names<'p>(plan: &'p SystemPlan, def: &'p SchemaDef) -> impl Iterator<Item = &'p str> {
    let component = match &def.name {
        NameSource::Component(name) => Some(name.as_str()),
        _ => None,
    };
    component.into_iter().chain(plan.names.types.get(def.id.index()).map(String::as_str))
}

fn is_named(plan: &SystemPlan, def: &SchemaDef, key: &str) -> bool {
    let pointer = key.strip_prefix('#').unwrap_or(key);
    if pointer.starts_with('/') {
        return def.origin.file == 0 && def.origin.pointer == pointer;
    }
    names(plan, def).any(|name| matches(key, name))
}

/// Whether a name fits a pattern in which `*` is any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, between)) = pieces.split_last() else { return rest.is_empty() };
    for piece in between {
        match rest.find(piece) {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn tell(plan: &SystemPlan, extra: &Extra, only_names: bool, report: &mut Report) {
    if only_names {
        let message =
            format!("{:?}: it is only another name of a type, which takes no derive and no attribute", extra.key);
        report.at(Severity::Error, CODE, extra.at.clone(), message, "name the type itself");
        return;
    }
    let all: Vec<&str> = emitted(plan).filter(|def| is_item(plan, def)).flat_map(|def| names(plan, def)).collect();
    let near = nearest(&extra.key, all.iter().copied());
    let help = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
    let message = format!("{:?}: no schema whose type is generated has this name", extra.key);
    report.at(Severity::Error, CODE, extra.at.clone(), message, help);
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, name) in
            [("Order", "Order"), ("*", "Order"), ("Or*", "Order"), ("*er", "Order"), ("O*d*r", "Order"), ("**", "")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("Order", "Orders"), ("Or*x", "Order"), ("*d", "Order"), ("aa*aa", "aaa"), ("O*O*", "Order"), ("", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
