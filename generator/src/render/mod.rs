//! Rendering: the plan of a system becomes Rust modules.

#[cfg(test)]
mod both_engines;
mod client;
mod client_methods;
pub(crate) mod code;
pub(crate) mod docs;
pub(crate) mod gates;
mod ident;
mod layout;
mod operations;
pub mod page;
mod renderer;
mod servers;
pub mod templates;
#[cfg(test)]
mod tests;
mod types;
mod uses;

use std::collections::BTreeSet;
use std::sync::Arc;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnose::Report;
use crate::model::{Docs, Parameter, SchemaDef, SchemaId, TypeUse};
use crate::plan::{PlannedOperation, SystemPlan};
use ident::ident;
pub(crate) use operations::{AnswerShape, asked_in_the_body, is_three_state, kind_sentence, stream_shape};
pub use renderer::{ExtraFile, Renderer, Rendering};
pub(crate) use servers::listed as listed_servers;
pub use templates::View;

/// One module of a system: where it stands and what is in it. Its code is rendered when it is printed.
#[derive(Debug, Clone)]
pub struct Module {
    /// Where it is below the system's root module, e.g. `["types", "a"]`.
    pub path: Vec<String>,
    /// Modules inside it; items in them are re-exported.
    children: Vec<String>,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// Transport types; those of them that are bodies of multipart requests.
    Types(Vec<SchemaId>, Arc<BTreeSet<SchemaId>>),
    /// Operations, by index in the plan.
    Operations(Vec<usize>),
    /// The bare client with the methods of these operations, and the credentials.
    Client(Vec<usize>),
    /// More methods of the client.
    ClientMethods(Vec<usize>),
}

impl Module {
    /// Whether it has modules inside, so that its file is `<path>/mod.rs`.
    #[must_use]
    pub fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    /// The file below the system's root: `types.rs`, `types/mod.rs`, `types/a.rs`.
    #[must_use]
    pub fn file(&self) -> String {
        let path = self.path.join("/");
        if self.has_children() { format!("{path}/mod.rs") } else { format!("{path}.rs") }
    }
}

/// The modules of a system, parents before what is inside them. What cannot be emitted goes to the report.
pub fn modules(plan: &SystemPlan, report: &mut Report) -> Vec<Module> {
    types::check(plan, report);
    operations::check(plan, report);
    client::check(plan, report);
    servers::check(plan, report);
    let mut modules = layout::client(plan);
    modules.extend(layout::operations(plan));
    modules.extend(layout::types(plan));
    modules
}

/// A part of a module that is printed by itself: a module of thousands of items is never in memory as a syntax tree.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Items of the module.
    Items(TokenStream),
    /// Items or methods that are laid out already.
    Text(String),
    /// Methods of the implementation that is open.
    Methods(TokenStream),
    /// The beginning of an implementation.
    Open(String),
    /// Its end.
    Close,
}

impl Module {
    /// How many pieces it has.
    pub(crate) fn pieces(&self) -> usize {
        match &self.content {
            // The last one is what they have in common.
            Content::Types(ids, _) => ids.len() + 1,
            Content::Operations(indices) => indices.len(),
            Content::Client(indices) => indices.len() + client::AROUND_METHODS,
            Content::ClientMethods(indices) => indices.len() + 2,
        }
    }

    /// One of its pieces.
    pub(crate) fn piece(&self, plan: &SystemPlan, index: usize) -> Piece {
        match &self.content {
            Content::Types(ids, multipart) => types::piece(plan, ids, multipart, index, self.path.len()),
            Content::Operations(indices) => {
                Piece::Items(indices.get(index).map(|index| operations::item(plan, *index)).unwrap_or_default())
            }
            Content::Client(indices) => client::piece(plan, indices, index),
            Content::ClientMethods(indices) => client::methods_piece(plan, indices, index),
        }
    }
}

/// What a module begins with, given the text of its pieces: lints, modules inside, imports.
pub(crate) fn head(plan: &SystemPlan, module: &Module, code: &str) -> TokenStream {
    let children: Vec<_> = module.children.iter().map(|name| ident(name)).collect();
    let exported = module.children.iter().filter(|_| !matches!(module.content, Content::Client(_)));
    let exported: Vec<_> = exported.map(|name| ident(name)).collect();
    let imports = imports(module, code);
    let head = (module.path.len() == 1).then(lints);
    // Without some of its features, not all that is imported is used.
    let gated = (module.path.len() == 1 && plan.gates.is_some())
        .then(|| quote!(#![allow(unused_imports, reason = "what features leave out uses nothing")]));
    // In a program of its own the modules may be private, and some of them not used.
    let unused = quote!(#[allow(unused_imports, reason = "whoever uses none of them is not to be told")]);
    quote!(#head #gated #(mod #children;)* #(#unused pub use #exported::*;)* #imports)
}

fn imports(module: &Module, code: &str) -> TokenStream {
    let root = if module.path.len() > 1 { quote!(super::super) } else { quote!(super) };
    let named =
        |name: &str| if matches!(module.content, Content::Types(..)) { false } else { uses::begins_path(code, name) };
    let maps = uses::mentions(code, "BTreeMap").then(|| {
        quote!(
            use ::std::collections::BTreeMap;
        )
    });
    let runtime = uses::begins_path(code, "rt").then(|| {
        quote!(
            use ::cofferdam_runtime as rt;
        )
    });
    let style = named("Style").then(|| {
        quote!(
            use rt::wire::Style;
        )
    });
    let operations = named("operations").then(|| quote!(use #root::operations;));
    let types = named("types").then(|| quote!(use #root::types;));
    quote!(#maps #runtime #style #operations #types)
}

/// The items of a module, as syntax trees.
///
/// # Errors
/// When the rendered tokens are no Rust: a fault of this program.
pub(crate) fn items(plan: &SystemPlan, module: &Module) -> syn::Result<Vec<syn::Item>> {
    let mut items = Vec::new();
    for index in 0..module.pieces() {
        let piece = match module.piece(plan, index) {
            Piece::Items(items) => syn::parse2::<syn::File>(items)?,
            Piece::Text(text) => syn::parse_file(&text)?,
            Piece::Methods(_) | Piece::Open(_) | Piece::Close => continue,
        };
        items.extend(piece.items);
    }
    Ok(items)
}

/// What a strict crate may ask of its own code, but not of code that says what a document says.
fn lints() -> TokenStream {
    quote! {
        #![allow(
            dead_code,
            missing_docs,
            unreachable_pub,
            clippy::enum_variant_names,
            clippy::large_enum_variant,
            clippy::nursery,
            clippy::pedantic,
            clippy::type_complexity,
            clippy::upper_case_acronyms,
            reason = "the document decides what there is, its names and its sizes"
        )]
    }
}

/// Summary and description of something as doc comment lines: what stands behind each `///`.
#[must_use]
pub fn doc_lines(docs: &Docs) -> Vec<String> {
    docs::DocComment::of(docs).lines()
}

/// The path of a type from the system's root module, e.g. `Vec<types::Pet>`.
#[must_use]
pub fn type_path(plan: &SystemPlan, used: &TypeUse) -> String {
    printed(&types::Scope::outside(plan).of(used))
}

/// The type of a parameter when it is given, as a path from the system's root module.
pub(crate) fn parameter_type(plan: &SystemPlan, parameter: &Parameter) -> String {
    let scope = types::Scope::outside(plan);
    printed(&if parameter.required { scope.of(&parameter.ty) } else { scope.without_null(&parameter.ty) })
}

/// The types of an operation's bodies, as paths from the system's root module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BodyPaths {
    /// Media types of the request with the type of each, in document order.
    pub request: Vec<(String, String)>,
    /// Media types of each response with the type of each, in the order of the operation's responses.
    pub responses: Vec<Vec<(String, String)>>,
}

/// The types of an operation's bodies.
#[must_use]
pub fn body_paths(plan: &SystemPlan, planned: &PlannedOperation) -> BodyPaths {
    let printed =
        |types: Vec<(String, TokenStream)>| types.into_iter().map(|(name, ty)| (name, printed(&ty))).collect();
    let (request, responses) = operations::body_types(plan, planned);
    BodyPaths { request: printed(request), responses: responses.into_iter().map(printed).collect() }
}

/// How reply and rejection hold each documented response.
pub(crate) fn answer_shapes(plan: &SystemPlan, planned: &PlannedOperation) -> Vec<AnswerShape> {
    operations::answer_shapes(plan, planned)
}

/// The fields of an object that are there, each as property, field and type from the system's root module.
pub(crate) fn object_fields(plan: &SystemPlan, def: &SchemaDef) -> Vec<(String, String, String)> {
    let fields = types::object_fields(plan, def).into_iter();
    fields.map(|(property, field, ty)| (property, field, printed(&ty))).collect()
}

/// Tokens of a type as people write them, with whole paths where modules have imports.
fn printed(tokens: &TokenStream) -> String {
    let mut text = format!(" {tokens} ");
    for (short, whole) in [(" rt :: ", " ::cofferdam_runtime::"), (" BTreeMap ", " ::std::collections::BTreeMap ")] {
        text = text.replace(short, whole);
    }
    close(text)
}

/// Tokens of a type as people write them.
pub(crate) fn spelled(tokens: &TokenStream) -> String {
    close(format!(" {tokens} "))
}

fn close(mut text: String) -> String {
    for (spaced, close) in
        [(" :: ", "::"), (" < ", "<"), (" >", ">"), (" ,", ","), ("( ", "("), (" )", ")"), ("< ", "<")]
    {
        if text.contains(spaced) {
            text = text.replace(spaced, close);
        }
    }
    text.trim().to_owned()
}
