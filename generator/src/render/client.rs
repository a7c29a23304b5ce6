//! The bare client of a system: methods without protection; and its credentials.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::{self, DocComment};
use super::ident::ident;
use super::{Piece, client_methods, servers};
use crate::diagnose::Report;
use crate::model::{ApiKeyPlace, SecurityKind, SecurityScheme};
use crate::plan::SystemPlan;

/// Tells which schemes no credential can be given for.
pub(super) fn check(plan: &SystemPlan, report: &mut Report) {
    for scheme in &plan.api.security_schemes {
        if let SecurityKind::Unsupported(kind) = &scheme.kind {
            let message = format!("the security scheme {:?} ({kind}) gets no credential", scheme.name);
            let help = "operations that allow nothing else cannot be called";
            report.warning("CD-SECURITY-UNSUPPORTED", scheme.origin.clone(), message, help);
        }
    }
}

/// The pieces of the module `client` besides the methods of operations.
pub(super) const AROUND_METHODS: usize = 5;

/// A piece of the module `client`: the client with the methods of these operations, the credentials, the servers.
pub(super) fn piece(plan: &SystemPlan, indices: &[usize], index: usize) -> Piece {
    match index {
        0 => Piece::Items(declaration(plan)),
        1 => Piece::Open(format!("impl {}", client_name(plan))),
        2 => Piece::Methods(own_methods()),
        _ => match indices.get(index - 3) {
            Some(operation) => Piece::Text(methods(plan, *operation)),
            None if index == indices.len() + 3 => Piece::Close,
            None => {
                let (credentials, servers) = (credentials(plan), servers::module(plan));
                Piece::Items(quote!(#credentials #servers))
            }
        },
    }
}

/// A piece of a module inside `client`: methods of these operations.
pub(super) fn methods_piece(plan: &SystemPlan, indices: &[usize], index: usize) -> Piece {
    match index.checked_sub(1) {
        None => Piece::Open(format!("impl super::{}", client_name(plan))),
        Some(index) => match indices.get(index) {
            Some(operation) => Piece::Text(methods(plan, *operation)),
            None => Piece::Close,
        },
    }
}

fn methods(plan: &SystemPlan, operation: usize) -> String {
    plan.operations.get(operation).map(|planned| client_methods::methods(plan, planned)).unwrap_or_default()
}

fn client_name(plan: &SystemPlan) -> String {
    format!("{}Client", plan.type_prefix)
}

fn declaration(plan: &SystemPlan) -> TokenStream {
    let name = ident(&client_name(plan));
    let adapter = docs::code(&format!("{}Adapter", plan.type_prefix));
    let mut comment = DocComment::default();
    comment.own(&format!(
        "{} {}, one method an operation. Nothing protects these calls: prefer {adapter}.",
        docs::sentence(&plan.api.title),
        docs::sentence(&plan.api.version),
    ));
    let docs = comment.attributes();
    quote! {
        #docs
        #[derive(Debug, Clone)]
        pub struct #name {
            http: rt::http::HttpClient,
        }
    }
}

fn own_methods() -> TokenStream {
    quote! {
        /// A client that calls through `http`, which knows the base URL and the credentials.
        #[must_use]
        pub fn new(http: rt::http::HttpClient) -> Self {
            Self { http }
        }
        /// What it calls through.
        #[must_use]
        pub fn http(&self) -> &rt::http::HttpClient {
            &self.http
        }
    }
}

fn credentials(plan: &SystemPlan) -> TokenStream {
    let name = ident(&format!("{}Credentials", plan.type_prefix));
    let doc = format!(" What {} wants to see before it answers, by security scheme.", docs::sentence(&plan.api.title));
    let methods =
        plan.api.security_schemes.iter().zip(&plan.names.schemes).map(|(scheme, name)| credential(scheme, name));
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, Default)]
        pub struct #name {
            inner: rt::http::Credentials,
        }
        impl #name {
            /// No credential yet.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
            #(#methods)*
        }
        impl From<#name> for rt::http::Credentials {
            fn from(credentials: #name) -> Self {
                credentials.inner
            }
        }
    }
}

fn credential(scheme: &SecurityScheme, name: &str) -> TokenStream {
    let method = ident(name);
    let wire = &scheme.name;
    let mut comment = DocComment::of(&scheme.docs);
    let (sentence, arguments, call) = match &scheme.kind {
        SecurityKind::ApiKey { place, name } => {
            let (place, words) = key_place(*place);
            (
                format!("A key, sent as the {words} {}.", docs::code(name)),
                quote!(key: impl Into<rt::http::Secret>),
                quote!(api_key(#wire, rt::http::ApiKeyPlace::#place, #name, key)),
            )
        }
        SecurityKind::Basic => (
            "User and password (HTTP basic).".to_owned(),
            quote!(user: impl Into<String>, password: impl Into<rt::http::Secret>),
            quote!(basic(#wire, user, password)),
        ),
        SecurityKind::Bearer => (
            "A bearer token, which whoever gives it also renews, or a `TokenExchange` that fetches and renews it."
                .to_owned(),
            quote!(token: impl Into<rt::http::BearerToken>),
            quote!(bearer(#wire, token)),
        ),
        SecurityKind::ClientCredentials { token_url } => (
            format!("Client credentials: a token is fetched from {} when it is needed.", docs::code(token_url)),
            quote!(client: impl Into<rt::http::ClientCredentials>),
            quote!(client_credentials(#wire, #token_url, client)),
        ),
        // Told by `check`.
        SecurityKind::Unsupported(_) => return TokenStream::new(),
    };
    comment.own(&sentence);
    let docs = comment.attributes();
    quote! {
        #docs
        #[must_use]
        pub fn #method(self, #arguments) -> Self {
            Self { inner: self.inner.#call }
        }
    }
}

fn key_place(place: ApiKeyPlace) -> (proc_macro2::Ident, &'static str) {
    match place {
        ApiKeyPlace::Header => (ident("Header"), "header"),
        ApiKeyPlace::Query => (ident("Query"), "query parameter"),
        ApiKeyPlace::Cookie => (ident("Cookie"), "cookie"),
        ApiKeyPlace::Body => (ident("Body"), "field of the body"),
    }
}
