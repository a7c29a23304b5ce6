use super::context::{Lowering, Target, any};
use super::facets::{Facets, Owned};
use super::place::Place;
use crate::model::{FloatWidth, IntWidth, TextFormat, Type, TypeUse};
use crate::normalise::{Kind, Text, float_width, int_width, text_format};

impl<'a> Lowering<'a> {
    /// The type of one kind of JSON value.
    pub(super) fn of_kind(&mut self, kind: Kind, facets: &Facets<'a>, target: &Target) -> Type {
        match kind {
            Kind::Bool => Type::Bool,
            Kind::Int => self.scalar(facets, |lowering| Type::Int(lowering.int_width(facets))),
            Kind::Float => self.scalar(facets, |lowering| Type::Float(lowering.float_width(facets))),
            Kind::Text => self.scalar(facets, |lowering| lowering.text(facets)),
            Kind::Array => self.array(facets, target),
            Kind::Object => self.object(facets, target),
        }
    }

    /// The type, or the project's own where it maps the format.
    fn scalar(&mut self, facets: &Facets<'a>, ty: impl FnOnce(&mut Self) -> Type) -> Type {
        let ty = ty(self);
        let format = facets.format.as_ref().map(|(format, _)| *format);
        let mapping = self.formats.iter().enumerate().find(|(_, mapping)| Some(mapping.key.as_str()) == format);
        match mapping.map(|(number, mapping)| (number, mapping.own(&ty))) {
            Some((number, Ok(own))) if ty != Type::Binary => ty.mapped(own, number),
            // That nothing uses the mapping is told later.
            _ => ty,
        }
    }

    fn int_width(&mut self, facets: &Facets<'a>) -> IntWidth {
        match self.format(facets, int_width) {
            Some(width) => width,
            None if facets.unsigned => IntWidth::U64,
            None => IntWidth::I64,
        }
    }

    fn float_width(&mut self, facets: &Facets<'a>) -> FloatWidth {
        self.format(facets, float_width).unwrap_or(FloatWidth::F64)
    }

    fn text(&mut self, facets: &Facets<'a>) -> Type {
        let text = match &facets.content {
            Some(text) => Some(text.clone()),
            None => self.format(facets, text_format),
        };
        match text {
            Some(Text::Binary) => Type::Binary,
            Some(Text::Format(format)) => Type::Text(format),
            None => Type::Text(TextFormat::Plain),
        }
    }

    /// What the format means; one that means nothing here is noted, once for all its uses.
    fn format<T>(&mut self, facets: &Facets<'a>, meaning: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (format, at) = facets.format.as_ref()?;
        let meaning = meaning(format);
        if meaning.is_none() && !self.formats.iter().any(|mapping| mapping.key == *format) {
            let message = format!("the format `{format}` has no type of its own: the plain type is used");
            self.findings.count("CD-FORMAT", at, message, "map it in the project file to give it one");
        }
        meaning
    }

    fn array(&mut self, facets: &Facets<'a>, target: &Target) -> Type {
        let place = inside(target);
        if facets.prefix.is_empty() {
            return Type::Array(Box::new(self.owned(&facets.items, place.inside("item"))));
        }
        let items: Vec<_> = facets
            .prefix
            .iter()
            .enumerate()
            .map(|(index, item)| self.owned(std::slice::from_ref(item), place.inside(format!("item{}", index + 1))))
            .collect();
        if facets.prefix_closed {
            return Type::Tuple(items);
        }
        let rest = (!facets.items.is_empty()).then(|| self.owned(&facets.items, place.inside("item")));
        let mut all = items.into_iter().chain(rest);
        let first = all.next().unwrap_or_else(any);
        if all.all(|item| item == first) {
            return Type::Array(Box::new(first));
        }
        let message = "a `prefixItems` that more items may follow is read as an array of any value";
        self.findings.count("CD-PREFIX-ITEMS", &target.origin, message, "close it with `items: false`");
        Type::Array(Box::new(any()))
    }

    /// The type of what one or more schemas say of the same inner place.
    pub(super) fn owned(&mut self, schemas: &[Owned<'a>], place: Place) -> TypeUse {
        match schemas {
            [] => any(),
            [(node, _)] => self.schema(node, place),
            several => {
                let nodes: Vec<_> = several.iter().map(|(node, _)| node.clone()).collect();
                self.schemas_at_once(&nodes, place)
            }
        }
    }
}

/// The place that inline schemas inside a target are named after.
pub(super) fn inside(target: &Target) -> Place {
    match target.slot {
        Some(id) => Place::of_schema(id),
        None => target.place.clone(),
    }
}
