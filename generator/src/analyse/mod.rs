//! Analysis: what the chosen operations reach, where recursion needs a box, which way each type travels, and what
//! everything is called in Rust. Pure functions over the model.

/// The Rust names of everything in an API. Keyed by the model's own indices; raw identifiers (`r#type`) included.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Type names by [`SchemaId`](crate::model::SchemaId).
    pub types: Vec<String>,
    /// Field, variant and map names by [`SchemaId`](crate::model::SchemaId).
    pub members: Vec<MemberNames>,
    /// Names of each operation, by index in [`Api::operations`](crate::model::Api::operations).
    pub operations: Vec<OperationNames>,
    /// Credential builder methods, by index in [`Api::security_schemes`](crate::model::Api::security_schemes).
    pub schemes: Vec<String>,
    /// Identifiers that differ from what casing alone would give, for the report: (pointer, wire name, Rust name).
    pub renamed: Vec<(crate::model::Origin, String, String)>,
}

/// Names inside one type.
#[derive(Debug, Clone, Default)]
pub struct MemberNames {
    /// Fields in the order of the object's fields.
    pub fields: Vec<String>,
    /// The map of undeclared properties, where they are kept.
    pub extra: Option<String>,
    /// Variants in the order of the enum's values or the union's branches.
    pub variants: Vec<String>,
    /// The variant that keeps unknown values.
    pub unknown: Option<String>,
}

/// Names of one operation.
#[derive(Debug, Clone, Default)]
pub struct OperationNames {
    /// `register_order`: the method of client and adapter.
    pub method: String,
    /// `RegisterOrder`: the zero-sized type.
    pub marker: String,
    /// `RegisterOrderRequest`.
    pub request: String,
    /// `RegisterOrderReply`.
    pub reply: String,
    /// `RegisterOrderRejection`.
    pub rejection: String,
    /// Fields of the request type, in the order of the operation's parameters.
    pub parameters: Vec<String>,
    /// The field of the body.
    pub body: String,
    /// Variants of the body enum when there are several media types, in document order.
    pub body_variants: Vec<String>,
    /// Variants of reply or rejection, in the order of the operation's responses.
    pub responses: Vec<String>,
}
