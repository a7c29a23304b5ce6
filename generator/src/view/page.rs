//! What templates for outputs of a team's own see. Unlike other views its texts are as the document has them: filters
//! make them harmless where they are printed.

use serde::Serialize;

use super::{
    BranchDocument, CredentialDocument, FieldDocument, OperationDocument, SchemaDocument, ServerDocument,
    SystemRustDocument, ValueDocument, system_document,
};
use crate::Planned;
use crate::model::Docs;

/// A system, and what its document says of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PageSystem {
    /// Its name.
    pub name: String,
    /// Its Rust module.
    pub module: String,
    /// The file name of its document.
    pub document: String,
    /// Its Rust items.
    pub rust: SystemRustDocument,
    /// The servers the document names.
    pub servers: Vec<ServerDocument>,
    /// The security schemes of the document, and those of the project file.
    pub credentials: Vec<CredentialDocument>,
    /// The title of the document.
    pub title: String,
    /// The version of the document.
    pub version: String,
    /// The description of the document, Markdown; empty without one.
    pub description: String,
    /// The chosen operations in document order.
    pub operations: Vec<PageOperation>,
    /// The schemas that have types.
    pub schemas: Vec<PageSchema>,
    /// The tags of the chosen operations, in the order in which they are first named.
    pub tags: Vec<String>,
}

/// An operation: all of the plan's JSON form, and what the document says besides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PageOperation {
    /// As in `cofferdam plan --format json`.
    #[serde(flatten)]
    pub operation: OperationDocument,
    /// Its summary; empty without one.
    pub summary: String,
    /// Its description, Markdown; empty without one.
    pub description: String,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Its tags.
    pub tags: Vec<String>,
}

/// A schema and its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PageSchema {
    /// The name of its type.
    pub name: String,
    /// The path of its type, from the root of the generated modules.
    #[serde(rename = "type")]
    pub ty: String,
    /// Where it is written: a JSON pointer, after the file where it is not the root document.
    pub pointer: String,
    /// `object`, `text-enum`, `integer-enum`, `const`, `union`, or `alias`.
    pub kind: &'static str,
    /// Of an object: its fields.
    pub fields: Vec<FieldDocument>,
    /// Of an enum: its listed values.
    pub values: Vec<ValueDocument>,
    /// Of a union: its branches.
    pub branches: Vec<BranchDocument>,
    /// Its title; empty without one.
    pub title: String,
    /// Its description, Markdown; empty without one.
    pub description: String,
}

/// A system as templates for outputs of a team's own see it.
#[must_use]
pub fn page_system(planned: &Planned) -> PageSystem {
    let plan = &planned.plan;
    let system = system_document(plan, &planned.policies, &plan.document, &planned.files, &[]);
    let operations: Vec<PageOperation> = system
        .operations
        .into_iter()
        .zip(&plan.operations)
        .map(|(document, one)| operation(document, plan.operation(one)))
        .collect();
    let reached = plan.api.schemas.iter().zip(&plan.reached).filter(|(_, reached)| **reached).map(|(schema, _)| schema);
    let mut tags: Vec<String> = Vec::new();
    for tag in operations.iter().flat_map(|operation| &operation.tags) {
        if !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
    PageSystem {
        name: system.name,
        document: plan.document.clone(),
        rust: system.rust,
        servers: system.servers,
        credentials: system.credentials,
        module: crate::project::module_name(&plan.system),
        title: plan.api.title.clone(),
        version: plan.api.version.clone(),
        description: plan.api.docs.description.clone().unwrap_or_default(),
        schemas: system.schemas.into_iter().zip(reached).map(|(document, def)| schema(document, &def.docs)).collect(),
        operations,
        tags,
    }
}

fn operation(document: OperationDocument, operation: &crate::model::Operation) -> PageOperation {
    PageOperation {
        operation: document,
        summary: operation.docs.summary.clone().unwrap_or_default(),
        description: operation.docs.description.clone().unwrap_or_default(),
        deprecated: operation.docs.deprecated,
        tags: operation.tags.clone(),
    }
}

fn schema(document: SchemaDocument, docs: &Docs) -> PageSchema {
    PageSchema {
        name: document.ty.rsplit("::").next().unwrap_or_default().to_owned(),
        ty: document.ty,
        pointer: document.pointer,
        kind: document.kind,
        fields: document.fields,
        values: document.values,
        branches: document.branches,
        title: docs.summary.clone().unwrap_or_default(),
        description: docs.description.clone().unwrap_or_default(),
    }
}
