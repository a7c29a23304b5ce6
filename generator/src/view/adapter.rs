use serde::Serialize;

use super::{VIEW_VERSION, literal};
use crate::analyse::{Presence, presence};
use crate::model::{ContentKind, Docs, Operation};
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan, key_steps};
use crate::render::docs::{self, DocComment};
use crate::render::kind_sentence;

/// The adapter of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdapterView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// Documentation lines of the module, ready for `//!`.
    pub docs: Vec<String>,
    /// `sber`
    pub system: String,
    /// `"sber"`
    pub system_literal: String,
    /// `SberAdapter`
    pub adapter: String,
    /// `SberClient`
    pub client: String,
    /// `SberCredentials`
    pub credentials: String,
    /// Whether there is any operation.
    pub has_operations: bool,
    /// Whether operations are named by their paths, because one has a name that the adapter's file needs.
    pub has_paths: bool,
    /// Whether any operation has an idempotency key.
    pub uses_keys: bool,
    /// The operations in document order.
    pub operations: Vec<AdapterOperation>,
}

/// A method of the adapter. Exactly one of `is_read`, `is_once`, `has_body_key`, `takes_key` and `takes_optional_key`
/// holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdapterOperation {
    /// Its id in the document.
    pub id: String,
    /// `register_order`
    pub method: String,
    /// `RegisterOrder`, as the adapter's file names it.
    pub marker: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// May be repeated.
    pub is_read: bool,
    /// Sent once.
    pub is_once: bool,
    /// Keyed by a field of the request's body.
    pub has_body_key: bool,
    /// The expression that takes the key out of `request`; empty without `has_body_key`.
    pub body_key: String,
    /// Keyed by an argument.
    pub takes_key: bool,
    /// Keyed by an argument that may be left out; the call is sent once then.
    pub takes_optional_key: bool,
}

/// The view of a system's adapter.
#[must_use]
pub fn adapter(plan: &SystemPlan) -> AdapterView {
    let mut operations: Vec<AdapterOperation> =
        plan.operations.iter().filter_map(|planned| adapter_operation(plan, planned)).collect();
    let own = ["Adapter", "Client", "Credentials"].map(|word| format!("{}{word}", plan.type_prefix));
    let has_paths = operations.iter().any(|operation| own.contains(&operation.marker));
    if has_paths {
        operations.iter_mut().for_each(|operation| operation.marker.insert_str(0, "operations::"));
    }
    AdapterView {
        view_version: VIEW_VERSION,
        docs: vec![format!(" The protected adapter of `{}`.", plan.system)],
        system: plan.system.clone(),
        system_literal: literal(&plan.system),
        adapter: format!("{}Adapter", plan.type_prefix),
        client: format!("{}Client", plan.type_prefix),
        credentials: format!("{}Credentials", plan.type_prefix),
        has_operations: !operations.is_empty(),
        has_paths,
        uses_keys: operations.iter().any(|o| o.has_body_key || o.takes_key || o.takes_optional_key),
        operations,
    }
}

fn adapter_operation(plan: &SystemPlan, planned: &PlannedOperation) -> Option<AdapterOperation> {
    let operation = plan.operation(planned);
    let names = plan.names.operations.get(planned.index)?;
    let body_key = body_key(plan, planned, operation);
    let argument = match &planned.key {
        Some(KeyPlace::Header { required, .. } | KeyPlace::Query { required, .. }) => Some(*required),
        _ => None,
    };
    Some(AdapterOperation {
        id: operation.id.clone(),
        method: names.method.clone(),
        marker: names.marker.clone(),
        docs: docs(plan, planned, operation),
        is_read: planned.kind == OperationKind::Read,
        is_once: planned.kind == OperationKind::Once,
        has_body_key: body_key.is_some(),
        body_key: body_key.unwrap_or_default(),
        takes_key: argument == Some(true),
        takes_optional_key: argument == Some(false),
    })
}

/// Summary, method and path, why it may be repeated or not, where the settings are, and what the document says more.
fn docs(plan: &SystemPlan, planned: &PlannedOperation, operation: &Operation) -> Vec<String> {
    let summary = Docs { description: None, deprecated: false, ..operation.docs.clone() };
    let mut comment = DocComment::of(&summary);
    comment.own(&docs::code(&format!("{} {}", operation.method, operation.path.raw)));
    let repeated = match planned.kind {
        OperationKind::Read => "An attempt may be repeated.",
        OperationKind::Keyed => "An attempt may be repeated, with the same key.",
        OperationKind::Once => "It is sent at most one time, whatever happens.",
    };
    comment.own(&format!("{} {repeated}", kind_sentence(planned)));
    let (id, system) = (docs::code(&operation.id), docs::code(&plan.system));
    let layers = match planned.kind {
        OperationKind::Once => "Breaker, bulkhead and timeouts",
        OperationKind::Read | OperationKind::Keyed => "Retries, breaker, bulkhead and timeouts",
    };
    comment.own(&format!("{layers}: settings of {system} ({id} may have its own)."));
    comment.append(&DocComment::of(&Docs { summary: None, ..operation.docs.clone() }));
    comment.lines()
}

/// The expression that takes the key out of the request, or an empty key where a step of the way may be left out:
/// the guard sends such a call once.
fn body_key(plan: &SystemPlan, planned: &PlannedOperation, operation: &Operation) -> Option<String> {
    let KeyPlace::Body { path } = planned.key.as_ref()? else { return None };
    let body = operation.body.as_ref()?;
    let content = body.contents.first()?;
    let names = plan.names.operations.get(planned.index)?;
    let mut ways = Vec::new();
    let body_presence = match (body.required, content.kind == ContentKind::Json && content.ty.nullable) {
        (true, false) => Presence::Always,
        (true, true) => Presence::Nullable,
        (false, false) => Presence::Optional,
        (false, true) => Presence::Maybe,
    };
    ways.push((names.body.clone(), body_presence));
    for step in key_steps(&plan.api, &content.ty.ty, path).ok()? {
        let field = step.field(&plan.api)?;
        let way = plan.directions.get(step.object.index()).copied().unwrap_or_default();
        let name = plan.names.members.get(step.object.index())?.fields.get(step.field)?;
        ways.push((name.clone(), presence(field, way)?));
    }
    Some(key_expression("request", &ways))
}

/// `IdempotencyKey::from_value(&request.body.order_number)`, through whatever may be missing on the way.
fn key_expression(root: &str, ways: &[(String, Presence)]) -> String {
    let mut place = root.to_owned();
    for (index, (name, presence)) in ways.iter().enumerate() {
        place = format!("{place}.{name}");
        let rest = ways.get(index + 1..).unwrap_or_default();
        let borrowed = match presence {
            _ if rest.is_empty() => break,
            Presence::Always => continue,
            Presence::Nullable | Presence::Optional => format!("{place}.as_ref()"),
            Presence::Maybe => format!("{place}.as_ref().value()"),
        };
        let inner = key_expression("found", rest);
        return format!("{borrowed}.map_or_else(|| IdempotencyKey::new(\"\"), |found| {inner})");
    }
    format!("IdempotencyKey::from_value(&{place})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_taken_from_where_it_always_is_and_looked_for_where_it_may_be_missing() {
        let way = |name: &str, presence| (name.to_owned(), presence);
        let always = [way("body", Presence::Always), way("order_number", Presence::Always)];
        assert_eq!(key_expression("request", &always), "IdempotencyKey::from_value(&request.body.order_number)");
        let optional = [way("body", Presence::Always), way("order_number", Presence::Maybe)];
        assert_eq!(key_expression("request", &optional), "IdempotencyKey::from_value(&request.body.order_number)");
        let deep = [way("body", Presence::Optional), way("order", Presence::Maybe), way("number", Presence::Always)];
        assert_eq!(
            key_expression("request", &deep),
            "request.body.as_ref().map_or_else(|| IdempotencyKey::new(\"\"), |found| \
             found.order.as_ref().value().map_or_else(|| IdempotencyKey::new(\"\"), |found| \
             IdempotencyKey::from_value(&found.number)))"
        );
    }
}
