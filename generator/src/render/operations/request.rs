//! What an operation takes: a struct of its parameters and body, and how it is written.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs::{self, DocComment};
use super::super::ident::ident;
use super::super::servers;
use super::{Context, body};
use crate::diagnose::Report;
use crate::model::{Parameter, ParameterPlace, PathSegment, Style};
use crate::plan::KeyPlace;

/// Tells which parameters have no place, and which places no parameter.
pub(super) fn check(context: Context<'_>, report: &mut Report) {
    let operation = context.operation;
    let in_template = |name: &str| {
        operation.path.segments.iter().any(|segment| matches!(segment, PathSegment::Parameter(found) if found == name))
    };
    for segment in &operation.path.segments {
        let PathSegment::Parameter(name) = segment else { continue };
        if path_parameter(context, name).is_none() {
            let message = format!("the path of `{}` has a place for {name:?}, but no such parameter", operation.id);
            report.error("CD-PATH-PARAMETER", operation.origin.clone(), message, "declare it with `in: path`");
        }
    }
    for parameter in operation.parameters.iter().filter(|parameter| parameter.place == ParameterPlace::Path) {
        if !in_template(&parameter.name) {
            let message = format!("the path of `{}` has no place for {:?}", operation.id, parameter.name);
            report.error("CD-PATH-PARAMETER", parameter.origin.clone(), message, "put it into the path, or remove it");
        }
    }
}

fn path_parameter<'p>(context: Context<'p>, name: &str) -> Option<(usize, &'p Parameter)> {
    let parameters = context.operation.parameters.iter().enumerate();
    parameters.into_iter().find(|(_, parameter)| parameter.place == ParameterPlace::Path && parameter.name == name)
}

pub(super) fn items(context: Context<'_>) -> TokenStream {
    let name = ident(&context.names.request);
    let fields = fields(context);
    let default = default_derive(context);
    let docs = {
        let mut comment = DocComment::default();
        comment.own(&format!("What {} takes.", docs::link(&context.names.marker)));
        comment.attributes()
    };
    let body_type = body::items(context);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq #default)]
        pub struct #name {
            #(#fields)*
        }
        #body_type
    }
}

fn default_derive(context: Context<'_>) -> Option<TokenStream> {
    let demands_parameter =
        context.operation.parameters.iter().any(|parameter| parameter.required && !context.is_key(parameter));
    let demands_body = context.operation.body.as_ref().is_some_and(|body| body.required);
    (!demands_parameter && !demands_body).then(|| quote!(, Default))
}

fn fields(context: Context<'_>) -> Vec<TokenStream> {
    let parameters = context.operation.parameters.iter().zip(&context.names.parameters);
    let mut fields: Vec<TokenStream> = parameters
        .filter(|(parameter, _)| !context.is_key(parameter))
        .map(|(parameter, name)| {
            let mut comment = DocComment::of(&parameter.docs);
            comment.default_value(parameter.default.as_ref());
            let (docs, name) = (comment.attributes(), ident(name));
            let ty = if parameter.required {
                context.scope.of(&parameter.ty)
            } else {
                let inner = context.scope.without_null(&parameter.ty);
                quote!(Option<#inner>)
            };
            quote!(#docs pub #name: #ty,)
        })
        .collect();
    fields.extend(body::field(context));
    fields
}

pub(super) fn encode(context: Context<'_>) -> TokenStream {
    let path = path(context);
    let parameters = context.operation.parameters.iter().zip(&context.names.parameters);
    let others: Vec<TokenStream> = parameters
        .filter(|(parameter, _)| parameter.place != ParameterPlace::Path && !context.is_key(parameter))
        .map(|(parameter, name)| write(parameter, name))
        .collect();
    let key_write = key(context);
    let body = body::write(context);
    let has_place = context.operation.path.segments.iter().any(|segment| matches!(segment, PathSegment::Parameter(_)));
    let uses_request = has_place || !others.is_empty() || context.operation.body.is_some();
    let server = servers::own(context.plan, context.operation).map(|servers::OwnServer { url, beside }| {
        quote!(out.server(rt::http::OwnServer { url: #url, beside: &[#(#beside),*] });)
    });
    let request = if uses_request { quote!(request) } else { quote!(_) };
    let key = if key_write.is_some() { quote!(key) } else { quote!(_) };
    quote! {
        fn encode(
            #request: &Self::Request,
            #key: Option<&rt::IdempotencyKey>,
            out: &mut rt::http::RequestWriter,
        ) -> Result<(), rt::http::BuildError> {
            #server
            #path
            #(#others)*
            #key_write
            #body
            Ok(())
        }
    }
}

fn path(context: Context<'_>) -> TokenStream {
    let segments = context.operation.path.segments.iter().filter_map(|segment| match segment {
        PathSegment::Literal(text) => Some(quote!(out.path(#text);)),
        PathSegment::Parameter(wire) => {
            let (index, parameter) = path_parameter(context, wire)?;
            let name = ident(&context.names.parameters[index]);
            if parameter.content.is_some() {
                return Some(quote!(out.path_json(#wire, &request.#name)?;));
            }
            let (style, explode) = (style(parameter.style), parameter.explode);
            Some(quote!(out.path_value(#wire, &request.#name, #style, #explode)?;))
        }
    });
    quote!(#(#segments)*)
}

fn write(parameter: &Parameter, name: &str) -> TokenStream {
    let (wire, name, explode) = (&parameter.name, ident(name), parameter.explode);
    let as_json = parameter.content.is_some();
    match parameter.place {
        ParameterPlace::Query if as_json => quote!(out.query_json(#wire, &request.#name)?;),
        ParameterPlace::Query => {
            let (style, reserved) = (style(parameter.style), parameter.allow_reserved);
            quote!(out.query(#wire, &request.#name, #style, #explode, #reserved)?;)
        }
        ParameterPlace::Header if as_json => quote!(out.header_json(#wire, &request.#name)?;),
        ParameterPlace::Header => quote!(out.header(#wire, &request.#name, #explode)?;),
        ParameterPlace::Cookie if as_json => quote!(out.cookie_json(#wire, &request.#name)?;),
        ParameterPlace::Cookie => quote!(out.cookie(#wire, &request.#name, #explode)?;),
        // Written with the path.
        ParameterPlace::Path => TokenStream::new(),
    }
}

fn key(context: Context<'_>) -> Option<TokenStream> {
    let (place, name, required) = match context.planned.key.as_ref()? {
        KeyPlace::Header { name, required } => (quote!(Header), name, *required),
        KeyPlace::Query { name, required } => (quote!(Query), name, *required),
        KeyPlace::Body { .. } => return None,
    };
    let write = match context.planned.key.as_ref()? {
        KeyPlace::Header { .. } => quote!(out.header_text(#name, key.as_str())?;),
        _ => quote!(out.query_text(#name, key.as_str())?;),
    };
    Some(if required {
        quote! {
            match key {
                Some(key) => { #write }
                None => return Err(rt::http::BuildError::new(rt::http::Place::#place, #name, "a key is required")),
            }
        }
    } else {
        quote!(if let Some(key) = key { #write })
    })
}

pub(super) fn style(style: Style) -> TokenStream {
    match style {
        Style::Matrix => quote!(Style::Matrix),
        Style::Label => quote!(Style::Label),
        Style::Form => quote!(Style::Form),
        Style::Simple => quote!(Style::Simple),
        Style::SpaceDelimited => quote!(Style::SpaceDelimited),
        Style::PipeDelimited => quote!(Style::PipeDelimited),
        Style::DeepObject => quote!(Style::DeepObject),
    }
}
