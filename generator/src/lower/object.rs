use std::borrow::Cow;

use serde_json::Value;

use super::context::{Lowering, Target, any};
use super::facets::{Facets, Owned, Rest};
use super::place::Place;
use super::scalar::inside;
use crate::model::{Docs, Extra, Field, SchemaId, SchemaKind, Type, TypeUse};
use crate::resolve::Node;

/// How far documentation is looked for along references, and in how many schemas.
const LOOKED_FAR: usize = 4;
const LOOKED_AT: usize = 64;

/// What a property's schema says besides its type.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    pub(super) docs: Docs,
    pub(super) default: Option<Value>,
    pub(super) read_only: bool,
    pub(super) write_only: bool,
    /// How many schemas were looked at.
    looked_at: usize,
}

impl<'a> Lowering<'a> {
    /// An object: a map when it declares no property, else an item with fields.
    pub(super) fn object(&mut self, facets: &Facets<'a>, target: &Target) -> Type {
        if facets.properties.is_empty()
            && let Some(map) = self.map(facets, target)
        {
            return map;
        }
        let id = self.item(target);
        let kind = self.fields(facets, id);
        self.fill(id, kind, false);
        Type::Named(id)
    }

    /// An object without declared properties is a map, unless it is closed or requires some.
    fn map(&mut self, facets: &Facets<'a>, target: &Target) -> Option<Type> {
        let closed = matches!(facets.extra, Rest::Closed) && facets.patterns.is_empty();
        let requires = matches!(facets.extra, Rest::Unsaid) && !facets.required.is_empty();
        if closed || requires {
            return None;
        }
        let values = self.rest(facets, &inside(target)).unwrap_or_else(any);
        Some(Type::Map(Box::new(values)))
    }

    /// The type of undeclared properties, when any are kept.
    fn rest(&mut self, facets: &Facets<'a>, place: &Place) -> Option<TypeUse> {
        let value = place.inside("value");
        match &facets.extra {
            Rest::Schemas(schemas) if facets.patterns.is_empty() => {
                Some(self.owned(schemas, owner_place(schemas, value)))
            }
            Rest::Schemas(_) | Rest::Anything => Some(any()),
            Rest::Unsaid | Rest::Closed => match facets.patterns.as_slice() {
                [] => None,
                [(node, _)] => Some(self.schema(node, value)),
                _ => Some(any()),
            },
        }
    }

    /// The fields of an object, and what its undeclared properties mean.
    pub(super) fn fields(&mut self, facets: &Facets<'a>, id: SchemaId) -> SchemaKind {
        let mut fields = Vec::with_capacity(facets.properties.len());
        for (name, schemas) in &facets.properties {
            fields.push(self.field(name, schemas, facets.required.contains_key(name), id));
        }
        for (name, at) in &facets.required {
            if !facets.properties.contains_key(name) {
                let message =
                    format!("`required` names `{name}`, which no property declares: it becomes optional, of any type");
                self.findings.count_warning("CD-REQUIRED-UNDECLARED", at, message, "declare the property");
                fields.push(undeclared(name, at.clone()));
            }
        }
        let place = Place::of_schema(id);
        let extra = match (self.rest(facets, &place), &facets.extra) {
            (Some(values), _) => Extra::Kept(values),
            (None, Rest::Closed) => Extra::Closed,
            (None, _) => Extra::Ignored,
        };
        SchemaKind::Object { fields, extra }
    }

    fn field(&mut self, name: &str, schemas: &[Owned<'a>], required: bool, id: SchemaId) -> Field {
        let owner = match schemas {
            [(_, Some(owner))] => *owner,
            _ => id,
        };
        let ty = self.owned(schemas, Place::of_schema(owner).inside(name));
        let mut said = Annotations::default();
        // The last to declare it is the most special, and speaks first.
        for (node, _) in schemas.iter().rev() {
            self.annotate(&mut said, node);
        }
        let origin = schemas.first().map(|(node, _)| node.origin.clone()).unwrap_or_default();
        Field {
            wire: name.to_owned(),
            ty,
            required,
            read_only: said.read_only,
            write_only: said.write_only,
            docs: said.docs,
            default: said.default,
            origin,
        }
    }

    /// Adds what a schema says besides its type, its own words before those of what it refers to.
    pub(super) fn annotate(&mut self, said: &mut Annotations, node: &Node<'a>) {
        said.docs.deprecated |= node.value.get("deprecated") == Some(&Value::Bool(true));
        self.annotate_from(said, node, LOOKED_FAR);
    }

    fn annotate_from(&mut self, said: &mut Annotations, node: &Node<'a>, look: usize) {
        let Some(map) = node.value.as_object() else { return };
        said.looked_at += 1;
        if said.looked_at > LOOKED_AT {
            return;
        }
        let docs = &mut said.docs;
        if docs.summary.is_none() && docs.description.is_none() {
            docs.summary = node.text("title", &mut self.findings).map(str::to_owned);
            docs.description = node.text("description", &mut self.findings).map(str::to_owned);
        }
        said.read_only |= node.flag("readOnly", &mut self.findings).unwrap_or(false);
        said.write_only |= node.flag("writeOnly", &mut self.findings).unwrap_or(false);
        if said.default.is_none() {
            said.default = map.get("default").cloned();
        }
        let Some(look) = look.checked_sub(1) else { return };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = self.documents.resolve(reference, &node.at("$ref"), &mut self.findings);
            if let Some(target) = target {
                self.annotate_from(said, &target, look);
            }
        }
        if map.contains_key("allOf") {
            for item in node.list("allOf", &mut self.findings) {
                self.annotate_from(said, &item, look);
            }
        }
    }
}

fn owner_place(schemas: &[Owned<'_>], fallback: Place) -> Place {
    match schemas {
        [(_, Some(owner))] => Place::of_schema(*owner).inside("value"),
        _ => fallback,
    }
}

fn undeclared(name: &str, origin: crate::model::Origin) -> Field {
    Field {
        wire: Cow::Borrowed(name).into_owned(),
        ty: any(),
        required: false,
        read_only: false,
        write_only: false,
        docs: Docs::default(),
        default: None,
        origin,
    }
}
