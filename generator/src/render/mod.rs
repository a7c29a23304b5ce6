//! Rendering: the plan of a system becomes Rust modules.

pub(crate) mod docs;
mod ident;
mod layout;
mod operations;
pub mod templates;
mod types;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnose::Report;
use crate::model::SchemaId;
use crate::plan::SystemPlan;
use ident::ident;
pub(crate) use operations::kind_sentence;

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
    let mut modules = layout::types(plan);
    modules.extend(layout::operations(plan));
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
    };
    let head = head(module);
    syn::parse2(quote!(#head #(mod #children;)* #(pub use #children::*;)* #items))
}

fn head(module: &Module) -> TokenStream {
    if module.path.len() > 1 {
        return TokenStream::new();
    }
    quote!()
}
