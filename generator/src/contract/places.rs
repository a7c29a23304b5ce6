//! The places of a document that give examples, with the type each is an example of.

use crate::analyse::contents;
use crate::model::{Content, ContentKind, Operation, Origin, Parameter, Response, TypeUse};
use crate::plan::PlannedOperation;
use crate::resolve::Node;
use crate::sample::{Said, Schemas};

/// A place that may give examples.
#[derive(Debug, Clone)]
pub(super) struct Place<'a> {
    /// What gives them.
    pub(super) node: Node<'a>,
    /// Their type; `None` for what is carried without one.
    pub(super) used: Option<TypeUse>,
    /// What is said of them.
    pub(super) said: Said<'a>,
}

/// All places: schemas, then what operations send and receive.
pub(super) fn all(schemas: Schemas<'_>) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = schemas
        .plan
        .api
        .exemplified
        .iter()
        .filter(|schema| is_emitted(schemas, &schema.ty))
        .filter_map(|schema| {
            let node = schemas.documents.at(&schema.origin)?;
            let said = schemas.of_type(Some(&node), &schema.ty.ty);
            Some(Place { node, used: Some(schema.ty.clone()), said })
        })
        .collect();
    for planned in &schemas.plan.operations {
        of_operation(schemas, planned, schemas.plan.operation(planned), &mut places);
    }
    places
}

fn is_emitted(schemas: Schemas<'_>, used: &TypeUse) -> bool {
    let mut emitted = true;
    contents::named(&used.ty, &mut |id| {
        emitted &= schemas.plan.reached.get(id.index()).copied().unwrap_or(false);
    });
    emitted
}

fn of_operation<'a>(
    schemas: Schemas<'a>,
    planned: &PlannedOperation,
    operation: &'a Operation,
    places: &mut Vec<Place<'a>>,
) {
    let parameters = operation.parameters.iter().filter(|parameter| !planned.is_key(parameter));
    places.extend(parameters.flat_map(|parameter| of_parameter(schemas, parameter)));
    if let Some(body) = &operation.body {
        places.extend(of_contents(schemas, &body.origin, &body.contents));
    }
    for response in &operation.responses {
        places.extend(of_headers(schemas, response));
        places.extend(of_contents(schemas, &response.origin, &response.contents));
    }
}

fn of_parameter<'a>(schemas: Schemas<'a>, parameter: &Parameter) -> Vec<Place<'a>> {
    let Some(node) = schemas.at(&parameter.origin) else { return Vec::new() };
    let mut places = vec![typed(schemas, node.clone(), &parameter.ty)];
    if let Some(content) = parameter.content.as_deref() {
        let media = node.get("content").and_then(|contents| contents.get(content));
        places.extend(
            media.and_then(|media| schemas.at(&media.origin)).map(|media| typed(schemas, media, &parameter.ty)),
        );
    }
    places
}

/// A place whose `schema` member describes what it gives.
fn typed<'a>(schemas: Schemas<'a>, node: Node<'a>, used: &TypeUse) -> Place<'a> {
    let schema = node.get("schema");
    let said = schemas.of_type(schema.as_ref(), &used.ty);
    Place { node, used: Some(used.clone()), said }
}

fn of_contents<'a>(schemas: Schemas<'a>, holder: &Origin, contents: &[Content]) -> Vec<Place<'a>> {
    let Some(written) = schemas.at(holder).and_then(|holder| holder.get("content")) else { return Vec::new() };
    let place = |content: &Content| {
        let node = schemas.at(&written.get(&content.media_type)?.origin)?;
        Some(match content.kind {
            ContentKind::Json | ContentKind::Form | ContentKind::Multipart => typed(schemas, node, &content.ty),
            ContentKind::Text | ContentKind::Binary | ContentKind::EventStream | ContentKind::JsonLines => {
                Place { node, used: None, said: Said::default() }
            }
        })
    };
    contents.iter().filter_map(place).collect()
}

fn of_headers<'a>(schemas: Schemas<'a>, response: &Response) -> Vec<Place<'a>> {
    let Some(written) = schemas.at(&response.origin).and_then(|holder| holder.get("headers")) else {
        return Vec::new();
    };
    let headers = response.headers.iter();
    headers
        .filter_map(|header| {
            let node = schemas.at(&written.get(&header.name)?.origin)?;
            Some(typed(schemas, node, &header.ty))
        })
        .collect()
}
