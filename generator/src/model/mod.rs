//! The model: our intermediate representation of one API.
//!
//! It holds no Rust syntax and no type of `openapiv3`: it says what the document means. Lowering builds it, every
//! later stage only reads it. References between schemas are [`SchemaId`]s into one arena, so recursion needs no care.

mod docs;
mod operation;
mod own;
mod schema;
mod security;
#[cfg(test)]
pub(crate) mod testing;

pub use docs::{Docs, Origin};
pub use operation::{
    Body, Content, ContentKind, Encoding, Header, Operation, Parameter, ParameterPlace, PathSegment, PathTemplate,
    Response, Status, Style,
};
pub use own::{OwnType, OwnUse, Through};
pub use schema::{
    Branch, Discriminator, EnumValue, Exemplified, Extra, Field, FloatWidth, IntWidth, NameSource, SchemaDef, SchemaId,
    SchemaKind, TextFormat, Type, TypeUse, UnionKind,
};
pub use security::{ApiKeyPlace, Requirement, SecurityKind, SecurityScheme, Server, ServerVariable};

/// One external system's API as its document describes it.
#[derive(Debug, Clone, Default)]
pub struct Api {
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// `info.description`.
    pub docs: Docs,
    /// Top-level servers, in document order.
    pub servers: Vec<Server>,
    /// The arena of schemas that become types of their own; index = [`SchemaId`].
    pub schemas: Vec<SchemaDef>,
    /// Every operation of `paths`, in document order.
    pub operations: Vec<Operation>,
    /// Schemas that must be emitted although no operation may reach them: named components and webhook payloads.
    pub roots: Vec<SchemaId>,
    /// Security schemes by their name in the document, in document order.
    pub security_schemes: Vec<SecurityScheme>,
    /// Schemas that give an example or a default, each once.
    pub exemplified: Vec<Exemplified>,
}

impl Api {
    /// The definition behind an id.
    #[must_use]
    pub fn schema(&self, id: SchemaId) -> &SchemaDef {
        &self.schemas[id.index()]
    }
}
