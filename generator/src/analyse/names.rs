//! The Rust names of everything in an API.

use super::collisions::{Scope, Wanted};
use super::given::GivenNames;
use super::identifiers::{Case, bare, cased};
use super::{keywords, member_names, operation_names, type_names};
use crate::diagnose::Report;
use crate::model::{Api, Origin};

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
    pub renamed: Vec<(Origin, String, String)>,
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
    /// The enum of the body's media types: `RegisterOrderBody`.
    pub body_type: String,
    /// Variants of the body enum when there are several media types, in document order.
    pub body_variants: Vec<String>,
    /// Variants of reply or rejection, in the order of the operation's responses.
    pub responses: Vec<String>,
    /// What each response needs beside its variant, in the order of the operation's responses.
    pub response_parts: Vec<ResponseNames>,
    /// The operation as it answers item by item, where it can. The names above are its own where it answers in no other
    /// way.
    pub stream: Option<StreamNames>,
    /// `get_blob_stream`: the method that gives the bytes of the reply as they come, where it has bytes.
    pub byte_stream: Option<String>,
    /// `list_orders_pages`: the method that reads a list page by page, should the project file say how.
    pub pages: String,
}

/// Names of an operation as it answers item by item; request and rejection are those of the operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StreamNames {
    /// `create_chat_completion_stream`
    pub method: String,
    /// `CreateChatCompletionStream`
    pub marker: String,
    /// `CreateChatCompletionStreamReply`: one item.
    pub reply: String,
}

/// Names of what one response is made of.
#[derive(Debug, Clone, Default)]
pub struct ResponseNames {
    /// The struct of body and headers, when headers are documented: `RegisterOrderAccepted`.
    pub with_headers: String,
    /// The enum of media types, when their types differ: `RegisterOrderAcceptedBody`.
    pub body_type: String,
    /// Its variants, in the order of the response's media types.
    pub body_variants: Vec<String>,
    /// Fields of the headers, in document order.
    pub headers: Vec<String>,
}

/// Names everything. Only what is emitted goes on the list of the renamed.
pub(crate) fn choose(api: &Api, selected: &[usize], reached: &[bool], given: &GivenNames) -> Names {
    let types = type_names::choose(api, given);
    let members = member_names::choose(api, &types);
    let operations = operation_names::choose(api, given);
    let schemes = scheme_names(api);
    let mut names = Names { types, members, operations, schemes, renamed: Vec::new() };
    let mut renamed = type_names::renamed(api, &names, reached);
    renamed.extend(member_names::renamed(api, &names, reached));
    renamed.extend(operation_names::renamed(api, &names, selected));
    names.renamed = renamed;
    names
}

impl Names {
    /// Puts what was renamed, and which operations had no name of their own, into the report.
    pub(crate) fn tell(&self, api: &Api, selected: &[usize], report: &mut Report) {
        for (origin, wire, rust) in &self.renamed {
            let message = format!("`{}` is called `{rust}` in Rust", wire.escape_debug());
            report.note("CD-NAME-CHANGED", origin.clone(), message, "the name on the wire stays as written");
        }
        for index in selected {
            let (Some(operation), Some(names)) = (api.operations.get(*index), self.operations.get(*index)) else {
                continue;
            };
            if operation.id_derived {
                let message = format!("`{}` has no operationId; it is called `{}`", operation.id, bare(&names.method));
                let help = "give it an operationId, so that a change of its path does not rename it";
                report.note("CD-OPERATION-UNNAMED", operation.origin.clone(), message, help);
            }
        }
    }
}

/// Whether a name is what casing alone makes of a text. The raw mark of a keyword is no change of name.
pub(crate) fn is_plain(text: &str, name: &str, case: Case) -> bool {
    cased(text, case) == bare(name)
}

fn scheme_names(api: &Api) -> Vec<String> {
    let wanted: Vec<Wanted> = api
        .security_schemes
        .iter()
        .map(|scheme| Wanted::text(&scheme.name, Case::Snake).unless(keywords::is_own_credential, "_credential"))
        .collect();
    Scope::new(Case::Snake).assign(&wanted)
}
