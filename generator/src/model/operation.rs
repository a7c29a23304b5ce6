use indexmap::IndexMap;
use serde_json::Value;

use super::{Docs, Origin, Requirement, Server, TypeUse};

/// One operation: a method on a path.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `operationId` as written, or derived as [`Operation::id_derived`] says.
    pub id: String,
    /// The document gives no `operationId`: `id` is `"<METHOD> <path>"`.
    pub id_derived: bool,
    /// `GET`, `POST`, … upper case.
    pub method: String,
    /// The path with its places for parameters.
    pub path: PathTemplate,
    /// `tags`, in document order.
    pub tags: Vec<String>,
    /// Documentation.
    pub docs: Docs,
    /// Parameters: the path item's, overridden by the operation's own, in document order.
    pub parameters: Vec<Parameter>,
    /// The request body.
    pub body: Option<Body>,
    /// Documented responses, in document order.
    pub responses: Vec<Response>,
    /// Alternatives, any of which is enough (OR); `None` when nothing is said anywhere. An empty list is anonymous.
    pub security: Option<Vec<Requirement>>,
    /// Servers of the operation or its path item, when they override the document's.
    pub servers: Vec<Server>,
    /// Where it is written.
    pub origin: Origin,
}

impl Operation {
    /// Whether a documented response stands for success. `default` does when nothing else does.
    #[must_use]
    pub fn is_success(&self, status: Status) -> bool {
        status
            .is_success()
            .unwrap_or_else(|| !self.responses.iter().any(|response| response.status.is_success() == Some(true)))
    }

    /// The bodies that a response of this operation can have.
    #[must_use]
    pub fn contents<'o>(&self, response: &'o Response) -> &'o [Content] {
        let never = matches!(response.status, Status::Code(204 | 205 | 304)) || self.method == "HEAD";
        if never { &[] } else { &response.contents }
    }
}

/// A path, cut at its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathTemplate {
    /// As written, e.g. `/users/{id}/`.
    pub raw: String,
    /// Literal text and parameters in order.
    pub segments: Vec<PathSegment>,
}

/// A piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathSegment {
    /// Text that stands as it is.
    Literal(String),
    /// The name of a path parameter.
    Parameter(String),
}

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterPlace {
    /// In the path.
    Path,
    /// In the query string.
    Query,
    /// A request header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

/// A parameter of an operation.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name on the wire.
    pub name: String,
    /// Where it travels.
    pub place: ParameterPlace,
    /// Must be given (always true in a path).
    pub required: bool,
    /// Its type.
    pub ty: TypeUse,
    /// How arrays and objects are written.
    pub style: Style,
    /// One name=value a member, or all in one.
    pub explode: bool,
    /// Reserved characters go unescaped (query only).
    pub allow_reserved: bool,
    /// Described by `content`: the value travels in this media type (JSON) instead of a style.
    pub content: Option<String>,
    /// Documentation.
    pub docs: Docs,
    /// The documented `default`; never sent by itself.
    pub default: Option<Value>,
    /// Where it is written.
    pub origin: Origin,
}

/// OpenAPI's parameter styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// `;a=1`
    Matrix,
    /// `.1`
    Label,
    /// `a=1`
    Form,
    /// `1`
    Simple,
    /// `a=1 2`
    SpaceDelimited,
    /// `a=1|2`
    PipeDelimited,
    /// `a[b]=1`
    DeepObject,
}

/// A request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// `required: true`.
    pub required: bool,
    /// Its media types in document order; never empty.
    pub contents: Vec<Content>,
    /// Documentation.
    pub docs: Docs,
    /// Where it is written.
    pub origin: Origin,
}

/// A body in one media type.
#[derive(Debug, Clone)]
pub struct Content {
    /// As written, e.g. `application/vnd.x+json; charset=utf-8`.
    pub media_type: String,
    /// How it is read and written.
    pub kind: ContentKind,
    /// Its type; `Any` when the document gives no schema.
    pub ty: TypeUse,
    /// `encoding` by property (forms and multipart).
    pub encoding: IndexMap<String, Encoding>,
}

/// The ways a body is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentKind {
    /// `application/json`, `*+json`.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/*`.
    Multipart,
    /// `text/*` other than event streams.
    Text,
    /// Anything else: bytes.
    Binary,
    /// `text/event-stream`.
    EventStream,
    /// `application/jsonl`, `application/x-ndjson` and kin.
    JsonLines,
}

impl ContentKind {
    /// Whether a body comes item by item.
    #[must_use]
    pub fn is_stream(self) -> bool {
        matches!(self, Self::EventStream | Self::JsonLines)
    }
}

/// How one property of a form or multipart body is written.
#[derive(Debug, Clone, Default)]
pub struct Encoding {
    /// `contentType`: one or more media types, split at commas.
    pub content_types: Vec<String>,
    /// `style`.
    pub style: Option<Style>,
    /// `explode`.
    pub explode: Option<bool>,
    /// `allowReserved`.
    pub allow_reserved: bool,
}

/// A documented response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status it stands for.
    pub status: Status,
    /// Documentation.
    pub docs: Docs,
    /// Documented headers in document order (`Content-Type` left out, as OpenAPI says).
    pub headers: Vec<Header>,
    /// Media types in document order; empty when it has no body.
    pub contents: Vec<Content>,
    /// Where it is written.
    pub origin: Origin,
}

/// What a response is documented for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// One status, `404`.
    Code(u16),
    /// A range, `4XX` (holds 4).
    Range(u8),
    /// `default`.
    Default,
}

impl Status {
    /// Whether it is a success (2xx); `None` for `default`.
    #[must_use]
    pub fn is_success(self) -> Option<bool> {
        match self {
            Self::Code(code) => Some((200..300).contains(&code)),
            Self::Range(class) => Some(class == 2),
            Self::Default => None,
        }
    }
}

/// A response header.
#[derive(Debug, Clone)]
pub struct Header {
    /// Its name as written.
    pub name: String,
    /// Must be present.
    pub required: bool,
    /// Its type; style is always `simple`.
    pub ty: TypeUse,
    /// Documentation.
    pub docs: Docs,
}
