//! Samples of what operations take.

use serde_json::Value;

use super::{Given, Said, Schemas, Way};
use crate::load::Sources;
use crate::model::{
    Content, ContentKind, Operation, Origin, Parameter, ParameterPlace, Status, TextFormat, Type, TypeUse,
};
use crate::plan::SystemPlan;
use crate::resolve::{Documents, Node};

/// Samples for one operation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OperationSamples {
    /// A value for each parameter, in document order; `None` where nothing finite would do.
    pub parameters: Vec<Option<Value>>,
    /// A value for the body in each media type, in document order. What is no JSON is text.
    pub bodies: Vec<Option<Value>>,
    /// What the system might answer when all is well; `None` where no documented success is JSON, text or empty.
    pub reply: Option<ReplySample>,
}

/// A sample of a success.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySample {
    /// The status.
    pub status: u16,
    /// The media type and the body, JSON or text; `None` without a body.
    pub body: Option<(String, Value)>,
}

/// Samples for each operation of a plan, in the plan's order: those that the documents give, else such as their schemas
/// describe. Members that only replies have are left out.
#[must_use]
pub fn of_operations(plan: &SystemPlan, sources: &mut Sources) -> Vec<OperationSamples> {
    let documents = Documents::new(std::mem::take(sources));
    let schemas = Schemas { plan, documents: &documents };
    let samples = plan.operations.iter().map(|planned| of_operation(schemas, plan.operation(planned))).collect();
    *sources = documents.give_back();
    samples
}

fn of_operation(schemas: Schemas<'_>, operation: &Operation) -> OperationSamples {
    let contents = operation.body.as_ref().map(|body| body.contents.as_slice()).unwrap_or_default();
    let holder = operation.body.as_ref().map(|body| &body.origin);
    OperationSamples {
        parameters: operation.parameters.iter().map(|parameter| of_parameter(schemas, parameter)).collect(),
        bodies: contents.iter().map(|content| of_content(schemas, holder, content, Way::Request)).collect(),
        reply: reply(schemas, operation),
    }
}

/// The first documented success that is JSON, text, or has no body.
fn reply(schemas: Schemas<'_>, operation: &Operation) -> Option<ReplySample> {
    let successes = operation.responses.iter().filter(|response| operation.is_success(response.status));
    successes
        .filter_map(|response| {
            let status = match response.status {
                Status::Code(status) => status,
                Status::Range(_) | Status::Default => 200,
            };
            let contents = operation.contents(response);
            if contents.is_empty() {
                return Some(ReplySample { status, body: None });
            }
            let readable = |content: &&Content| matches!(content.kind, ContentKind::Json | ContentKind::Text);
            let content = contents.iter().find(readable).filter(|content| !content.media_type.contains('*'))?;
            let body = of_content(schemas, Some(&response.origin), content, Way::Either)?;
            Some(ReplySample { status, body: Some((content.media_type.clone(), body)) })
        })
        .next()
}

fn of_parameter(schemas: Schemas<'_>, parameter: &Parameter) -> Option<Value> {
    let Some(node) = schemas.at(&parameter.origin) else {
        return schemas.sample(&parameter.ty, &Said::default(), &[], Way::Request);
    };
    let media = parameter.content.as_deref().and_then(|media_type| node.get("content")?.get(media_type));
    let described = media.as_ref().unwrap_or(&node);
    let said = schemas.of_type(described.get("schema").as_ref(), &parameter.ty.ty);
    let mut given = values(schemas, &node);
    given.extend(media.iter().flat_map(|media| values(schemas, media)));
    // An empty piece of a path is another path.
    given.retain(|value| parameter.place != ParameterPlace::Path || value.as_str().is_none_or(|text| !text.is_empty()));
    schemas.sample(&parameter.ty, &said, &given, Way::Request)
}

fn of_content(schemas: Schemas<'_>, holder: Option<&Origin>, content: &Content, way: Way) -> Option<Value> {
    let media = holder.and_then(|holder| {
        let written = schemas.at(holder)?.get("content")?.get(&content.media_type)?;
        schemas.at(&written.origin)
    });
    let given = media.as_ref().map(|media| values(schemas, media)).unwrap_or_default();
    match content.kind {
        ContentKind::Json | ContentKind::Form | ContentKind::Multipart => {
            let schema = media.as_ref().and_then(|media| media.get("schema"));
            let said = schemas.of_type(schema.as_ref(), &content.ty.ty);
            schemas.sample(&content.ty, &said, &given, way)
        }
        ContentKind::Text | ContentKind::Binary | ContentKind::EventStream | ContentKind::JsonLines => {
            let texts = given.into_iter().filter(|value| value.is_string());
            let text = texts.into_iter().next().cloned();
            text.or_else(|| {
                let schema = media.as_ref().and_then(|media| media.get("schema"));
                let plain = TypeUse { ty: Type::Text(TextFormat::Plain), nullable: false };
                schemas.sample(&plain, &schemas.of_type(schema.as_ref(), &plain.ty), &[], way)
            })
        }
    }
}

/// The values that something gives, without those that are nothing.
fn values<'a>(schemas: Schemas<'a>, node: &Node<'a>) -> Vec<&'a Value> {
    let value = |given| match given {
        Given::Value(node) => Some(node.value).filter(|value| !value.is_null()),
        Given::Elsewhere(_) => None,
    };
    schemas.given(node).into_iter().filter_map(value).collect()
}
