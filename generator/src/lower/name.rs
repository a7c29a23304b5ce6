//! What a schema's name is derived from when only its place is known: the target of a reference.

use std::path::Path;

use super::context::Lowering;
use super::place::Place;
use crate::model::{NameSource, Origin, SchemaId};
use crate::resolve::pointer;

impl<'a> Lowering<'a> {
    /// What the name of a referenced schema is derived from.
    ///
    /// A named one: its own name. One inside a named one, or inside an operation: the words of the way to it, as they
    /// would be if it were met there, so that the order of lowering does not matter.
    pub(super) fn name_of(&mut self, origin: &Origin) -> NameSource {
        let segments: Vec<_> = pointer::segments(&origin.pointer).map(|segment| segment.into_owned()).collect();
        let words: Vec<_> = segments.iter().map(String::as_str).collect();
        if let Some(place) = self.place_in_document(origin.file, &words) {
            return place.name();
        }
        NameSource::Component(self.last_word(origin))
    }

    /// The last word of a place: of a whole file, its stem.
    pub(super) fn last_word(&self, origin: &Origin) -> String {
        match pointer::last(&origin.pointer) {
            Some(word) => word.into_owned(),
            None => {
                let display = self.documents.display(origin.file);
                let stem = Path::new(&display).file_stem().map(|stem| stem.to_string_lossy().into_owned());
                stem.unwrap_or(display)
            }
        }
    }

    fn place_in_document(&mut self, file: usize, words: &[&str]) -> Option<Place> {
        let is_definition = words.len() >= 2 && matches!(words[words.len() - 2], "schemas" | "$defs" | "definitions");
        if is_definition {
            return None;
        }
        match words {
            ["components", "schemas", name, rest @ ..] if !rest.is_empty() => {
                let holder = self.component(file, name)?;
                Some(along(Place::of_schema(holder), rest))
            }
            ["paths", path, method, rest @ ..] if !rest.is_empty() => {
                let at = Origin { file, pointer: pointer::join(&pointer::join("/paths", path), method) };
                let operation = self.documents.at(&at)?;
                let id = operation.value.get("operationId").and_then(|id| id.as_str()).map(str::to_owned);
                let id = id.unwrap_or_else(|| format!("{} {path}", method.to_uppercase()));
                Some(along(Place::of_operation(&id), rest))
            }
            ["components", kind, name, rest @ ..] if !rest.is_empty() => {
                Some(along(Place::of_operation(name).inside(shared_word(kind)), rest))
            }
            _ => None,
        }
    }

    fn component(&mut self, file: usize, name: &str) -> Option<SchemaId> {
        let at = Origin { file, pointer: pointer::join("/components/schemas", name) };
        let holder = self.documents.at(&at)?;
        Some(self.named(&holder))
    }
}

/// The word that tells a shared thing of `components` from a schema of the same name.
pub(super) fn shared_word(kind: &str) -> &'static str {
    match kind {
        "responses" => "response",
        "parameters" => "parameter",
        "requestBodies" => "body",
        "headers" => "header",
        "callbacks" => "callback",
        _ => "item",
    }
}

fn along(mut place: Place, segments: &[&str]) -> Place {
    let mut segments = segments.iter();
    while let Some(segment) = segments.next() {
        match *segment {
            "properties" | "patternProperties" | "headers" => {
                if let Some(name) = segments.next() {
                    place = place.inside(*name);
                }
            }
            "items" | "itemSchema" => place = place.inside("item"),
            "additionalProperties" => place = place.inside("value"),
            "allOf" | "content" => {
                segments.next();
            }
            "oneOf" | "anyOf" | "prefixItems" | "parameters" => {
                let index = segments.next().and_then(|index| index.parse::<usize>().ok()).unwrap_or(0);
                place = place.inside(super::union::numbered(index));
            }
            "requestBody" => place = place.inside("body"),
            "responses" => place = place.inside("reply"),
            "schema" => {}
            word => place = place.inside(word),
        }
    }
    place
}
