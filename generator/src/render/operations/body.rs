//! The body of a request: its type, and how it is written in each media type.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs::{self, DocComment};
use super::super::ident::ident;
use super::super::types::is_bytes;
use super::{Context, multipart, request};
use crate::analyse::telling::behind;
use crate::diagnose::Report;
use crate::model::{Body, Content, ContentKind, Encoding, TextFormat, Type};

/// The media type without parameters, in lower case.
pub(super) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Tells which bodies are sent as the caller wrote them, though the document knows more.
pub(super) fn check(context: Context<'_>, report: &mut Report) {
    let Some(body) = &context.operation.body else { return };
    for content in &body.contents {
        let known = match content.kind {
            ContentKind::Binary => is_bytes(context.plan, &content.ty) || matches!(content.ty.ty, Type::Any),
            ContentKind::EventStream => false,
            ContentKind::Multipart => multipart::object(context, content).is_some(),
            ContentKind::Text => is_text(context, content),
            ContentKind::Json | ContentKind::Form | ContentKind::JsonLines => true,
        };
        if !known {
            let message =
                format!("the `{}` body of `{}` is written by the caller", content.media_type, context.operation.id);
            report.note("CD-BODY-RAW", body.origin.clone(), message, "its schema is not checked");
        }
        if content.media_type.contains('*') {
            let message = format!(
                "`{}` is no media type: the body of `{}` is sent as `{}`",
                content.media_type,
                context.operation.id,
                concrete(content)
            );
            report.note("CD-MEDIA-RANGE", body.origin.clone(), message, "name the media types the operation takes");
        }
    }
}

/// Whether a text body is any text: nothing else is known of it.
pub(super) fn is_text(context: Context<'_>, content: &Content) -> bool {
    matches!(behind(&context.plan.api, &content.ty.ty), Type::Any | Type::Binary | Type::Text(TextFormat::Plain))
}

/// The enum of media types, when there are several.
pub(super) fn items(context: Context<'_>) -> Option<TokenStream> {
    let body = context.operation.body.as_ref().filter(|body| body.contents.len() > 1)?;
    let name = ident(&context.names.body_type);
    let docs = {
        let mut comment = DocComment::default();
        comment.own(&format!("The body of {}, in one of its media types.", docs::link(&context.names.marker)));
        comment.attributes()
    };
    let variants = body.contents.iter().zip(&context.names.body_variants).map(|(content, variant)| {
        let doc = format!(" {}", docs::code(&content.media_type));
        let (variant, ty) = (ident(variant), content_type(context, content));
        quote!(#[doc = #doc] #variant(#ty),)
    });
    Some(quote! {
        #docs
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#variants)*
        }
    })
}

/// The field of the request that holds the body.
pub(super) fn field(context: Context<'_>) -> Option<TokenStream> {
    let body = context.operation.body.as_ref()?;
    let docs = docs::attributes(&body.docs);
    let (name, ty) = (ident(&context.names.body), body_type(context, body));
    Some(quote!(#docs pub #name: #ty,))
}

fn body_type(context: Context<'_>, body: &Body) -> TokenStream {
    match body.contents.as_slice() {
        [content] if is_three_state(body) => {
            let inner = context.scope.without_null(&content.ty);
            quote!(rt::Maybe<#inner>)
        }
        [content] => {
            let ty = content_type(context, content);
            if body.required { ty } else { quote!(Option<#ty>) }
        }
        _ => {
            let name = ident(&context.names.body_type);
            if body.required { quote!(#name) } else { quote!(Option<#name>) }
        }
    }
}

/// A JSON body that may be left out, and may be `null`.
pub(crate) fn is_three_state(body: &Body) -> bool {
    let [content] = body.contents.as_slice() else { return false };
    let holds_null = matches!(content.ty.ty, Type::Any | Type::Null);
    !body.required && content.kind == ContentKind::Json && content.ty.nullable && !holds_null
}

/// The type of a body in a media type.
pub(super) fn content_type(context: Context<'_>, content: &Content) -> TokenStream {
    match content.kind {
        ContentKind::Json => context.scope.of(&content.ty),
        ContentKind::Form => context.scope.without_null(&content.ty),
        ContentKind::Multipart if multipart::object(context, content).is_some() => {
            context.scope.without_null(&content.ty)
        }
        ContentKind::Multipart => quote!(rt::http::Multipart),
        ContentKind::Text | ContentKind::EventStream => quote!(String),
        ContentKind::JsonLines => {
            let item = context.scope.of(&content.ty);
            quote!(Vec<#item>)
        }
        ContentKind::Binary => quote!(rt::http::BinaryBody),
    }
}

/// Writes the body, if there is one.
pub(super) fn write(context: Context<'_>) -> Option<TokenStream> {
    let body = context.operation.body.as_ref()?;
    let name = ident(&context.names.body);
    if is_three_state(body) {
        let write = write_content(context, body.contents.first()?, &quote!(&request.#name));
        return Some(quote!(if !request.#name.is_absent() { #write }));
    }
    match body.contents.as_slice() {
        [content] if body.required => Some(write_content(context, content, &quote!(&request.#name))),
        [content] => {
            let write = write_content(context, content, &quote!(body));
            Some(quote!(if let Some(body) = &request.#name { #write }))
        }
        contents => {
            let body_type = ident(&context.names.body_type);
            let arms = contents.iter().zip(&context.names.body_variants).map(|(content, variant)| {
                let (variant, write) = (ident(variant), write_content(context, content, &quote!(body)));
                let pattern = quote!(#body_type::#variant(body));
                if body.required { quote!(#pattern => { #write }) } else { quote!(Some(#pattern) => { #write }) }
            });
            let none = (!body.required).then(|| quote!(None => {}));
            Some(quote!(match &request.#name { #(#arms)* #none }))
        }
    }
}

/// Writes a body that `value`, a reference, stands for.
fn write_content(context: Context<'_>, content: &Content, value: &TokenStream) -> TokenStream {
    let media_type = concrete(content);
    match content.kind {
        ContentKind::Json => quote!(out.json(#media_type, #value)?;),
        ContentKind::Form => {
            let encodings = content.encoding.iter().map(|(name, encoding)| field_encoding(name, encoding));
            quote!(out.form(#value, &[#(#encodings),*])?;)
        }
        ContentKind::Multipart => match multipart::object(context, content) {
            Some(def) => multipart::write(context, content, def, &media_type, value),
            None => {
                let value = owned(value);
                quote!(out.multipart(#media_type, #value)?;)
            }
        },
        ContentKind::Text | ContentKind::EventStream => quote!(out.text(#media_type, #value)?;),
        ContentKind::JsonLines => quote!(out.json_lines(#media_type, #value)?;),
        ContentKind::Binary => {
            let value = owned(value);
            quote!(out.binary(#media_type, #value)?;)
        }
    }
}

/// A clone of what a reference stands for.
fn owned(value: &TokenStream) -> TokenStream {
    let mut tokens = value.clone().into_iter().peekable();
    let is_place = tokens.next_if(|token| token.to_string() == "&").is_some();
    let place: TokenStream = tokens.collect();
    if is_place { quote!(#place.clone()) } else { quote!(#value.clone()) }
}

/// The media type to send: a range is none.
fn concrete(content: &Content) -> String {
    if !content.media_type.contains('*') {
        return content.media_type.clone();
    }
    let media_type = match content.kind {
        ContentKind::Json => "application/json",
        ContentKind::Form => "application/x-www-form-urlencoded",
        ContentKind::Multipart => "multipart/form-data",
        ContentKind::Text => "text/plain",
        ContentKind::EventStream => "text/event-stream",
        ContentKind::JsonLines => "application/jsonl",
        ContentKind::Binary => "application/octet-stream",
    };
    media_type.to_owned()
}

fn field_encoding(name: &str, encoding: &Encoding) -> TokenStream {
    let mut known = Vec::new();
    if !encoding.content_types.is_empty() {
        let types = &encoding.content_types;
        known.push(quote!(content_types: &[#(#types),*]));
    }
    if let Some(style) = encoding.style {
        let style = request::style(style);
        known.push(quote!(style: Some(#style)));
    }
    if let Some(explode) = encoding.explode {
        known.push(quote!(explode: Some(#explode)));
    }
    if encoding.allow_reserved {
        known.push(quote!(allow_reserved: true));
    }
    if known.is_empty() {
        return quote!(rt::http::FieldEncoding::new(#name));
    }
    quote!(rt::http::FieldEncoding { #(#known,)* ..rt::http::FieldEncoding::new(#name) })
}
