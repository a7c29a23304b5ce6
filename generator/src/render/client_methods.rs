//! The methods of the bare client: one for each form in which an operation answers.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::{self, DocComment};
use super::ident::ident;
use super::operations::{self, StreamShape, asked_in_the_body};
use crate::analyse::{OperationNames, forms};
use crate::model::Operation;
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan};

/// All methods of an operation.
pub(super) fn methods(plan: &SystemPlan, planned: &PlannedOperation) -> TokenStream {
    let operation = plan.operation(planned);
    let Some(names) = plan.names.operations.get(planned.index) else { return TokenStream::new() };
    let method = Method { plan, planned, operation, names };
    let forms = forms(operation);
    let whole = forms.whole.then(|| method.whole());
    let stream = operations::stream_shape(plan, planned).map(|shape| method.stream(&shape));
    let bytes = names.byte_stream.as_ref().map(|name| method.bytes(name));
    let pages = planned.pages.as_ref().map(|_| method.pages());
    quote!(#whole #stream #bytes #pages)
}

struct Method<'p> {
    plan: &'p SystemPlan,
    planned: &'p PlannedOperation,
    operation: &'p Operation,
    names: &'p OperationNames,
}

impl Method<'_> {
    /// What the document says, what is called, and why it may be repeated or not; between them what is special.
    fn docs(&self, special: &[&str]) -> TokenStream {
        let mut comment = DocComment::of(&self.operation.docs);
        comment.own(&docs::code(&format!("{} {}", self.operation.method, self.operation.path.raw)));
        for sentence in special {
            comment.own(sentence);
        }
        comment.own(&operations::kind_sentence(self.planned));
        comment.attributes()
    }

    /// The argument for the idempotency key, and what is handed on of it.
    fn key(&self) -> (Option<TokenStream>, TokenStream) {
        match &self.planned.key {
            Some(KeyPlace::Header { required: true, .. } | KeyPlace::Query { required: true, .. }) => {
                (Some(quote!(, key: &rt::IdempotencyKey)), quote!(Some(key)))
            }
            Some(KeyPlace::Header { .. } | KeyPlace::Query { .. }) => {
                (Some(quote!(, key: Option<&rt::IdempotencyKey>)), quote!(key))
            }
            Some(KeyPlace::Body { .. }) | None => (None, quote!(None)),
        }
    }

    fn calling(&self, docs: &TokenStream, method: &str, answer: &TokenStream, call: &TokenStream) -> TokenStream {
        let (method, request, rejection) = (ident(method), ident(&self.names.request), ident(&self.names.rejection));
        let (argument, _) = self.key();
        quote! {
            #docs
            pub async fn #method(
                &self,
                request: &operations::#request
                #argument
            ) -> Result<#answer, rt::ClientError<operations::#rejection>> {
                #call.await
            }
        }
    }

    fn whole(&self) -> TokenStream {
        let (marker, reply, (_, key)) = (ident(&self.names.marker), ident(&self.names.reply), self.key());
        let call = quote!(self.http.call::<operations::#marker>(request, #key));
        self.calling(&self.docs(&[]), &self.names.method, &quote!(operations::#reply), &call)
    }

    fn stream(&self, shape: &StreamShape) -> TokenStream {
        let Some(names) = &self.names.stream else { return TokenStream::new() };
        let (marker, (_, key)) = (ident(&names.marker), self.key());
        let is_resumed = self.planned.kind == OperationKind::Read && shape.form == "events";
        let call = match is_resumed {
            true => quote!(self.http.subscribe::<operations::#marker, _>(request)),
            false => quote!(self.http.stream::<operations::#marker>(request, #key)),
        };
        let mut special = vec![match shape.form {
            "events" => "Answers with server-sent events, each as it comes.".to_owned(),
            _ => "Answers with one item after another, each as it comes.".to_owned(),
        }];
        special.extend(asked_in_the_body(self.plan, self.operation).map(str::to_owned));
        if !shape.headers.is_empty() {
            let headers: Vec<String> = shape.headers.iter().map(|name| docs::code(name)).collect();
            special.push(format!("Headers, by `reply().header(…)`: {}.", headers.join(", ")));
        }
        let special: Vec<&str> = special.iter().map(String::as_str).collect();
        self.calling(&self.docs(&special), &names.method, &shape.stream, &call)
    }

    fn bytes(&self, method: &str) -> TokenStream {
        let (marker, (_, key)) = (ident(&self.names.marker), self.key());
        let call = quote!(self.http.bytes::<operations::#marker>(request, #key));
        let docs = self.docs(&["Answers with the bytes of its reply, each piece as it comes."]);
        self.calling(&docs, method, &quote!(rt::http::ByteStream), &call)
    }

    fn pages(&self) -> TokenStream {
        let (method, marker, request) =
            (ident(&self.names.pages), ident(&self.names.marker), ident(&self.names.request));
        let docs =
            self.docs(&["Page by page, from the one that the request is for: each is fetched when it is asked for."]);
        quote! {
            #docs
            #[must_use]
            pub fn #method(&self, request: &operations::#request) -> rt::http::Pages<operations::#marker> {
                self.http.pages(request)
            }
        }
    }
}
