//! The servers a document names: constants, and a struct of variables where its URL has some.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::{self, DocComment};
use super::ident::ident;
use crate::analyse::{ServerNames, server_names};
use crate::diagnose::Report;
use crate::model::{Operation, Server, ServerVariable};
use crate::plan::SystemPlan;

/// URLs of a server that are tried as the base URL, at most: the values of its variables multiply.
const MOST_URLS: usize = 64;

/// Tells which operations have servers of their own.
pub(super) fn check(plan: &SystemPlan, report: &mut Report) {
    for planned in &plan.operations {
        let operation = plan.operation(planned);
        let Some(server) = operation.servers.first() else { continue };
        let message = format!("`{}` has a server of its own, {:?}", operation.id, server.url);
        let help = match own(plan, operation) {
            Some(_) => {
                "calls go there as long as `base-url` is the document's; `base-url` of the operation goes before"
            }
            None => "calls go to the `base-url` of the settings; the operation's settings may have another",
        };
        report.note("CD-OPERATION-SERVER", operation.origin.clone(), message, help);
    }
}

/// An operation's own server, where it is another than the document's.
pub(super) struct OwnServer {
    /// Its URL, variables at their defaults.
    pub(super) url: String,
    /// The URLs of the server that it stands beside.
    pub(super) beside: Vec<String>,
}

/// An operation's own server. `None` where it cannot be known when it is meant: a document that does not say on which
/// host it is leaves it to the settings, and so does a URL that is relative to the document's.
pub(super) fn own(plan: &SystemPlan, operation: &Operation) -> Option<OwnServer> {
    let (main, own) = (plan.api.servers.first()?, operation.servers.first()?);
    // A variable without a value is left as it is written, and then only the settings can say where the server is.
    let url = urls(own).into_iter().next().filter(|url| !url.contains('{'))?;
    let beside = urls(main);
    let is_absolute = |url: &String| url.contains("://");
    let is_known = is_absolute(&url) || url.starts_with('/');
    let is_sure = beside.iter().all(|main| is_absolute(main) || (main.starts_with('/') && !is_absolute(&url)));
    (is_known && is_sure && !beside.contains(&url)).then_some(OwnServer { url, beside })
}

/// The URLs of a server: one for each choice of listed values, the defaults first.
fn urls(server: &Server) -> Vec<String> {
    let mut urls = vec![server.url.clone()];
    for variable in &server.variables {
        let others = variable.allowed.iter().filter(|value| **value != variable.default);
        let values: Vec<&String> = std::iter::once(&variable.default).chain(others).collect();
        let place = format!("{{{}}}", variable.name);
        let filled = |value: &&String| urls.iter().map(|url| url.replace(&place, value)).collect::<Vec<_>>();
        urls = values.iter().flat_map(filled).take(MOST_URLS).collect();
    }
    urls
}

/// The servers the document names, its own first, each once.
pub(crate) fn listed(plan: &SystemPlan) -> Vec<&Server> {
    let own = plan.operations.iter().flat_map(|planned| &plan.operation(planned).servers);
    let mut servers: Vec<&Server> = Vec::new();
    for server in plan.api.servers.iter().chain(own) {
        // The default of a document that names none.
        if server.url != "/" && !servers.contains(&server) {
            servers.push(server);
        }
    }
    servers
}

/// The module `servers`, if the document names any.
pub(super) fn module(plan: &SystemPlan) -> Option<TokenStream> {
    let servers = listed(plan);
    if servers.is_empty() {
        return None;
    }
    let names = server_names(&servers);
    let items = servers.iter().zip(&names).map(|(server, names)| item(server, names));
    Some(quote! {
        /// The servers the document names. The `base-url` of the settings chooses one.
        pub mod servers {
            #(#items)*
        }
    })
}

fn item(server: &Server, names: &ServerNames) -> TokenStream {
    let mut comment = DocComment::default();
    if let Some(description) = &server.description {
        comment.description(description);
    }
    comment.own(&docs::code(&server.url));
    let docs = comment.attributes();
    if server.variables.is_empty() {
        let (name, url) = (ident(&names.constant), &server.url);
        return quote!(#docs pub const #name: &str = #url;);
    }
    let name = ident(&names.item);
    let fields: Vec<_> = names.variables.iter().map(|names| ident(&names.field)).collect();
    let types: Vec<TokenStream> = server
        .variables
        .iter()
        .zip(&names.variables)
        .map(|(variable, names)| match variable.allowed.is_empty() {
            true => quote!(String),
            false => {
                let ty = ident(&names.item);
                quote!(#ty)
            }
        })
        .collect();
    let variables = server.variables.iter().zip(&names.variables);
    let choices = variables
        .clone()
        .filter(|(variable, _)| !variable.allowed.is_empty())
        .map(|(variable, names)| choice(variable, &names.item, &names.variants));
    let defaults = variables.clone().map(|(variable, names)| default(variable, &names.item, &names.variants));
    let (format, arguments) = url_format(server, names);
    let url = match arguments.as_slice() {
        // A URL that is one variable is its text.
        [whole] if format == "{}" => quote!(#whole.to_owned()),
        _ => quote!(format!(#format #(, #arguments)*)),
    };
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct #name {
            #(pub #fields: #types,)*
        }
        impl Default for #name {
            fn default() -> Self {
                Self { #(#fields: #defaults,)* }
            }
        }
        impl #name {
            /// The URL with these variables.
            #[must_use]
            pub fn url(&self) -> String {
                #url
            }
        }
        #(#choices)*
    }
}

fn choice(variable: &ServerVariable, name: &str, variants: &[String]) -> TokenStream {
    let name = ident(name);
    let variants: Vec<_> = variants.iter().map(|variant| ident(variant)).collect();
    let values = &variable.allowed;
    let doc = format!(" The values of {}.", docs::code(&variable.name));
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum #name {
            #(#variants,)*
        }
        impl #name {
            /// The value in the URL.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #values,)*
                }
            }
        }
    }
}

fn default(variable: &ServerVariable, name: &str, variants: &[String]) -> TokenStream {
    let chosen = variable.allowed.iter().position(|value| *value == variable.default).unwrap_or_default();
    match variants.get(chosen) {
        Some(variant) => {
            let (name, variant) = (ident(name), ident(variant));
            quote!(#name::#variant)
        }
        None => {
            let text = &variable.default;
            quote!(#text.to_owned())
        }
    }
}

/// The URL as a format string, and what goes into it.
fn url_format(server: &Server, names: &ServerNames) -> (String, Vec<TokenStream>) {
    let mut format = String::new();
    let mut arguments = Vec::new();
    let mut rest = server.url.as_str();
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        format.push_str(&before.replace('}', "}}"));
        let named = after[1..].split_once('}').and_then(|(name, tail)| {
            let index = server.variables.iter().position(|variable| variable.name == name)?;
            Some((index, tail))
        });
        match named {
            Some((index, tail)) => {
                let field = ident(&names.variables[index].field);
                let chosen = !server.variables[index].allowed.is_empty();
                arguments.push(if chosen { quote!(self.#field.as_str()) } else { quote!(self.#field) });
                format.push_str("{}");
                rest = tail;
            }
            None => {
                format.push_str("{{");
                rest = &after[1..];
            }
        }
    }
    format.push_str(&rest.replace('}', "}}"));
    (format, arguments)
}
