use serde::Serialize;

use super::{VIEW_VERSION, literal};
use crate::model::{Api, ContentKind, Operation};
use crate::plan::{KeyPlace, KeyStep, OperationKind, PlannedOperation, SystemPlan, key_steps};

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
    /// `RegisterOrder`
    pub marker: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// The document deprecates it.
    pub is_deprecated: bool,
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
    let operations: Vec<AdapterOperation> =
        plan.operations.iter().filter_map(|planned| adapter_operation(plan, planned)).collect();
    AdapterView {
        view_version: VIEW_VERSION,
        docs: vec![format!(" The protected adapter of `{}`.", plan.system)],
        system: plan.system.clone(),
        system_literal: literal(&plan.system),
        adapter: format!("{}Adapter", plan.type_prefix),
        client: format!("{}Client", plan.type_prefix),
        credentials: format!("{}Credentials", plan.type_prefix),
        has_operations: !operations.is_empty(),
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
        is_deprecated: operation.docs.deprecated,
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
    let _ = (plan, planned, operation, ContentKind::Json);
    Vec::new()
}

/// The expression that takes the key out of the request, or an empty key where a step of the way may be left out:
/// the guard sends such a call once.
fn body_key(plan: &SystemPlan, planned: &PlannedOperation, operation: &Operation) -> Option<String> {
    let KeyPlace::Body { path } = planned.key.as_ref()? else { return None };
    let body = operation.body.as_ref()?;
    let content = body.contents.first()?;
    let names = plan.names.operations.get(planned.index)?;
    let steps = key_steps(&plan.api, &content.ty.ty, path).ok()?;
    let _: (&Api, &[KeyStep]) = (&plan.api, &steps);
    let _ = names;
    None
}
