//! Names that are settled before any is chosen: those an earlier run gave, and those the project file declares.

use std::collections::BTreeMap;

use crate::model::{Operation, Origin};

/// Settled names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenNames {
    /// What an earlier run gave, as [`SystemPlan::given_names`](crate::plan::SystemPlan::given_names) says: where names meet,
    /// who had one keeps it.
    pub earlier: BTreeMap<String, String>,
    /// What the project file declares, by JSON pointer in the root document: it goes before all others.
    pub declared: BTreeMap<String, String>,
}

impl GivenNames {
    /// Those of an earlier run.
    #[must_use]
    pub fn after(earlier: &BTreeMap<String, String>) -> Self {
        Self { earlier: earlier.clone(), declared: BTreeMap::new() }
    }

    /// The name that is declared for a place.
    pub(crate) fn declared(&self, origin: &Origin) -> Option<&str> {
        (origin.file == 0).then(|| self.declared.get(&origin.pointer)).flatten().map(String::as_str)
    }

    /// The name that the schema of a place had.
    pub(super) fn earlier_type(&self, origin: &Origin) -> Option<&str> {
        (origin.file == 0).then(|| self.earlier.get(&origin.pointer)).flatten().map(String::as_str)
    }

    /// The method and the type that an operation had.
    pub(super) fn earlier_operation(&self, operation: &Operation) -> Option<(&str, &str)> {
        self.earlier.get(&operation_key(&operation.id))?.split_once(' ')
    }
}

/// The key of an operation among names; a schema's is a JSON pointer.
pub(crate) fn operation_key(id: &str) -> String {
    format!("operation {id}")
}
