//! Multipart bodies: one part a property, files where the document has raw bytes.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::ident::ident;
use super::super::types::{definition, file_shape};
use super::Context;
use crate::analyse::presence;
use crate::model::{Content, Extra, SchemaDef, SchemaKind};

/// The object whose properties are the parts.
pub(super) fn object<'p>(context: Context<'p>, content: &Content) -> Option<&'p SchemaDef> {
    definition(&context.plan.api, &content.ty.ty).filter(|def| matches!(def.kind, SchemaKind::Object { .. }))
}

/// Writes the properties of `value`, a reference to the object, as parts.
pub(super) fn write(
    context: Context<'_>,
    content: &Content,
    def: &SchemaDef,
    media_type: &str,
    value: &TokenStream,
) -> TokenStream {
    let SchemaKind::Object { fields, extra } = &def.kind else { return TokenStream::new() };
    let names = &context.plan.names.members[def.id.index()];
    let way = context.plan.directions[def.id.index()];
    let parts: Vec<TokenStream> = fields
        .iter()
        .zip(&names.fields)
        .filter(|(field, _)| presence(field, way).is_some())
        .map(|(field, name)| {
            let (wire, name) = (&field.wire, ident(name));
            let types =
                content.encoding.get(wire).map(|encoding| encoding.content_types.as_slice()).unwrap_or_default();
            match file_shape(context.plan, &field.ty) {
                Some(_) => quote!(parts.file(#wire, &body.#name, &[#(#types),*])?;),
                None => quote!(parts.field(#wire, &body.#name, &[#(#types),*])?;),
            }
        })
        .collect();
    let rest = match (extra, &names.extra) {
        (Extra::Kept(_), Some(name)) => {
            let name = ident(name);
            Some(quote!(for (name, value) in &body.#name { parts.field(name, value, &[])?; }))
        }
        _ => None,
    };
    if parts.is_empty() && rest.is_none() {
        // Nothing of the object travels this way.
        return quote! {
            let _ = #value;
            out.multipart(#media_type, rt::http::Multipart::new())?;
        };
    }
    let bind = (value.to_string() != "body").then(|| quote!(let body = #value;));
    quote! {
        #bind
        let mut parts = rt::http::Multipart::new();
        #(#parts)*
        #rest
        out.multipart(#media_type, parts)?;
    }
}
