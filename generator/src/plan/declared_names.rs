//! The names that the project file declares, held against the document.

use std::collections::BTreeMap;

use crate::analyse::{GivenNames, is_own_method, is_own_type};
use crate::diagnose::{Report, Severity, nearest};
use crate::model::{Api, Origin};
use crate::project::{DeclaredName, System};

/// What a declared name is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Schema,
    Operation,
}

/// The names that are settled before any is chosen: those of an earlier run, and those that are declared. What is wrong
/// with the latter goes to the report.
pub fn given_names(
    api: &Api,
    system: &System,
    earlier: &BTreeMap<String, String>,
    report: &mut Report,
) -> Option<GivenNames> {
    let mut given = GivenNames::after(earlier);
    let mut taken: BTreeMap<(Of, &str), &str> = BTreeMap::new();
    let mut all_right = true;
    for declared in &system.names {
        let fault = match found(api, &declared.pointer) {
            None => Some(unknown(api, declared)),
            Some(of) => wrong(of, &declared.name.value).map(str::to_owned).or_else(|| {
                let other = taken.insert((of, &declared.name.value), &declared.pointer)?;
                Some(format!("{other} is called so already"))
            }),
        };
        match fault {
            None => drop(given.declared.insert(declared.pointer.clone(), declared.name.value.clone())),
            Some(fault) => {
                let message = format!("`{}` cannot be called `{}`", declared.pointer, declared.name.value);
                report.at(Severity::Error, "CD-NAME-DECLARED", declared.name.at.clone(), message, fault);
                all_right = false;
            }
        }
    }
    all_right.then_some(given)
}

fn found(api: &Api, pointer: &str) -> Option<Of> {
    let is_it = |origin: &Origin| origin.file == 0 && origin.pointer == pointer;
    if api.schemas.iter().any(|schema| is_it(&schema.origin)) {
        return Some(Of::Schema);
    }
    api.operations.iter().any(|operation| is_it(&operation.origin)).then_some(Of::Operation)
}

/// Why a name is none for what it is declared for.
fn wrong(of: Of, name: &str) -> Option<&'static str> {
    let begins_high = name.starts_with(char::is_uppercase);
    match of {
        Of::Schema if !begins_high => Some("a type begins with a capital letter"),
        Of::Schema if is_own_type(name) => Some("generated code needs that name for a type of the standard library"),
        Of::Operation if begins_high => Some("a method begins with a small letter"),
        Of::Operation if is_own_method(name) => Some("generated clients and adapters have a method of that name"),
        _ => None,
    }
}

fn unknown(api: &Api, declared: &DeclaredName) -> String {
    let schemas = api.schemas.iter().map(|schema| &schema.origin);
    let all = schemas.chain(api.operations.iter().map(|operation| &operation.origin));
    let pointers: Vec<&str> = all.filter(|origin| origin.file == 0).map(|origin| origin.pointer.as_str()).collect();
    match nearest(&declared.pointer, pointers) {
        Some(near) => format!("the document has no schema and no operation there; did you mean `{near}`?"),
        None => "the document has no schema and no operation there, or none that becomes a type of its own".to_owned(),
    }
}
