//! Rendering: the plan of a system becomes Rust modules.

#[cfg(test)]
mod both_engines;
mod client;
mod client_methods;
pub(crate) mod docs;
pub(crate) mod gates;
mod ident;
mod layout;
mod operations;
mod servers;
pub mod templates;
#[cfg(test)]
mod tests;
mod types;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnose::Report;
use crate::model::{Docs, Parameter, SchemaDef, SchemaId, TypeUse};
use crate::plan::{PlannedOperation, SystemPlan};
use ident::ident;
pub(crate) use operations::{AnswerShape, asked_in_the_body, is_three_state, kind_sentence, stream_shape};
pub(crate) use servers::listed as listed_servers;

/// One module of a system: where it stands and what is in it. Its code is rendered when it is printed.
#[derive(Debug, Clone)]
pub struct Module {
    /// Where it is below the system's root module, e.g. `["types", "a"]`.
    pub path: Vec<String>,
    /// Modules inside it, re-exported whole.
    children: Vec<String>,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// Transport types.
    Types(Vec<SchemaId>),
    /// Operations, by index in the plan.
    Operations(Vec<usize>),
    /// The bare client and the credentials.
    Client,
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
    let client = Module { path: vec!["client".to_owned()], children: Vec::new(), content: Content::Client };
    let mut modules = vec![client];
    modules.extend(layout::operations(plan));
    modules.extend(layout::types(plan));
    modules
}

/// The code of a module.
///
/// # Errors
/// When the rendered tokens are no Rust: a fault of this program.
pub fn file(plan: &SystemPlan, module: &Module) -> syn::Result<syn::File> {
    let children: Vec<_> = module.children.iter().map(|name| ident(name)).collect();
    let depth = module.path.len();
    let items = match &module.content {
        Content::Types(ids) => types::items(plan, ids, depth),
        Content::Operations(indices) => operations::items(plan, indices, depth),
        Content::Client => client::items(plan),
    };
    let head = (depth == 1).then(lints);
    // Without some of its features, not all that is imported is used.
    let gated = (depth == 1 && plan.gates.is_some()).then(|| quote!(#![allow(unused_imports)]));
    syn::parse2(quote!(#head #gated #(mod #children;)* #(pub use #children::*;)* #items))
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
    for (spaced, close) in
        [(" :: ", "::"), (" < ", "<"), (" >", ">"), (" ,", ","), ("( ", "("), (" )", ")"), ("< ", "<")]
    {
        text = text.replace(spaced, close);
    }
    text.trim().to_owned()
}
