//! Operations that answer item by item: server-sent events and JSON lines.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs::{self, DocComment};
use super::super::ident::ident;
use super::{Context, body, reply, request};
use crate::analyse::telling::{behind, definition};
use crate::diagnose::Report;
use crate::model::{Api, Content, ContentKind, Operation, SchemaDef, SchemaKind, Type};
use crate::plan::SystemPlan;

/// One item of a stream.
pub(super) struct Item {
    kind: ContentKind,
    ty: TokenStream,
    data: TokenStream,
    media_type: String,
}

impl Item {
    pub(super) fn of(context: Context<'_>, content: &Content) -> Self {
        let api = &context.plan.api;
        let is_text = matches!(behind(api, content.ty.ty.on_the_wire()), Type::Text(_) | Type::Binary)
            || matches!(
                definition(api, content.ty.ty.on_the_wire()).map(|def| &def.kind),
                Some(SchemaKind::TextEnum(_))
            );
        let data = match content.kind {
            ContentKind::EventStream if is_text => quote!(Text),
            ContentKind::EventStream if is_event(api, &content.ty.ty, 0) => quote!(Event),
            _ => quote!(Json),
        };
        let media_type = body::essence(&content.media_type);
        Self { kind: content.kind, ty: context.scope.of(&content.ty), data, media_type }
    }

    /// What the client's method gives.
    pub(super) fn stream_type(&self) -> TokenStream {
        let ty = &self.ty;
        match self.kind {
            ContentKind::EventStream => quote!(rt::http::EventStream<#ty>),
            _ => quote!(rt::http::JsonLines<#ty>),
        }
    }

    fn reply_type(&self) -> TokenStream {
        let ty = &self.ty;
        match self.kind {
            ContentKind::EventStream => quote!(rt::http::Event<#ty>),
            _ => quote!(#ty),
        }
    }

    /// The word for the plan's JSON form.
    pub(super) fn form(&self) -> &'static str {
        if self.kind == ContentKind::EventStream { "events" } else { "lines" }
    }

    /// The type in the stream, without what goes around it.
    pub(super) fn data_type(&self) -> &TokenStream {
        &self.ty
    }

    pub(super) fn media_type(&self) -> &str {
        &self.media_type
    }
}

/// Whether a schema describes an event by its fields, and not what is in its data: an object with `event` and `data`, or
/// a choice of such objects.
fn is_event(api: &Api, ty: &Type, depth: usize) -> bool {
    // Deeper than any document nests its choices, and an end to those that go round in a circle.
    const DEEP: usize = 16;
    match definition(api, ty).map(|def| &def.kind) {
        Some(SchemaKind::Object { fields, .. }) => {
            ["event", "data"].iter().all(|name| fields.iter().any(|field| field.wire == *name))
        }
        Some(SchemaKind::Union { branches, .. }) if depth < DEEP => {
            !branches.is_empty() && branches.iter().all(|branch| is_event(api, &branch.ty.ty, depth + 1))
        }
        _ => false,
    }
}

/// What a caller has to know of a stream that is asked for in the body, beside what the document says of media types.
pub(crate) fn asked_in_the_body(plan: &SystemPlan, operation: &Operation) -> Option<&'static str> {
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    let mut objects = contents.filter_map(|content| definition(&plan.api, &content.ty.ty));
    let has_switch = |def: &SchemaDef| match &def.kind {
        SchemaKind::Object { fields, .. } => {
            fields.iter().any(|field| field.wire == "stream" && field.ty.ty == Type::Bool)
        }
        _ => false,
    };
    objects
        .any(has_switch)
        .then_some("The request asks for it itself: `stream` in its body must be `true`, and is the caller's to set.")
}

/// Tells which streams are documented and not asked for.
pub(super) fn check(context: Context<'_>, report: &mut Report) {
    let Some((_, chosen)) = context.forms.items else { return };
    let successes = context.operation.responses.iter().filter(|r| context.operation.is_success(r.status));
    for response in successes {
        let streams = context.operation.contents(response).iter().filter(|content| content.kind.is_stream());
        for other in streams.filter(|content| !std::ptr::eq(*content, chosen)) {
            let message = format!(
                "`{}` answers with `{}` when asked for a stream: `{}` is not asked for",
                context.operation.id, chosen.media_type, other.media_type
            );
            report.note("CD-STREAM-OTHER", response.origin.clone(), message, "the first one in the document is taken");
        }
    }
}

/// The items of the streaming operation: all of it, or what it has beside the operation that answers whole.
pub(super) fn operation(context: Context<'_>) -> Option<TokenStream> {
    let (response, content) = context.forms.items?;
    let names = context.names.stream.as_ref()?;
    let item = Item::of(context, content);
    let (marker, reply) = (ident(&names.marker), ident(&names.reply));
    let declared = context.forms.whole.then(|| {
        let docs = docs(context);
        quote!(#docs #[derive(Debug, Clone, Copy, PartialEq, Eq)] pub struct #marker;)
    });
    let reply_docs = {
        let mut comment = DocComment::of(&response.docs);
        comment.own(&format!("One item of what {} answers.", docs::link(&names.marker)));
        comment.attributes()
    };
    let (reply_type, stream_type) = (item.reply_type(), item.stream_type());
    let (media_type, data) = (&item.media_type, &item.data);
    let meta = meta(context, content, &names.method);
    let encode = if context.forms.whole { encode_as(context) } else { request::encode(context) };
    let decode = if context.forms.whole { decode_as(context) } else { reply::decode(context) };
    let implementation = context.implementation(&names.marker, &names.reply, &meta, &quote!(#encode #decode));
    let kinds = context.kinds();
    Some(quote! {
        #declared
        #reply_docs
        pub type #reply = #reply_type;
        #implementation
        impl rt::Streaming for #marker {
            type Stream = #stream_type;
            const FORM: rt::http::StreamForm =
                rt::http::StreamForm { media_type: #media_type, data: rt::http::EventData::#data };
        }
        #(impl rt::#kinds for #marker {})*
    })
}

fn docs(context: Context<'_>) -> TokenStream {
    let mut comment = DocComment::default();
    comment.own(&format!("{}, answered item by item.", docs::link(&context.names.marker)));
    comment.attributes()
}

fn meta(context: Context<'_>, content: &Content, method: &str) -> TokenStream {
    let accept = context.accept_stream(content);
    if !context.forms.whole {
        return context.meta(&accept);
    }
    let (name, whole) = (crate::analyse::bare(method), ident(&context.names.marker));
    quote!(rt::OperationMeta { name: #name, accept: #accept, ..*<#whole as rt::Operation>::META })
}

/// Written as the operation that answers whole.
fn encode_as(context: Context<'_>) -> TokenStream {
    let whole = ident(&context.names.marker);
    quote! {
        fn encode(
            request: &Self::Request,
            key: Option<&rt::IdempotencyKey>,
            out: &mut rt::http::RequestWriter,
        ) -> Result<(), rt::http::BuildError> {
            <#whole as rt::Operation>::encode(request, key, out)
        }
    }
}

/// Failures are those of the operation that answers whole.
fn decode_as(context: Context<'_>) -> TokenStream {
    let whole = ident(&context.names.marker);
    let (reply, body) = match reply::has_rejections(context) {
        true => (
            quote!(reply),
            quote! {
                Ok(match <#whole as rt::Operation>::decode(reply)? {
                    rt::Decoded::Rejection(rejection) => rt::Decoded::Rejection(rejection),
                    _ => rt::Decoded::Undocumented,
                })
            },
        ),
        false => (quote!(_), quote!(Ok(rt::Decoded::Undocumented))),
    };
    quote! {
        fn decode(
            #reply: &rt::http::RawReply,
        ) -> Result<rt::Decoded<Self::Reply, Self::Rejection>, rt::wire::DecodeError> {
            #body
        }
    }
}
