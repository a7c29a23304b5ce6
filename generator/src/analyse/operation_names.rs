//! What operations are called: the method, the types around it, its arguments.

use std::borrow::Cow;
use std::cmp::Reverse;

use percent_encoding::percent_decode_str;

use super::collisions::{Scope, Wanted};
use super::forms::{Forms, forms};
use super::given::GivenNames;
use super::identifiers::{Case, bare, cased, identifier};
use super::names::{Names, OperationNames, ResponseNames, StreamNames, is_plain};
use super::{keywords, media_names, status_names};
use crate::model::{Api, Content, Operation, Origin, Parameter, ParameterPlace, PathSegment, Response};

/// Names all operations, in the order of the API. Those that had names come first, with all that is named after them, so
/// that a new one takes a name from none.
pub(crate) fn choose(api: &Api, given: &GivenNames) -> Vec<OperationNames> {
    let mut scopes = Scopes { methods: Scope::new(Case::Snake), types: Scope::new(Case::Camel) };
    let mut names: Vec<OperationNames> = vec![OperationNames::default(); api.operations.len()];
    let kept = scopes.keep(api, given);
    let is_kept = |index: usize| kept.iter().any(|(other, ..)| *other == index);
    let fresh: Vec<usize> = (0..api.operations.len()).filter(|index| !is_kept(*index)).collect();
    scopes.name(api, kept, &mut names);
    let fresh = scopes.fresh(api, &fresh);
    scopes.name(api, fresh, &mut names);
    names
}

/// An operation by its index, with its method and its type.
type Called = (usize, String, String);

/// The names that are taken.
struct Scopes {
    methods: Scope,
    types: Scope,
}

impl Scopes {
    /// The operations whose names are settled: declared, or as an earlier run gave them.
    fn keep(&mut self, api: &Api, given: &GivenNames) -> Vec<Called> {
        let mut kept = Vec::new();
        let operations = || api.operations.iter().enumerate();
        let declared = operations().filter_map(|(index, operation)| {
            let method = given.declared(&operation.origin)?;
            Some((index, method.to_owned(), None))
        });
        let earlier = operations().filter(|(_, operation)| given.declared(&operation.origin).is_none());
        let earlier = earlier.filter_map(|(index, operation)| {
            let (had, marker) = given.earlier_operation(operation)?;
            let could_be = method(operation).could_be(had) && wanted_marker(had).could_be(marker);
            could_be.then(|| (index, had.to_owned(), Some(marker.to_owned())))
        });
        for (index, method, had) in declared.chain(earlier) {
            let Some(method) = self.methods.give_earlier(&method) else { continue };
            let marker = match had {
                Some(had) => self.types.give_earlier_family(&had, |name| relatives(name).to_vec()),
                None => None,
            };
            let marker = marker.unwrap_or_else(|| marker_of(&method, &mut self.types));
            kept.push((index, method, marker));
        }
        kept
    }

    /// Names for operations that had none.
    fn fresh(&mut self, api: &Api, fresh: &[usize]) -> Vec<Called> {
        let methods = methods(api, fresh, &mut self.methods);
        let marker = |(index, method): (usize, String)| {
            let marker = marker_of(&method, &mut self.types);
            (index, method, marker)
        };
        methods.into_iter().map(marker).collect()
    }

    /// Names all that belongs to some operations.
    fn name(&mut self, api: &Api, called: Vec<Called>, names: &mut [OperationNames]) {
        let indices: Vec<usize> = called.iter().map(|(index, ..)| *index).collect();
        for (index, method, marker) in called {
            if let (Some(operation), Some(names)) = (api.operations.get(index), names.get_mut(index)) {
                *names = of_operation(operation, method, marker, &mut self.types);
            }
        }
        // Other forms of operations are named after all operations, so that they take a name from none.
        for index in indices {
            if let (Some(operation), Some(names)) = (api.operations.get(index), names.get_mut(index)) {
                name_forms(operation, names, &mut self.methods, &mut self.types);
            }
        }
    }
}

fn name_forms(operation: &Operation, names: &mut OperationNames, methods: &mut Scope, types: &mut Scope) {
    let Forms { whole, items, bytes } = forms(operation);
    let method = bare(&names.method).to_owned();
    names.stream = items.map(|_| match whole {
        false => StreamNames { method: names.method.clone(), marker: names.marker.clone(), reply: names.reply.clone() },
        true => {
            let stem = names.marker.trim_end_matches('_');
            let wanted = Wanted::composed(format!("{stem}Stream"), Vec::new());
            let marker = types.give_family(&wanted, |name| vec![format!("{name}Reply")]);
            StreamNames {
                method: methods.give(&Wanted::composed(format!("{method}_stream"), Vec::new())),
                reply: format!("{marker}Reply"),
                marker,
            }
        }
    });
    names.byte_stream = bytes.then(|| {
        let alternatives = vec![format!("{method}_byte_stream")];
        methods.give(&Wanted::composed(format!("{method}_stream"), alternatives))
    });
    names.pages = methods.give(&Wanted::composed(format!("{method}_pages"), Vec::new()));
}

/// What the names of an operation's inline types begin with.
pub(crate) fn stem(api: &Api, id: &str) -> String {
    let operation = api.operations.iter().find(|operation| operation.id == id);
    cased(&operation.map_or_else(|| id.to_owned(), text), Case::Camel)
}

/// Operations with an id of their own are named before those whose name is derived; the latter in an order that
/// does not depend on the document's, so that moving a path renames nothing.
fn methods(api: &Api, of: &[usize], scope: &mut Scope) -> Vec<(usize, String)> {
    let mut order: Vec<usize> = of.to_vec();
    order.sort_by_key(|index| {
        let operation = &api.operations[*index];
        let derived = operation.id_derived.then(|| (Reverse(is_simple(operation)), operation.id.clone()));
        (derived, *index)
    });
    let wanted: Vec<Wanted> = order.iter().map(|index| method(&api.operations[*index])).collect();
    let mut named: Vec<(usize, String)> = order.into_iter().zip(scope.assign(&wanted)).collect();
    named.sort_by_key(|(index, _)| *index);
    named
}

fn method(operation: &Operation) -> Wanted {
    let wanted = Wanted::text(&text(operation), Case::Snake).unless(keywords::is_own_method, "_operation");
    if operation.id_derived { wanted.or_first(identifier(&spelled_path(operation), Case::Snake)) } else { wanted }
}

/// The text an operation's names are cased from: its id, or method and path: `GET /users/{id}` is `get users by id`.
fn text(operation: &Operation) -> String {
    if !operation.id_derived {
        return operation.id.clone();
    }
    let mut words = operation.method.to_lowercase();
    for segment in &operation.path.segments {
        match segment {
            PathSegment::Literal(text) => words.extend([" ", &letters(text)]),
            PathSegment::Parameter(name) => words.extend([" by ", name]),
        }
    }
    if operation.path.raw == "/" { words + "root" } else { words }
}

/// A piece of a path without the escapes it travels in.
fn letters(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}

fn spelled_path(operation: &Operation) -> String {
    let mut words = operation.method.to_lowercase();
    for segment in &operation.path.segments {
        match segment {
            PathSegment::Literal(text) => {
                let text = letters(text);
                let pieces = text.split('/').filter(|piece| !piece.is_empty());
                for piece in pieces {
                    words.push(' ');
                    words.push_str(bare(&super::identifiers::spelled(piece, Case::Snake)));
                }
            }
            PathSegment::Parameter(name) => words.extend([" by ", name]),
        }
    }
    if operation.path.raw.ends_with('/') { words + " slash" } else { words }
}

/// Whether a path is written just as its name, but for slashes and braces.
fn is_simple(operation: &Operation) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '/' | '{' | '}');
    operation.path.raw.chars().all(plain) && !operation.path.raw.ends_with('/')
}

fn marker_of(method: &str, scope: &mut Scope) -> String {
    scope.give_family(&wanted_marker(method), |name| relatives(name).to_vec())
}

fn wanted_marker(method: &str) -> Wanted {
    Wanted::composed(identifier(bare(method), Case::Camel), Vec::new())
        .unless(keywords::stands_beside_operations, "Operation")
}

fn relatives(marker: &str) -> [String; 3] {
    let stem = marker.trim_end_matches('_');
    ["Request", "Reply", "Rejection"].map(|word| format!("{stem}{word}"))
}

fn of_operation(operation: &Operation, method: String, marker: String, scope: &mut Scope) -> OperationNames {
    let [request, reply, rejection] = relatives(&marker);
    let stem = marker.trim_end_matches('_').to_owned();
    let contents = operation.body.as_ref().map(|body| body.contents.as_slice()).unwrap_or_default();
    let body_type = match contents {
        [] | [_] => String::new(),
        _ => scope.give(&Wanted::composed(format!("{stem}Body"), Vec::new())),
    };
    let responses: Vec<String> =
        operation.responses.iter().map(|response| status_names::variant(response.status)).collect();
    let response_parts = operation
        .responses
        .iter()
        .zip(&responses)
        .map(|(response, variant)| of_response(response, &format!("{stem}{variant}"), scope))
        .collect();
    OperationNames {
        parameters: parameters(operation),
        body: "body".to_owned(),
        body_variants: content_variants(contents),
        method,
        marker,
        request,
        reply,
        rejection,
        body_type,
        responses,
        response_parts,
        ..OperationNames::default()
    }
}

fn of_response(response: &Response, stem: &str, scope: &mut Scope) -> ResponseNames {
    let mut composed = |needed: bool, name: String| match needed {
        true => scope.give(&Wanted::composed(name, Vec::new())),
        false => String::new(),
    };
    let with_headers = composed(!response.headers.is_empty(), stem.to_owned());
    let body_type = composed(response.contents.len() > 1, format!("{stem}Body"));
    let mut fields = Scope::new(Case::Snake);
    ["body", "status"].iter().for_each(|name| fields.reserve(name));
    let headers: Vec<Wanted> = response
        .headers
        .iter()
        .map(|header| {
            let plain = Wanted::text(&header.name, Case::Snake);
            let suffixed = identifier(&format!("{} header", header.name), Case::Snake);
            plain.or_first(suffixed)
        })
        .collect();
    ResponseNames {
        with_headers,
        body_type,
        body_variants: content_variants(&response.contents),
        headers: fields.assign(&headers),
    }
}

fn content_variants(contents: &[Content]) -> Vec<String> {
    let wanted: Vec<Wanted> = contents.iter().map(|content| media_names::variant(&content.media_type)).collect();
    Scope::new(Case::Camel).assign(&wanted)
}

/// Arguments: the first of a name keeps it, a namesake in another place says which (`version_header`).
fn parameters(operation: &Operation) -> Vec<String> {
    let mut scope = Scope::new(Case::Snake);
    scope.reserve("body");
    let wanted: Vec<Wanted> = operation
        .parameters
        .iter()
        .map(|parameter| {
            let placed = format!("{} {}", parameter.name, place(parameter));
            Wanted::text(&parameter.name, Case::Snake).or_first(identifier(&placed, Case::Snake))
        })
        .collect();
    scope.assign(&wanted)
}

fn place(parameter: &Parameter) -> &'static str {
    match parameter.place {
        ParameterPlace::Path => "path",
        ParameterPlace::Query => "query",
        ParameterPlace::Header => "header",
        ParameterPlace::Cookie => "cookie",
    }
}

/// Names of chosen operations and their arguments that are not plain casing.
pub(crate) fn renamed(api: &Api, names: &Names, selected: &[usize]) -> Vec<(Origin, String, String)> {
    let mut renamed = Vec::new();
    for index in selected {
        let (Some(operation), Some(given)) = (api.operations.get(*index), names.operations.get(*index)) else {
            continue;
        };
        if !operation.id_derived && !is_plain(&operation.id, &given.method, Case::Snake) {
            renamed.push((operation.origin.clone(), operation.id.clone(), given.method.clone()));
        }
        for (parameter, name) in operation.parameters.iter().zip(&given.parameters) {
            if !is_plain(&parameter.name, name, Case::Snake) {
                renamed.push((parameter.origin.clone(), parameter.name.clone(), name.clone()));
            }
        }
    }
    renamed
}
