//! Lowering: from the values of a document to the [model](crate::model).
//!
//! The folders `resolve` (what a reference leads to), `normalise` (what a schema says, in one dialect) and this one
//! (what it becomes) work item by item over the values where they stand: nothing of the document is copied or
//! rewritten. Where the types of `openapiv3` fit an item they read it (info, servers, security schemes,
//! discriminators, status codes, styles, formats); where they would hide the cause of a fault or read a subtree over
//! and over, as untagged references and flattened schemas do, small accessors do that name the exact pointer.

mod annotation;
mod any_of;
mod content;
mod context;
mod credentials;
mod document;
mod example;
mod facets;
mod finish;
mod identity;
mod info;
mod inherit;
mod listed;
mod name;
mod object;
mod operation;
mod parameter;
mod path;
mod place;
mod response;
mod scalar;
mod schema;
mod security;
mod server;
mod tag;
mod union;
mod webhook;

use context::Lowering;

use crate::diagnose::{Report, Severity};
use crate::load::{Sources, openapi_version};
use crate::model::Api;
pub use crate::project::OnDuplicate;
use crate::project::{BodyCredential, System, TypeMapping};
use crate::resolve::{Documents, Findings};

/// What the project file says that shapes the model.
#[derive(Debug, Clone, Default)]
pub struct LowerOptions {
    /// What two operations with one id mean.
    pub on_duplicate: OnDuplicate,
    /// Credentials that travel in the body: a label, and the fields that are filled together.
    pub body_credentials: Vec<(String, Vec<String>)>,
    /// Types of the project's own for formats; their position is the number of the declaration.
    pub formats: Vec<TypeMapping>,
}

impl LowerOptions {
    /// What the project file says of a system.
    #[must_use]
    pub fn of(system: &System) -> Self {
        let fields = |credential: &BodyCredential| {
            credential.fields.iter().map(|field| field.value.clone()).collect::<Vec<String>>()
        };
        let body_credentials = system.credentials.iter().map(|one| (one.label.clone(), fields(one))).collect();
        Self { on_duplicate: system.on_duplicate, body_credentials, formats: system.types.formats.clone() }
    }
}

/// Lowers the root document, and the parts it refers to. `None` when there was an error; all of them are told.
pub fn lower(sources: &mut Sources, options: &LowerOptions, report: &mut Report) -> Option<Api> {
    let dialect = openapi_version(sources, report)?;
    let errors = |report: &Report| report.diagnostics().iter().filter(|d| d.severity == Severity::Error).count();
    let before = errors(report);
    let documents = Documents::new(std::mem::take(sources));
    let api = Lowering::new(&documents, Findings::new(report), dialect, &options.formats).document(options);
    *sources = documents.give_back();
    api.filter(|_| errors(report) == before)
}
