//! View models: what a template sees. Flat, serialisable, without logic; every text is ready to be printed. They are
//! the contract with templates that teams keep of their own, so [`VIEW_VERSION`] grows with every change that could
//! break one.

mod adapter;
mod contract;
mod header;
mod manifest;
mod module_root;
mod page;
mod plan_document;
pub mod plan_page;
mod resilience;
mod stubs;
mod trial;

pub use adapter::{AdapterOperation, AdapterView, adapter};
pub use contract::{ContractExample, ContractView, contract};
pub use header::{HeaderView, header};
pub use manifest::{ManifestView, RuntimeSource, manifest};
pub use module_root::{ModuleRootView, ModuleView, module_root};
pub use page::{PageOperation, PageSchema, PageSystem, page_system};
pub use plan_document::{
    AnswerDocument, BodyDocument, BranchDocument, CredentialDocument, FieldDocument, KeyDocument, LocationDocument,
    NoteDocument, OperationDocument, PLAN_VERSION, PagesDocument, ParameterDocument, PlanDocument, RustDocument,
    SchemaDocument, ServerDocument, ServerVariableDocument, StreamDocument, SystemDocument, SystemRustDocument,
    ValueDocument, system_document,
};
pub use resilience::{ResilienceCase, ResilienceView, resilience};
pub use stubs::{
    ConversionView, DomainField, DomainType, DomainVariant, DomainView, MapperView, MappingView, MissingView,
    PortOperation, PortView, StubRootView, stub_root,
};
pub use trial::{TrialView, trial};

/// The version of all view models together.
pub const VIEW_VERSION: u32 = 1;

/// The documented summary as lines for `///`.
pub(crate) fn summary_lines(docs: &crate::model::Docs) -> Vec<String> {
    let summary = crate::model::Docs { summary: docs.summary.clone(), ..crate::model::Docs::default() };
    crate::render::docs::DocComment::of(&summary).lines()
}

/// A text as a Rust or TOML string literal: what both grammars read alike is escaped alike.
pub(crate) fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            // No control character is worth keeping in a name or a title, and TOML has no short way to write it.
            other if other.is_control() => literal.push(' '),
            other => literal.push(other),
        }
    }
    literal.push('"');
    literal
}
