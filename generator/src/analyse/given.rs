//! Names that are settled before any is chosen: those an earlier run gave, and those the project file declares.

use std::collections::{BTreeMap, HashMap};

use crate::model::{Api, NameSource, Operation, Origin, SchemaDef};

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

    /// The name that a schema of the root document had, by its [key](schema_keys).
    pub(super) fn earlier_type(&self, def: &SchemaDef, key: &str) -> Option<&str> {
        (def.origin.file == 0).then(|| self.earlier.get(key)).flatten().map(String::as_str)
    }

    /// The method and the type that an operation had.
    pub(super) fn earlier_operation(&self, operation: &Operation) -> Option<(&str, &str)> {
        self.earlier.get(&operation_key(&operation.id))?.split_once(' ')
    }
}

/// The key of each schema among names: its JSON pointer. Where several come from one place, such as a parent and its base, the
/// component has it to itself, or else the first, and the others say what they are.
pub(crate) fn schema_keys(api: &Api) -> Vec<String> {
    let mut owners: HashMap<&Origin, usize> = HashMap::new();
    for (index, def) in api.schemas.iter().enumerate() {
        let is_component = matches!(def.name, NameSource::Component(_));
        let owner = owners.entry(&def.origin).or_insert(index);
        if is_component {
            *owner = index;
        }
    }
    let key = |(index, def): (usize, &SchemaDef)| {
        let pointer = &def.origin.pointer;
        match &def.name {
            _ if owners.get(&def.origin) == Some(&index) => pointer.clone(),
            NameSource::Component(name) => format!("{pointer} {name}"),
            NameSource::Inside(_, words) => format!("{pointer} {}", words.join("/")),
            NameSource::Operation(id, words) => format!("{pointer} {id}/{}", words.join("/")),
        }
    };
    api.schemas.iter().enumerate().map(key).collect()
}

/// The key of an operation among names; a schema's is a JSON pointer.
pub(crate) fn operation_key(id: &str) -> String {
    format!("operation {id}")
}
