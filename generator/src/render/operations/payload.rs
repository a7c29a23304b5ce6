//! What one documented response says: its body in one or several media types, and its headers.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs::{self, DocComment};
use super::super::ident::ident;
use super::super::types::is_bytes;
use super::Context;
use crate::analyse::ResponseNames;
use crate::diagnose::Report;
use crate::model::{Content, ContentKind, Response, Type};

/// The content of a response, as type and as the expression that reads it from `reply`.
pub(super) struct Payload {
    /// The type; `None` when the status is all it says.
    pub(super) ty: Option<TokenStream>,
    /// An expression of that type.
    pub(super) read: TokenStream,
    /// The items the type needs.
    pub(super) items: TokenStream,
    /// Whether the body is an enum of media types.
    pub(super) is_choice: bool,
}

/// Tells which replies are handed over as they came, though the document knows more.
pub(super) fn check(context: Context<'_>, report: &mut Report) {
    for response in &context.operation.responses {
        for (_, content) in context.wholes(response) {
            let raw = match content.kind {
                ContentKind::Binary => !is_bytes(context.plan, &content.ty) && !matches!(content.ty.ty, Type::Any),
                ContentKind::EventStream | ContentKind::JsonLines | ContentKind::Multipart => true,
                ContentKind::Text => !super::body::is_text(context, content),
                ContentKind::Json | ContentKind::Form => false,
            };
            if raw {
                let message =
                    format!("a `{}` reply of `{}` is given as it came", content.media_type, context.operation.id);
                report.note("CD-BODY-RAW", response.origin.clone(), message, "its schema is not checked");
            }
        }
    }
}

impl Payload {
    pub(super) fn of(context: Context<'_>, response: &Response, names: &ResponseNames) -> Self {
        let body = body(context, response, names);
        if response.headers.is_empty() { body } else { with_headers(context, response, names, body) }
    }
}

fn body(context: Context<'_>, response: &Response, names: &ResponseNames) -> Payload {
    let contents = context.wholes(response);
    let typed: Vec<(TokenStream, TokenStream)> =
        contents.iter().map(|(_, content)| content_of(context, content)).collect();
    match typed.as_slice() {
        [] => Payload { ty: None, read: quote!(()), items: TokenStream::new(), is_choice: false },
        [(ty, read), others @ ..] if others.iter().all(|other| is_same(&(ty, read), other)) => {
            Payload { ty: Some(ty.clone()), read: read.clone(), items: TokenStream::new(), is_choice: false }
        }
        _ => alternatives(&contents, &typed, names),
    }
}

fn is_same(first: &(&TokenStream, &TokenStream), other: &(TokenStream, TokenStream)) -> bool {
    first.0.to_string() == other.0.to_string() && first.1.to_string() == other.1.to_string()
}

/// The type of a reply's body in a media type.
pub(super) fn content_type(context: Context<'_>, content: &Content) -> TokenStream {
    content_of(context, content).0
}

fn content_of(context: Context<'_>, content: &Content) -> (TokenStream, TokenStream) {
    match content.kind {
        ContentKind::Json => (context.scope.of(&content.ty), quote!(reply.json()?)),
        ContentKind::Form => (context.scope.without_null(&content.ty), quote!(reply.form()?)),
        ContentKind::Text | ContentKind::EventStream | ContentKind::JsonLines => {
            (quote!(String), quote!(reply.text()?))
        }
        ContentKind::Multipart | ContentKind::Binary => (quote!(rt::Bytes), quote!(reply.bytes())),
    }
}

/// An enum of the media types, chosen by the one the reply names. JSON by any other name is the first JSON; a reply
/// that names none of them is read as the first.
fn alternatives(
    contents: &[(usize, &Content)],
    typed: &[(TokenStream, TokenStream)],
    names: &ResponseNames,
) -> Payload {
    let name = ident(&names.body_type);
    let variants: Vec<_> = contents.iter().map(|(index, _)| ident(&names.body_variants[*index])).collect();
    let declared = contents.iter().zip(typed).zip(&variants).map(|(((_, content), (ty, _)), variant)| {
        let doc = format!(" {}", docs::code(&content.media_type));
        quote!(#[doc = #doc] #variant(#ty),)
    });
    let items = quote! {
        /// A body in one of its media types.
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#declared)*
        }
    };
    let is_json = |(_, content): &(usize, &Content)| content.kind == ContentKind::Json;
    let fallback = contents.iter().position(is_json).unwrap_or_default();
    let named = contents.iter().zip(typed).zip(&variants).enumerate().filter(|(index, _)| *index != fallback);
    let branches = named.map(|(_, (((_, content), (_, read)), variant))| {
        let media_type = super::body::essence(&content.media_type);
        quote!(if reply.is(#media_type) { #name::#variant(#read) } else)
    });
    let (variant, read) = (&variants[fallback], &typed[fallback].1);
    let read = quote!(#(#branches)* { #name::#variant(#read) });
    Payload { ty: Some(quote!(#name)), read, items, is_choice: true }
}

fn with_headers(context: Context<'_>, response: &Response, names: &ResponseNames, body: Payload) -> Payload {
    let name = ident(&names.with_headers);
    let docs = docs::attributes(&response.docs);
    let (mut fields, mut reads) = (Vec::new(), Vec::new());
    if let Some(ty) = &body.ty {
        let read = &body.read;
        fields.push(quote! {
            /// The body.
            pub body: #ty,
        });
        reads.push(quote!(body: #read,));
    }
    for (header, field) in response.headers.iter().zip(&names.headers) {
        let mut comment = DocComment::of(&header.docs);
        if comment.is_empty() {
            comment.own(&format!("The header {}.", docs::code(&header.name)));
        }
        let (docs, field, wire) = (comment.attributes(), ident(field), &header.name);
        let ty = context.scope.without_null(&header.ty);
        if header.required && !header.ty.nullable {
            fields.push(quote!(#docs pub #field: #ty,));
            reads.push(quote!(#field: reply.header(#wire)?,));
        } else {
            fields.push(quote!(#docs pub #field: Option<#ty>,));
            reads.push(quote!(#field: reply.header_opt(#wire)?,));
        }
    }
    let inner = body.items;
    let items = quote! {
        #inner
        #docs
        #[derive(Debug, Clone, PartialEq)]
        pub struct #name {
            #(#fields)*
        }
    };
    Payload { ty: Some(quote!(#name)), read: quote!(#name { #(#reads)* }), items, is_choice: body.is_choice }
}
