use http::StatusCode;

use crate::IdempotencyKey;
use crate::http::{BuildError, ItemStream, PageRule, RawReply, RequestWriter, SchemeUse, StreamForm};
use crate::wire::DecodeError;

/// One operation of a document as a type: what it takes, what it answers, and how both travel. Generated code
/// implements it for one zero-sized type an operation.
pub trait Operation: Copy + Send + Sync + 'static {
    /// Its arguments.
    type Request: Send + Sync;
    /// What its documented successes say.
    type Reply: Send;
    /// What its documented failures say; [`NoRejection`] if there are none.
    type Rejection: Send;

    /// What is known about it without its types.
    const META: &'static OperationMeta;

    /// Writes the arguments. `key` goes where the document wants the idempotency key, if it wants one.
    fn encode(request: &Self::Request, key: Option<&IdempotencyKey>, out: &mut RequestWriter)
    -> Result<(), BuildError>;

    /// Reads an answer.
    fn decode(reply: &RawReply) -> Result<Decoded<Self::Reply, Self::Rejection>, DecodeError>;
}

/// An operation whose success comes item by item: each item is a `Reply` of its own. `decode` is only asked about what is
/// no success.
pub trait Streaming: Operation {
    /// What its client method gives.
    type Stream: ItemStream<Item = Self::Reply>;

    /// How the items come.
    const FORM: StreamForm;
}

/// An operation that reads a list page by page, as the project file declares.
pub trait Paged: Read {
    /// How the pages follow each other.
    const PAGES: PageRule;
}

/// What is known about an operation without its types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationMeta {
    /// The system's name: of its breaker, its bulkhead, its settings, its metrics (R-RES-ISO-3).
    pub system: &'static str,
    /// `operationId`, or what stands for it.
    pub id: &'static str,
    /// Name of its methods.
    pub name: &'static str,
    /// Whether it may be repeated.
    pub kind: OperationKind,
    /// HTTP method.
    pub method: &'static str,
    /// Path template, for spans and metrics: never with values in it.
    pub path: &'static str,
    /// The `accept` header; empty for none.
    pub accept: &'static str,
    /// Ways to be allowed, any of which is enough; each names schemes that are needed together. An empty one, and
    /// an empty list, is anonymous. `None`: the document says nothing, so nothing is added.
    pub security: Option<&'static [&'static [SchemeUse]]>,
}

impl OperationMeta {
    /// An operation without a document, for a client of one's own.
    pub const fn of(
        system: &'static str,
        id: &'static str,
        kind: OperationKind,
        method: &'static str,
        path: &'static str,
    ) -> Self {
        Self { system, id, name: id, kind, method, path, accept: "", security: None }
    }
}

/// Whether an operation may be repeated (R-RES-RE-1). It is a property of the operation, never a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// It only reads: repeating changes nothing.
    Read,
    /// It writes, and carries a key by which the system recognises a repetition.
    Keyed,
    /// It writes, and nothing makes a repetition harmless: sent at most one time.
    Once,
}

/// An operation that only reads.
pub trait Read: Operation {}

/// An operation that carries an idempotency key. Where the key may be left out, it is [`Once`] too.
pub trait Keyed: Operation {}

/// A write that may be sent without a key, and then at most one time.
pub trait Once: Operation {}

/// An answer read by its operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded<Reply, Rejection> {
    /// A documented success.
    Reply(Reply),
    /// A documented failure.
    Rejection(Rejection),
    /// A status the document does not know.
    Undocumented,
}

/// The rejection of an operation that documents none: it has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoRejection {}

impl std::fmt::Display for NoRejection {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl std::error::Error for NoRejection {}

impl NoRejection {
    /// For `Mapping::rejection`: there is nothing to map, whatever the result type.
    pub fn never<T>(self, _status: StatusCode) -> T {
        match self {}
    }
}
