//! Operations that answer in other forms than whole: item by item, as bytes that come in pieces, page by page.

use serde::Serialize;

use crate::plan::{OperationKind, PageNext, PageSize, PlannedOperation, SystemPlan};
use crate::render;

/// A form in which an operation's reply comes in pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StreamDocument {
    /// `events` (server-sent events), `lines` (JSON lines) or `bytes`.
    pub form: &'static str,
    /// The media type that is asked for; `None` for bytes, which are asked for as the whole reply is.
    pub media_type: Option<String>,
    /// The bare client's method.
    pub client: String,
    /// The adapter's method.
    pub adapter: String,
    /// The zero-sized type that a mapping is for.
    pub marker: String,
    /// The type of what an item says: of the data of an event, of a line. `None` for bytes.
    pub item: Option<String>,
    /// Whether the adapter opens it again where it broke off.
    pub resumes: bool,
}

/// How an operation comes page by page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PagesDocument {
    /// The bare client's method.
    pub client: String,
    /// The adapter's method.
    pub adapter: String,
    /// What leads from a page to the next: `cursor`, `page` or `link`.
    pub next: &'static str,
    /// The field of the reply that leads to the next page, joined by dots.
    pub from: Option<String>,
    /// The query parameter that says which page.
    pub to: Option<String>,
    /// The number of the first page.
    pub first: Option<u64>,
    /// How many items a full page has: a number, or a query parameter.
    pub size: Option<serde_json::Value>,
    /// The list in the reply, joined by dots; empty for the reply itself.
    pub items: Option<String>,
}

pub(super) fn streams(plan: &SystemPlan, planned: &PlannedOperation) -> Vec<StreamDocument> {
    let Some(names) = plan.names.operations.get(planned.index) else { return Vec::new() };
    let items = render::stream_shape(plan, planned).zip(names.stream.as_ref()).map(|(shape, names)| StreamDocument {
        form: shape.form,
        media_type: Some(shape.media_type),
        client: client(plan, &names.method),
        adapter: adapter(plan, &names.method),
        marker: format!("operations::{}", names.marker),
        item: Some(shape.item),
        resumes: planned.kind == OperationKind::Read && shape.form == "events",
    });
    let bytes = names.byte_stream.as_ref().map(|method| StreamDocument {
        form: "bytes",
        media_type: None,
        client: client(plan, method),
        adapter: adapter(plan, method),
        marker: format!("operations::{}", names.marker),
        item: None,
        resumes: false,
    });
    items.into_iter().chain(bytes).collect()
}

pub(super) fn pages(plan: &SystemPlan, planned: &PlannedOperation) -> Option<PagesDocument> {
    let (pages, names) = (planned.pages.as_ref()?, plan.names.operations.get(planned.index)?);
    let mut document = PagesDocument {
        client: client(plan, &names.pages),
        adapter: adapter(plan, &names.pages),
        next: "link",
        from: None,
        to: None,
        first: None,
        size: None,
        items: pages.items.as_ref().map(|items| items.join(".")),
    };
    match &pages.next {
        PageNext::Cursor { from, to } => {
            (document.next, document.from, document.to) = ("cursor", Some(from.join(".")), Some(to.clone()));
        }
        PageNext::Number { parameter, first, size } => {
            (document.next, document.to, document.first) = ("page", Some(parameter.clone()), Some(*first));
            document.size = match size {
                PageSize::Unknown => None,
                PageSize::Fixed(size) => Some((*size).into()),
                PageSize::Parameter(name) => Some(name.as_str().into()),
            };
        }
        PageNext::LinkHeader => {}
        PageNext::LinkField { from } => document.from = Some(from.join(".")),
    }
    Some(document)
}

fn client(plan: &SystemPlan, method: &str) -> String {
    format!("client::{}Client::{method}", plan.type_prefix)
}

fn adapter(plan: &SystemPlan, method: &str) -> String {
    format!("adapter::{}Adapter::{method}", plan.type_prefix)
}
