//! Operations that came, went, or are called otherwise.

use super::matching::Matching;
use super::shapes::{naming, of_mapper, of_operation, of_port};
use super::sides::{Item, Side};
use super::{Change, Function, Impact, messages};
use crate::analyse::OperationNames;
use crate::model::{NameSource, SchemaId};
use crate::stubs::mapped_forms;
use crate::stubs::ty::Module;

pub(super) fn changes(old: &Side<'_>, new: &Side<'_>, matching: &Matching) -> Vec<Change> {
    let removed = matching.removed.iter().map(|at| {
        let id = messages::id(old, *at);
        let message = format!("The operation `{id}` is gone ({})", messages::call(old, *at));
        let functions = of_operation(old, *at).into_iter().chain(inner(old, new, *at));
        Change::new(Impact::Breaking, "operation-removed", id, message).reaching(functions)
    });
    let added = matching.added.iter().map(|at| {
        let id = messages::id(new, *at);
        let kind = new.operation(*at).map(|(planned, ..)| messages::kind(planned.kind)).unwrap_or_default();
        let message = format!("The operation `{id}` is new ({}): {kind}", messages::call(new, *at));
        Change::new(Impact::Compatible, "operation-added", id, message)
    });
    let kept = matching.pairs.iter().flat_map(|(before, now)| kept(old, new, *before, *now));
    removed.chain(kept).chain(added).collect()
}

fn kept(old: &Side<'_>, new: &Side<'_>, before: usize, now: usize) -> Vec<Change> {
    let (Some((_, was, was_names)), Some((_, is, is_names))) = (old.operation(before), new.operation(now)) else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    let id = &is.id;
    if was_names.marker != is_names.marker || was_names.method != is_names.method {
        let (method, marker) = (&is_names.method, &is_names.marker);
        let message = format!("`{}` is called `{id}` now: `{method}`, `operations::{marker}`", was.id);
        let functions = gone_names(old, new, before, now).into_iter().chain(inner(old, new, before));
        changes.push(Change::new(Impact::Mapper, "operation-renamed", id, message).reaching(functions));
    } else {
        changes.extend(forms(old, new, before, now));
        if was.id != *id {
            let message = format!("`{}` is called `{id}` now; its Rust names stay as they are", was.id);
            let change = Change::new(Impact::Compatible, "operation-renamed", id, message);
            changes.push(change.detail("project file, settings and metrics know it by its id"));
        }
    }
    if is.docs.deprecated && !was.docs.deprecated {
        let message = format!("`{id}` is deprecated now");
        changes.push(Change::new(Impact::Compatible, "operation-deprecated", id, message));
    }
    changes
}

/// The functions that name a type or a method of an operation that is not there any more.
fn gone_names(old: &Side<'_>, new: &Side<'_>, before: usize, now: usize) -> Vec<Function> {
    let (Some((was, ..)), Some((is, ..))) = (old.operation(before), new.operation(now)) else { return Vec::new() };
    let (was, is) = (mapped_forms(old.plan, was), mapped_forms(new.plan, is));
    let lacks = |name: fn(&OperationNames) -> &String, wanted: &OperationNames| {
        is.iter().all(|form| name(&form.names) != name(wanted))
    };
    let of_form = |form: &OperationNames| {
        let marker = lacks(|names| &names.marker, form);
        let method = lacks(|names| &names.method, form);
        let implementation = marker.then(|| of_mapper(format!("Mapping<operations::{}>", form.marker)));
        implementation.into_iter().chain(method.then(|| of_port(&form.method))).collect::<Vec<_>>()
    };
    was.iter().flat_map(|form| of_form(&form.names)).collect()
}

/// Forms of the reply that came or went.
fn forms(old: &Side<'_>, new: &Side<'_>, before: usize, now: usize) -> Vec<Change> {
    let (Some((was, ..)), Some((is, _, is_names))) = (old.operation(before), new.operation(now)) else {
        return Vec::new();
    };
    let was_names = old.operation(before).map(|(_, _, names)| names);
    let id = messages::id(new, now);
    let (was, is) = (mapped_forms(old.plan, was), mapped_forms(new.plan, is));
    let form = |is_stream: bool| if is_stream { "item by item" } else { "as a whole" };
    let mut changes = Vec::new();
    for gone in was.iter().filter(|form| is.iter().all(|other| other.is_stream != form.is_stream)) {
        let message = format!("`{id}` does not answer {} any more", form(gone.is_stream));
        let functions = gone_names(old, new, before, now);
        changes.push(Change::new(Impact::Breaking, "form-removed", &id, message).reaching(functions));
    }
    for added in is.iter().filter(|form| was.iter().all(|other| other.is_stream != form.is_stream)) {
        let message = format!("`{id}` answers {} too: `{}`", form(added.is_stream), added.names.method);
        changes.push(Change::new(Impact::Compatible, "form-added", &id, message));
    }
    let bytes = was_names.and_then(|names| names.byte_stream.as_ref());
    if let (Some(method), None) = (bytes, &is_names.byte_stream) {
        let message = format!("`{id}` has no bytes to give in pieces any more: `{method}` is gone");
        changes.push(Change::new(Impact::Breaking, "form-removed", &id, message));
    }
    changes
}

/// The functions that name the inner types of an operation which are gone with its names.
fn inner(old: &Side<'_>, new: &Side<'_>, at: usize) -> Vec<Function> {
    let own = old.shapes.items().filter(|item| !new.has(item) && owner(old, item) == Some(at));
    own.flat_map(|item| naming(old, item)).collect()
}

/// The operation that a type stands in: it is around it, or described inside it.
pub(super) fn owner(side: &Side<'_>, item: &Item) -> Option<usize> {
    if item.0 == Module::Operations {
        return side.role(item).map(|(at, _)| at);
    }
    let schemas = &side.plan.api.schemas;
    let mut source = &side.schema(item)?.name;
    // Parents nest as deep as the document, and no deeper.
    for _ in 0..=schemas.len() {
        match source {
            NameSource::Component(_) => return None,
            NameSource::Inside(SchemaId(parent), _) => source = &schemas.get(usize::try_from(*parent).ok()?)?.name,
            NameSource::Operation(id, _) => {
                let is_it = |at: &usize| side.operation(*at).is_some_and(|(_, operation, _)| operation.id == *id);
                return (0..side.plan.operations.len()).find(is_it);
            }
        }
    }
    None
}
