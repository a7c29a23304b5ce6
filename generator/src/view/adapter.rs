use serde::Serialize;

use super::{VIEW_VERSION, literal};
use crate::analyse::{Presence, forms, presence};
use crate::model::{ContentKind, Docs, Operation};
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan, key_steps};
use crate::render::code::filled;
use crate::render::docs::{self, DocComment};
use crate::render::{asked_in_the_body, gates, kind_sentence, stream_shape};

/// The adapter of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
    /// Lints that are not minded because some operations may be left out by features of the crate.
    pub lenient: Vec<String>,
    /// Whether any operation has an idempotency key.
    pub uses_keys: bool,
    /// Whether something is done after each call: the insertion point `points/method-after.rs.jinja` is filled.
    pub has_method_after: bool,
    /// Names of what the methods answer.
    pub answers: Vec<String>,
    /// The types of the operations, as the adapter's file imports them.
    pub markers: Vec<String>,
    /// The same, comma after each, in lines that are full.
    pub marker_lines: Vec<String>,
    /// The methods, in document order of their operations; several for one that answers in several forms.
    pub operations: Vec<AdapterOperation>,
}

/// A method of the adapter. Exactly one of `is_read`, `is_once`, `has_body_key`, `takes_key`, `takes_optional_key` and
/// `is_pages` holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AdapterOperation {
    /// Its id in the document.
    pub id: String,
    /// `register_order`
    pub method: String,
    /// `RegisterOrder`, as the adapter's file names it.
    pub marker: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// What must hold for it to be there, as attributes: none or one.
    pub gates: Vec<String>,
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
    /// Reads a list page by page.
    pub is_pages: bool,
    /// What is put behind the name of the guard's method: nothing, `_stream` or `_bytes`.
    pub form: String,
    /// `Answer`, `StreamAnswer` or `BytesAnswer`.
    pub answer: String,
    /// What more than `Mapping` the mapping must be, ready to follow it.
    pub bounds: String,
}

/// A form in which an operation answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Whole,
    Stream,
    Bytes,
    Pages,
}

/// The view of a system's adapter.
#[must_use]
pub fn adapter(plan: &SystemPlan) -> AdapterView {
    let mut operations: Vec<AdapterOperation> =
        plan.operations.iter().flat_map(|planned| adapter_operations(plan, planned)).collect();
    let own = ["Adapter", "Client", "Credentials"].map(|word| format!("{}{word}", plan.type_prefix));
    let is_gated = plan.gates.is_some();
    let has_paths = is_gated || operations.iter().any(|operation| own.contains(&operation.marker));
    if has_paths {
        operations.iter_mut().for_each(|operation| operation.marker.insert_str(0, "operations::"));
    }
    let mut markers: Vec<String> = operations.iter().map(|operation| operation.marker.clone()).collect();
    // The methods of one operation stand together.
    markers.dedup();
    let mut answers: Vec<String> = operations.iter().map(|operation| operation.answer.clone()).collect();
    answers.sort();
    answers.dedup();
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
        lenient: if is_gated { vec!["unused_imports".to_owned()] } else { Vec::new() },
        answers,
        marker_lines: filled(&markers, 1),
        markers,
        has_method_after: false,
        uses_keys: operations.iter().any(|o| o.has_body_key || o.takes_key || o.takes_optional_key),
        operations,
    }
}

/// The methods of an operation: one a form.
fn adapter_operations(plan: &SystemPlan, planned: &PlannedOperation) -> Vec<AdapterOperation> {
    let Some(names) = plan.names.operations.get(planned.index) else { return Vec::new() };
    let mut methods = Vec::new();
    if forms(plan.operation(planned)).whole {
        methods.push((Form::Whole, &names.method, &names.marker));
    }
    // Methods with the plain type next to each other: it is imported once.
    methods.extend(names.byte_stream.as_ref().map(|method| (Form::Bytes, method, &names.marker)));
    methods.extend(planned.pages.as_ref().map(|_| (Form::Pages, &names.pages, &names.marker)));
    methods.extend(names.stream.as_ref().map(|stream| (Form::Stream, &stream.method, &stream.marker)));
    let operation = |(form, method, marker): (Form, &String, &String)| {
        adapter_operation(plan, planned, form, method.clone(), marker.clone())
    };
    methods.into_iter().map(operation).collect()
}

fn adapter_operation(
    plan: &SystemPlan,
    planned: &PlannedOperation,
    form: Form,
    method: String,
    marker: String,
) -> AdapterOperation {
    let operation = plan.operation(planned);
    let body_key = body_key(plan, planned, operation);
    let argument = match &planned.key {
        Some(KeyPlace::Header { required, .. } | KeyPlace::Query { required, .. }) => Some(*required),
        _ => None,
    };
    let (suffix, answer, bounds) = match form {
        Form::Whole => ("", "Answer", ""),
        Form::Bytes => ("_bytes", "BytesAnswer", ""),
        Form::Stream | Form::Pages => ("_stream", "StreamAnswer", " + Clone + 'static"),
    };
    AdapterOperation {
        id: operation.id.clone(),
        method,
        marker,
        docs: docs(plan, planned, operation, form),
        gates: gates::of_operation(plan, planned).into_iter().collect(),
        is_read: planned.kind == OperationKind::Read && form != Form::Pages,
        is_once: planned.kind == OperationKind::Once,
        has_body_key: body_key.is_some(),
        body_key: body_key.unwrap_or_default(),
        takes_key: argument == Some(true),
        takes_optional_key: argument == Some(false),
        is_pages: form == Form::Pages,
        form: suffix.to_owned(),
        answer: answer.to_owned(),
        bounds: bounds.to_owned(),
    }
}

/// Summary, method and path, why it may be repeated or not, where the settings are, and what the document says more.
fn docs(plan: &SystemPlan, planned: &PlannedOperation, operation: &Operation, form: Form) -> Vec<String> {
    let summary = Docs { description: None, deprecated: false, ..operation.docs.clone() };
    let mut comment = DocComment::of(&summary);
    comment.own(&docs::code(&format!("{} {}", operation.method, operation.path.raw)));
    let sentence = match form {
        Form::Whole => "",
        Form::Stream => "Answers item by item, each as it comes.",
        Form::Bytes => "Answers with the bytes of its reply as they come; nothing maps them.",
        Form::Pages => "Page by page: each is a call of its own, made when the page is asked for.",
    };
    if !sentence.is_empty() {
        comment.own(sentence);
    }
    if form == Form::Stream
        && let Some(sentence) = asked_in_the_body(plan, operation)
    {
        comment.own(sentence);
    }
    let resumes = form == Form::Stream && stream_shape(plan, planned).is_some_and(|shape| shape.form == "events");
    let repeated = match planned.kind {
        OperationKind::Read if resumes => "An attempt may be repeated, and events with ids go on where they broke off.",
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
