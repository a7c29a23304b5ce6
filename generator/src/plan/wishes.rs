use crate::diagnose::Location;

/// What a team asks of one system's operations, as its project file says it.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// The operations wanted; `None`: all of them.
    pub selection: Option<Selection>,
    /// What is declared of single operations, in the order of the file.
    pub declarations: Vec<Declaration>,
}

/// Which operations are wanted: those that any of the lists names.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// By `operationId`, or by `METHOD /path`.
    pub ids: Vec<Wish>,
    /// By tag.
    pub tags: Vec<Wish>,
    /// By path: `*` stands for text within a segment, `**` for any number of segments; a method may stand before it.
    pub paths: Vec<Wish>,
    /// Where the selection is written.
    pub location: Location,
}

/// A word of the project file and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// As written.
    pub text: String,
    /// Where.
    pub location: Location,
}

/// What is declared of one operation.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// Its id, or `METHOD /path`.
    pub operation: Wish,
    /// `kind = "…"`.
    pub kind: Option<(DeclaredKind, Location)>,
    /// `idempotency-key = { … }`.
    pub key: Option<(DeclaredKey, Location)>,
    /// `reason = "…"`.
    pub reason: Option<String>,
}

/// The kinds that can be declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredKind {
    /// It changes nothing there, whatever its method is.
    Read,
    /// It carries a key; where, the document or the declaration says.
    Keyed,
    /// It may be sent at most once, whatever its method is.
    Once,
}

/// Where a declared idempotency key travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredKey {
    /// In a header.
    Header(String),
    /// In a query parameter.
    Query(String),
    /// In a field of the body: `orderNumber`, `order.number`, or a JSON pointer.
    Body(String),
}
