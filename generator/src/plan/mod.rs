//! The plan: which operations a system gets, of which kind and why, and what everything is called.

mod body_key;
mod declared_names;
mod gates;
mod governed;
mod lints;
mod operations;
mod pages;
mod policies;
mod retry_eligibility;
mod selection;

pub use body_key::KeyStep;
pub(crate) use body_key::walk as key_steps;
pub use declared_names::given_names;
pub use gates::Gates;
pub use governed::{Governed, governed, lint_settings};
pub(crate) use lints::is_error_name;
pub use lints::lint;
pub use operations::choose_operations;
pub use pages::{PageNext, PagePlan, PageSize};
pub use policies::{Layer, PlannedTimeouts, Policy, policies, presets};
pub(crate) use retry_eligibility::is_scalar;
pub(crate) use selection::{names, operation_named};

use std::collections::{BTreeMap, BTreeSet};

use heck::ToUpperCamelCase;

use crate::analyse::{Analysis, Names, operation_key, schema_keys};
use crate::mapping::Extras;
use crate::model::{Api, Operation, Parameter, ParameterPlace, SchemaId};
use crate::project::System;

/// All that rendering needs to know of one system.
#[derive(Debug, Clone, Default)]
pub struct SystemPlan {
    /// The system's name: settings section, breaker, metrics, folder (`sber`).
    pub system: String,
    /// The name in type names (`Sber`).
    pub type_prefix: String,
    /// The document's file name, for headers.
    pub document: String,
    /// The API.
    pub api: Api,
    /// What everything is called.
    pub names: Names,
    /// The chosen operations, in document order.
    pub operations: Vec<PlannedOperation>,
    /// Schemas to emit, by [`SchemaId`].
    pub reached: Vec<bool>,
    /// Fields and branches that need a box: (schema, index of field or branch).
    pub boxed: std::collections::BTreeSet<(SchemaId, usize)>,
    /// Aliases that must be newtypes because they stand in a cycle.
    pub newtypes: std::collections::BTreeSet<SchemaId>,
    /// Fields that are not there because their only value is the tag of a union: (schema, index of field), with the tag
    /// where it is the same in all unions.
    pub implied: std::collections::BTreeMap<(SchemaId, usize), Option<String>>,
    /// Whether each schema is written (request), read (reply) or both, by [`SchemaId`].
    pub directions: Vec<Direction>,
    /// The features of the runtime that types of the project's own need.
    pub features: BTreeSet<&'static str>,
    /// Derives and attributes that types get besides.
    pub extras: BTreeMap<SchemaId, Extras>,
    /// In a crate whose tags are features: what needs which.
    pub gates: Option<Gates>,
    /// What a crate of its own depends on besides the runtime: names, and right-hand sides as TOML.
    pub dependencies: Vec<(String, String)>,
}

impl SystemPlan {
    /// Puts together what was decided about a system.
    #[must_use]
    pub fn new(system: &System, api: Api, operations: Vec<PlannedOperation>, analysis: Analysis) -> Self {
        let Analysis { names, reached, boxed, newtypes, implied, directions } = analysis;
        let document = system.spec.value.file_name().map(|name| name.to_string_lossy().into_owned());
        Self {
            system: system.name.clone(),
            type_prefix: system.name.to_upper_camel_case(),
            document: document.unwrap_or_default(),
            api,
            names,
            operations,
            reached,
            boxed,
            newtypes,
            implied,
            directions,
            features: BTreeSet::new(),
            extras: BTreeMap::new(),
            gates: None,
            dependencies: Vec::new(),
        }
    }

    /// The names that were given, for the lock: the type of each emitted schema by its place, a JSON pointer, after the name
    /// that `file` gives where it is not in the root document; and the method and type of each chosen operation.
    pub fn given_names<'a>(&self, file: impl Fn(usize) -> &'a str) -> BTreeMap<String, String> {
        let keyed = self.api.schemas.iter().zip(schema_keys(&self.api));
        let reached = keyed.zip(&self.reached).filter(|(_, reached)| **reached);
        let types = reached.filter_map(|((schema, key), _)| {
            let name = self.names.types.get(schema.id.index())?;
            let key = match schema.origin.file {
                0 => key,
                index => format!("{}#{key}", file(index)),
            };
            Some((key, name.clone()))
        });
        let operations = self.operations.iter().filter_map(|planned| {
            let names = self.names.operations.get(planned.index)?;
            Some((operation_key(&self.operation(planned).id), format!("{} {}", names.method, names.marker)))
        });
        types.chain(operations).collect()
    }

    /// The model of a planned operation.
    #[must_use]
    pub fn operation(&self, planned: &PlannedOperation) -> &Operation {
        &self.api.operations[planned.index]
    }
}

/// Which way a type travels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Direction {
    /// Part of a request.
    pub request: bool,
    /// Part of a reply.
    pub reply: bool,
}

/// A chosen operation and what may be done with it.
#[derive(Debug, Clone)]
pub struct PlannedOperation {
    /// Index in [`Api::operations`].
    pub index: usize,
    /// What may be repeated.
    pub kind: OperationKind,
    /// Why it has that kind, in a sentence for people.
    pub reason: String,
    /// Where its idempotency key travels.
    pub key: Option<KeyPlace>,
    /// How it comes page by page, where that is declared.
    pub pages: Option<PagePlan>,
}

impl PlannedOperation {
    /// Whether a parameter carries the idempotency key: it is an argument of the methods then, no field of the request.
    #[must_use]
    pub fn is_key(&self, parameter: &Parameter) -> bool {
        match &self.key {
            Some(KeyPlace::Header { name, .. }) => {
                parameter.place == ParameterPlace::Header && parameter.name.eq_ignore_ascii_case(name)
            }
            Some(KeyPlace::Query { name, .. }) => parameter.place == ParameterPlace::Query && parameter.name == *name,
            Some(KeyPlace::Body { .. }) | None => false,
        }
    }
}

/// What may be repeated (R-RES-RE-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// GET, HEAD, OPTIONS, or declared a read: may be repeated.
    Read,
    /// Carries an idempotency key: may be repeated with the same key.
    Keyed,
    /// All else: sent once.
    Once,
}

/// Where an idempotency key travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPlace {
    /// A header. An argument of the generated methods, not a field of the request.
    Header {
        /// Its name as written.
        name: String,
        /// The document requires it.
        required: bool,
    },
    /// A query parameter. An argument of the generated methods, not a field of the request.
    Query {
        /// Its name as written.
        name: String,
        /// The document requires it.
        required: bool,
    },
    /// A field of the body, as a path of property names.
    Body {
        /// Property names from the body's root.
        path: Vec<String>,
    },
}

#[cfg(test)]
mod tests;
