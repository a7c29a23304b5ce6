//! What a new document does to the protection of operations: whether they may be repeated (R-RES-RE-1, R-RES-RE-X1),
//! where their keys travel, and their limits.

use super::matching::Matching;
use super::shapes::of_port;
use super::sides::Side;
use super::{Change, Function, Impact, messages};
use crate::plan::{KeyPlace, OperationKind, Policy};
use crate::stubs::mapped_forms;

pub(super) fn changes(old: &Side<'_>, new: &Side<'_>, matching: &Matching) -> Vec<Change> {
    let mut changes: Vec<Change> = matching.pairs.iter().flat_map(|pair| of_pair(old, new, *pair)).collect();
    // A retry that is lost or won goes before everything.
    changes.sort_by_key(|change| change.code != "kind-changed");
    changes
}

fn of_pair(old: &Side<'_>, new: &Side<'_>, (before, now): (usize, usize)) -> Vec<Change> {
    let (Some((was, ..)), Some((is, ..))) = (old.operation(before), new.operation(now)) else { return Vec::new() };
    let (was_key, is_key) = (was.key.as_ref(), is.key.as_ref());
    let how = |side: &Side<'_>, at: usize| {
        let reason = side.operation(at).map(|(planned, ..)| planned.reason.clone()).unwrap_or_default();
        format!("{}: {reason}", messages::call(side, at))
    };
    let told = |change: Change| {
        change
            .detail(format!("before: {}", how(old, before)))
            .detail(format!("now: {}", how(new, now)))
            .reaching(port(old, before, was_key, is_key))
    };
    let id = messages::id(new, now);
    let change = |code, message: String| Change::new(Impact::Protection, code, id.clone(), message);
    let mut changes = Vec::new();
    if was.kind != is.kind {
        let changed = told(change("kind-changed", kind_message(&id, was.kind, is.kind)));
        changes.push(match advice(was.kind, is.kind) {
            Some(advice) => changed.detail(advice),
            None => changed,
        });
    } else if was_key != is_key {
        let (was, is) = (key(was_key), key(is_key));
        changes.push(told(change("key-changed", format!("`{id}`: its idempotency key was {was} and is {is} now"))));
    }
    if let (Some(was_policy), Some(is_policy)) = (old.policies.get(before), new.policies.get(now)) {
        let limits = limits(was_policy, is_policy, was.kind == is.kind);
        if !limits.is_empty() {
            let changed = change("limits-changed", format!("`{id}`: its limits are others"));
            changes.push(limits.into_iter().fold(changed, Change::detail));
        }
    }
    changes
}

fn kind_message(id: &str, was: OperationKind, is: OperationKind) -> String {
    let (before, now) = (messages::kind(was), messages::kind(is));
    match (was, is) {
        (_, OperationKind::Once) => format!("`{id}` LOSES ITS RETRY: it was {before}, it is {now} from here on"),
        (OperationKind::Once, _) => format!("`{id}` GETS A RETRY: it was {before}, it is {now} from here on"),
        _ => format!("`{id}` was {before} and is {now} from here on"),
    }
}

fn advice(was: OperationKind, is: OperationKind) -> Option<&'static str> {
    match (was, is) {
        (_, OperationKind::Once) => Some(
            "a call that fails is not repeated any more: callers see the first failure. If it may be repeated, say so in \
             the project file: its idempotency key, or `kind = \"read\"` with the reason",
        ),
        (OperationKind::Once, _) => Some(
            "a call that fails is repeated: make sure that the system takes it twice. If it does not, declare \
             `kind = \"once\"` in the project file",
        ),
        _ => None,
    }
}

fn key(place: Option<&KeyPlace>) -> String {
    match place {
        Some(KeyPlace::Header { name, required }) => format!("the {} header `{name}`", demanded(*required)),
        Some(KeyPlace::Query { name, required }) => format!("the {} query parameter `{name}`", demanded(*required)),
        Some(KeyPlace::Body { path }) => format!("the field `{}` of the body", path.join(".")),
        None => "nowhere".to_owned(),
    }
}

fn demanded(required: bool) -> &'static str {
    if required { "required" } else { "optional" }
}

/// The port's methods, where the argument for the key is another.
fn port(old: &Side<'_>, at: usize, was: Option<&KeyPlace>, is: Option<&KeyPlace>) -> Vec<Function> {
    let argument = |key: Option<&KeyPlace>| match key {
        Some(KeyPlace::Header { required, .. } | KeyPlace::Query { required, .. }) => Some(*required),
        Some(KeyPlace::Body { .. }) | None => None,
    };
    if argument(was) == argument(is) {
        return Vec::new();
    }
    let Some((planned, ..)) = old.operation(at) else { return Vec::new() };
    mapped_forms(old.plan, planned).iter().map(|form| of_port(&form.names.method)).collect()
}

/// What differs of two policies, a line each. Attempts and layers follow from the kind, which is told by itself.
fn limits(was: &Policy, is: &Policy, same_kind: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if same_kind && was.attempts != is.attempts {
        lines.push(format!("attempts: {} before, {} now", was.attempts, is.attempts));
    }
    if same_kind && was.layers != is.layers {
        let names = |policy: &Policy| policy.layers.iter().map(|layer| layer.name()).collect::<Vec<_>>().join(" > ");
        lines.push(format!("layers: {} before, {} now", names(was), names(is)));
    }
    let (before, now) = (was.timeouts, is.timeouts);
    for (name, before, now) in [
        ("connect", before.connect_ms, now.connect_ms),
        ("read", before.read_ms, now.read_ms),
        ("call", before.call_ms, now.call_ms),
    ] {
        if before != now {
            lines.push(format!("{name} timeout: {before} ms before, {now} ms now"));
        }
    }
    lines
}
