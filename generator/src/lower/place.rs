use std::rc::Rc;

use crate::model::{NameSource, SchemaId};

/// Where an inline schema stands, in the words its name is made of.
#[derive(Debug, Clone)]
pub(super) struct Place {
    base: Base,
    words: Vec<String>,
}

#[derive(Debug, Clone)]
enum Base {
    Schema(SchemaId),
    Operation(Rc<str>),
}

impl Place {
    /// Inside a schema that has a name of its own.
    pub(super) fn of_schema(id: SchemaId) -> Self {
        Self { base: Base::Schema(id), words: Vec::new() }
    }

    /// Inside an operation, or inside a shared response, parameter, body or header, of the given name.
    pub(super) fn of_operation(name: &str) -> Self {
        Self { base: Base::Operation(name.into()), words: Vec::new() }
    }

    /// One word further inside.
    pub(super) fn inside(&self, word: impl Into<String>) -> Self {
        let mut words = Vec::with_capacity(self.words.len() + 1);
        words.extend_from_slice(&self.words);
        words.push(word.into());
        Self { base: self.base.clone(), words }
    }

    /// What the name of an inline schema here is derived from.
    pub(super) fn name(&self) -> NameSource {
        match &self.base {
            Base::Schema(id) => NameSource::Inside(*id, self.words.clone()),
            Base::Operation(name) => NameSource::Operation(name.to_string(), self.words.clone()),
        }
    }
}
