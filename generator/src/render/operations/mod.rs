//! Operations: for each a zero-sized type, what it takes, what it answers, and how both travel.

mod body;
mod multipart;
mod pages;
mod payload;
mod reply;
mod request;
mod stream;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use body::is_three_state;
pub(crate) use reply::AnswerShape;
pub(crate) use stream::asked_in_the_body;

use super::docs::{self, DocComment};
use super::gates;
use super::ident::ident;
use super::types::Scope;
use crate::analyse::{Forms, OperationNames, forms};
use crate::diagnose::Report;
use crate::model::{Content, Operation, Parameter, Requirement, Response};
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan};

/// What the code of an operation is rendered from.
#[derive(Clone, Copy)]
struct Context<'p> {
    plan: &'p SystemPlan,
    planned: &'p PlannedOperation,
    operation: &'p Operation,
    names: &'p OperationNames,
    forms: Forms<'p>,
    scope: Scope<'p>,
}

/// The items of an operation, by its index in the plan.
pub(super) fn item(plan: &SystemPlan, index: usize) -> TokenStream {
    let Some(planned) = plan.operations.get(index) else { return TokenStream::new() };
    gates::items(gates::of_operation(plan, planned), Context::new(plan, planned).tokens())
}

/// Tells what of the operations cannot be sent or read as the document has it.
pub(super) fn check(plan: &SystemPlan, report: &mut Report) {
    for planned in &plan.operations {
        let context = Context::new(plan, planned);
        request::check(context, report);
        body::check(context, report);
        payload::check(context, report);
        stream::check(context, report);
    }
}

/// Media types with the type of the body in each.
type BodyTypes = Vec<(String, TokenStream)>;

/// The types of an operation's request, and of each of its responses.
pub(super) fn body_types(plan: &SystemPlan, planned: &PlannedOperation) -> (BodyTypes, Vec<BodyTypes>) {
    let context = Context::new(plan, planned);
    let request = context.operation.body.iter().flat_map(|body| &body.contents);
    let request = request.map(|content| (content.media_type.clone(), body::content_type(context, content))).collect();
    let responses = context.operation.responses.iter().map(|response| {
        let contents = context.operation.contents(response).iter();
        let is_success = context.operation.is_success(response.status);
        let ty = |content: &Content| match is_success && content.kind.is_stream() {
            true => stream::Item::of(context, content).stream_type(),
            false => payload::content_type(context, content),
        };
        contents.map(|content| (content.media_type.clone(), ty(content))).collect()
    });
    (request, responses.collect())
}

/// How an operation answers item by item, for those who need not see its code.
#[derive(Debug, Clone)]
pub(crate) struct StreamShape {
    /// `events` or `lines`.
    pub(crate) form: &'static str,
    /// The media type that is asked for.
    pub(crate) media_type: String,
    /// The type of what each item says.
    pub(crate) item: String,
    /// What the client's method gives.
    pub(crate) stream: TokenStream,
    /// Headers that are documented for it.
    pub(crate) headers: Vec<String>,
}

/// How an operation answers item by item, if it can.
pub(crate) fn stream_shape(plan: &SystemPlan, planned: &PlannedOperation) -> Option<StreamShape> {
    let context = Context::new(plan, planned);
    let (response, content) = context.forms.items?;
    let item = stream::Item::of(context, content);
    Some(StreamShape {
        form: item.form(),
        media_type: item.media_type().to_owned(),
        item: super::printed(item.data_type()),
        stream: item.stream_type(),
        headers: response.headers.iter().map(|header| header.name.clone()).collect(),
    })
}

/// How reply and rejection hold each documented response.
pub(super) fn answer_shapes(plan: &SystemPlan, planned: &PlannedOperation) -> Vec<AnswerShape> {
    reply::shapes(Context::new(plan, planned))
}

impl<'p> Context<'p> {
    fn new(plan: &'p SystemPlan, planned: &'p PlannedOperation) -> Self {
        let operation = plan.operation(planned);
        let names = &plan.names.operations[planned.index];
        Self { plan, planned, operation, names, forms: forms(operation), scope: Scope::outside(plan) }
    }

    fn tokens(self) -> TokenStream {
        let (docs, marker) = (self.marker_docs(), ident(&self.names.marker));
        let request_items = request::items(self);
        let reply_items = reply::items(self);
        let whole = self.forms.whole.then(|| self.whole());
        let stream = stream::operation(self);
        let pages = pages::implementation(self);
        quote! {
            #docs
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct #marker;
            #request_items
            #reply_items
            #whole
            #stream
            #pages
        }
    }

    /// The operation as it answers whole.
    fn whole(self) -> TokenStream {
        let meta = self.meta(&self.accept());
        let (encode, decode) = (request::encode(self), reply::decode(self));
        let operation = self.implementation(&self.names.marker, &self.names.reply, &meta, &quote!(#encode #decode));
        let (marker, kinds) = (ident(&self.names.marker), self.kinds());
        quote! {
            #operation
            #(impl rt::#kinds for #marker {})*
        }
    }

    /// What every form of an operation is; `functions` write its request and read its reply.
    fn implementation(self, marker: &str, reply: &str, meta: &TokenStream, functions: &TokenStream) -> TokenStream {
        let (marker, reply) = (ident(marker), ident(reply));
        let (request, rejection) = (ident(&self.names.request), ident(&self.names.rejection));
        quote! {
            impl rt::Operation for #marker {
                type Request = #request;
                type Reply = #reply;
                type Rejection = #rejection;
                const META: &'static rt::OperationMeta = &#meta;
                #functions
            }
        }
    }

    fn marker_docs(self) -> TokenStream {
        let mut comment = DocComment::default();
        comment.own(&docs::code(&format!("{} {}", self.operation.method, self.operation.path.raw)));
        comment.own(&kind_sentence(self.planned));
        comment.attributes()
    }

    fn meta(self, accept: &str) -> TokenStream {
        let Operation { id, method, path, .. } = self.operation;
        let (system, path) = (&self.plan.system, &path.raw);
        let name = crate::analyse::bare(&self.names.method);
        let kind = match self.planned.kind {
            OperationKind::Read => quote!(Read),
            OperationKind::Keyed => quote!(Keyed),
            OperationKind::Once => quote!(Once),
        };
        let security = security(self.operation.security.as_deref());
        quote! {
            rt::OperationMeta {
                system: #system,
                id: #id,
                name: #name,
                kind: rt::OperationKind::#kind,
                method: #method,
                path: #path,
                accept: #accept,
                security: #security,
            }
        }
    }

    /// Every media type that a whole reply is documented in, those of successes first.
    fn accept(self) -> String {
        let (successes, others): (Vec<_>, Vec<_>) =
            self.operation.responses.iter().partition(|response| self.operation.is_success(response.status));
        let contents = successes.into_iter().chain(others).flat_map(|response| self.wholes(response));
        joined(contents.map(|(_, content)| content))
    }

    /// The media type of the stream, and those of failures that cannot be taken for a wish for a whole success.
    fn accept_stream(self, item: &Content) -> String {
        let (successes, others): (Vec<_>, Vec<_>) =
            self.operation.responses.iter().partition(|response| self.operation.is_success(response.status));
        let wholes: Vec<&str> = successes
            .into_iter()
            .flat_map(|response| self.wholes(response))
            .map(|(_, content)| content.media_type.as_str())
            .collect();
        let others = others.into_iter().flat_map(|response| self.operation.contents(response));
        joined(std::iter::once(item).chain(others.filter(|content| !wholes.contains(&content.media_type.as_str()))))
    }

    /// The bodies of a response that are read whole, with their places among all of them.
    fn wholes(self, response: &'p Response) -> Vec<(usize, &'p Content)> {
        let is_success = self.operation.is_success(response.status);
        let contents = self.operation.contents(response).iter().enumerate();
        contents.filter(|(_, content)| !(is_success && content.kind.is_stream())).collect()
    }

    /// The parameter that carries the idempotency key: an argument of its own, no field of the request.
    fn is_key(self, parameter: &Parameter) -> bool {
        self.planned.is_key(parameter)
    }

    fn kinds(self) -> Vec<TokenStream> {
        match (self.planned.kind, &self.planned.key) {
            (OperationKind::Read, _) => vec![quote!(Read)],
            (OperationKind::Once, _) => vec![quote!(Once)],
            (
                OperationKind::Keyed,
                Some(KeyPlace::Header { required: false, .. } | KeyPlace::Query { required: false, .. }),
            ) => vec![quote!(Keyed), quote!(Once)],
            (OperationKind::Keyed, _) => vec![quote!(Keyed)],
        }
    }
}

/// What may be repeated and why, as a sentence for readers.
pub(crate) fn kind_sentence(planned: &PlannedOperation) -> String {
    let word = match planned.kind {
        OperationKind::Read => "Read",
        OperationKind::Keyed => "Keyed",
        OperationKind::Once => "Once",
    };
    let reason = docs::sentence(&planned.reason);
    let end = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
    if reason.is_empty() { format!("{word}.") } else { format!("{word}: {reason}{end}") }
}

fn joined<'c>(contents: impl Iterator<Item = &'c Content>) -> String {
    let mut seen = BTreeSet::new();
    let essences = contents.map(|content| body::essence(&content.media_type));
    essences.filter(|essence| seen.insert(essence.clone())).collect::<Vec<_>>().join(", ")
}

fn security(alternatives: Option<&[Requirement]>) -> TokenStream {
    let Some(alternatives) = alternatives else { return quote!(None) };
    let alternatives = alternatives.iter().map(|requirement| {
        let uses = requirement
            .schemes
            .iter()
            .map(|(scheme, scopes)| quote!(rt::http::SchemeUse { scheme: #scheme, scopes: &[#(#scopes),*] }));
        quote!(&[#(#uses),*])
    });
    quote!(Some(&[#(#alternatives),*]))
}
