//! What types are called: components first, then what stands inside them and inside operations.

use super::collisions::{Scope, Wanted};
use super::given::{GivenNames, schema_keys};
use super::identifiers::{Case, cased, identifier};
use super::names::{Names, is_plain};
use super::{keywords, operation_names, status_names};
use crate::model::{Api, NameSource, Origin, SchemaDef};

/// Names all schemas, by id. What is declared comes first, then what had a name and still could have it, then what is new:
/// nothing that comes later takes a name from what was there.
pub(crate) fn choose(api: &Api, given: &GivenNames) -> Vec<String> {
    let mut scope = Scope::new(Case::Camel);
    let mut names: Vec<Option<String>> = vec![None; api.schemas.len()];
    for (def, name) in api.schemas.iter().zip(&mut names) {
        *name = given.declared(&def.origin).and_then(|declared| scope.give_earlier(declared));
    }
    keep_earlier(api, given, &mut scope, &mut names);
    let mut components: Vec<(usize, Wanted)> = api.schemas.iter().filter_map(component).collect();
    components.retain(|(index, _)| names[*index].is_none());
    let wanted: Vec<Wanted> = components.iter().map(|(_, wanted)| wanted.clone()).collect();
    for ((index, _), name) in components.iter().zip(scope.assign(&wanted)) {
        names[*index] = Some(name);
    }
    for index in 0..api.schemas.len() {
        name_inner(api, index, &mut scope, &mut names);
    }
    names.into_iter().flatten().collect()
}

/// Gives schemas the names that they had, where these are names that they could get today.
fn keep_earlier(api: &Api, given: &GivenNames, scope: &mut Scope, names: &mut [Option<String>]) {
    let keys = schema_keys(api);
    let mut open: Vec<(usize, &str)> = api
        .schemas
        .iter()
        .enumerate()
        .filter(|(index, _)| names[*index].is_none())
        .filter_map(|(index, def)| Some((index, given.earlier_type(def, keys.get(index)?)?)))
        .collect();
    // What stands inside another is named after it: so often as schemas nest, and no more often.
    loop {
        let before = open.len();
        open.retain(|(index, name)| {
            let Some(wanted) = wanted(api, *index, names) else { return true };
            if wanted.could_be(name) {
                names[*index] = scope.give_earlier(name);
            }
            false
        });
        if open.len() == before {
            return;
        }
    }
}

/// What a schema is to be called; `None` as long as what it stands in has no name.
fn wanted(api: &Api, index: usize, names: &[Option<String>]) -> Option<Wanted> {
    let def = api.schemas.get(index)?;
    match &def.name {
        NameSource::Component(_) => component(def).map(|(_, wanted)| wanted),
        NameSource::Inside(parent, _) => {
            let stem = names.get(parent.index())?.as_deref()?;
            Some(inner_name(api, &def.name, Some(stem)))
        }
        NameSource::Operation(..) => Some(inner_name(api, &def.name, None)),
    }
}

fn component(def: &SchemaDef) -> Option<(usize, Wanted)> {
    match &def.name {
        NameSource::Component(name) => {
            Some((def.id.index(), Wanted::text(name, Case::Camel).unless(keywords::hides_a_plain_type, "Type")))
        }
        _ => None,
    }
}

/// Names an inline schema after its parent, which is named first. Parents nest as deep as the document, so by a list.
fn name_inner(api: &Api, index: usize, scope: &mut Scope, names: &mut [Option<String>]) {
    let mut pending = vec![index];
    while let Some(index) = pending.pop() {
        if names[index].is_some() {
            continue;
        }
        let parent = match &api.schemas[index].name {
            NameSource::Inside(parent, _) => Some(parent.index()),
            _ => None,
        };
        // A parent that is still in the list would be its own ancestor: then the words must do.
        match parent {
            Some(parent) if names[parent].is_none() && !pending.contains(&parent) && parent != index => {
                pending.extend([index, parent]);
            }
            parent => {
                let stem = parent.and_then(|parent| names[parent].clone());
                names[index] = Some(scope.give(&inner_name(api, &api.schemas[index].name, stem.as_deref())));
            }
        }
    }
}

fn inner_name(api: &Api, source: &NameSource, parent: Option<&str>) -> Wanted {
    let plain = match source {
        NameSource::Component(name) => identifier(name, Case::Camel),
        NameSource::Inside(_, words) => join(parent.unwrap_or_default(), words),
        NameSource::Operation(id, words) => join(&operation_names::stem(api, id), &status_names::replace(words)),
    };
    Wanted::composed(plain, Vec::new()).unless(keywords::hides_a_plain_type, "Type")
}

fn join(stem: &str, words: &[String]) -> String {
    // An underscore that made a name legal would stand in the middle.
    let stem = stem.trim_end_matches('_');
    let words: String = words.iter().map(|word| identifier(word, Case::Camel)).collect();
    let words = words.trim_start_matches('_');
    let meet_in_digits = stem.ends_with(|c: char| c.is_numeric()) && words.starts_with(|c: char| c.is_numeric());
    identifier(&format!("{stem}{}{words}", if meet_in_digits { "_" } else { "" }), Case::Camel)
}

/// Emitted types whose name is not plain casing.
pub(crate) fn renamed(api: &Api, names: &Names, reached: &[bool]) -> Vec<(Origin, String, String)> {
    let mut renamed = Vec::new();
    for (index, def) in api.schemas.iter().enumerate().filter(|(index, _)| reached[*index]) {
        let name = &names.types[index];
        let plain = match &def.name {
            NameSource::Component(component) => (!is_plain(component, name, Case::Camel)).then(|| component.clone()),
            NameSource::Inside(parent, words) => other(join(&names.types[parent.index()], words), name),
            NameSource::Operation(id, words) => {
                other(join(&operation_names::stem(api, id), &status_names::replace(words)), name)
            }
        };
        renamed.extend(plain.map(|plain| (def.origin.clone(), plain, name.clone())));
    }
    renamed
}

fn other(plain: String, name: &str) -> Option<String> {
    (cased(&plain, Case::Camel) != cased(name, Case::Camel)).then_some(plain)
}
