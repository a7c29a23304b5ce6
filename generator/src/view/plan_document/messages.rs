//! How requests hold bodies, and how replies and rejections hold responses.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::plan::{PlannedOperation, SystemPlan};
use crate::render::{self, AnswerShape};

/// How a request holds its body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BodyDocument {
    /// The field of the request.
    pub field: String,
    /// Whether it may be left out: the field is an `Option` then, or a `Maybe`.
    pub optional: bool,
    /// Whether leaving it out and `null` differ: the field is a `Maybe`.
    pub three_state: bool,
    /// The enum of its media types, when there are several.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The variant of each media type; empty when there is one media type, whose type the field has itself.
    pub variants: Map<String, Value>,
}

/// How a reply or a rejection holds one documented response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AnswerDocument {
    /// `200`, `4XX`, `default`: as in `responses`.
    pub status: String,
    /// `reply` or `rejection`.
    pub side: &'static str,
    /// The variant of the reply or rejection. `None`: the reply is the response itself.
    pub variant: Option<String>,
    /// The variant has the fields `status` and, when there is a payload, `body`; otherwise the payload alone.
    pub has_status: bool,
    /// The type of the payload: the struct of body and headers, the enum of media types, or the body. `None`: there is
    /// nothing but the status.
    pub payload: Option<String>,
    /// When headers are documented, the payload is a struct: the field of each header. The body, if there is one, is
    /// its field `body`.
    pub headers: Map<String, Value>,
    /// The enum of the body's media types, when their types differ.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The variant of each media type, when their types differ.
    pub variants: Map<String, Value>,
}

pub(super) fn body(plan: &SystemPlan, planned: &PlannedOperation) -> Option<BodyDocument> {
    let operation = plan.operation(planned);
    let (body, names) = (operation.body.as_ref()?, plan.names.operations.get(planned.index)?);
    let several = body.contents.len() > 1;
    let media_types = body.contents.iter().map(|content| &content.media_type);
    Some(BodyDocument {
        field: names.body.clone(),
        optional: !body.required,
        three_state: render::is_three_state(body),
        ty: several.then(|| format!("operations::{}", names.body_type)),
        variants: super::texts(media_types.zip(&names.body_variants).filter(|_| several)),
    })
}

pub(super) fn answers(plan: &SystemPlan, planned: &PlannedOperation) -> Vec<AnswerDocument> {
    render::answer_shapes(plan, planned).into_iter().map(answer).collect()
}

fn answer(shape: AnswerShape) -> AnswerDocument {
    AnswerDocument {
        status: super::status(shape.status),
        side: if shape.is_reply { "reply" } else { "rejection" },
        variant: shape.variant,
        has_status: shape.has_status,
        payload: shape.payload,
        headers: super::texts(shape.headers.iter().map(|(name, field)| (name, field))),
        ty: shape.body_type,
        variants: super::texts(shape.variants.iter().map(|(media_type, variant)| (media_type, variant))),
    }
}
