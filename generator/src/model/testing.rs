//! Small models for tests, built by hand.

use super::{
    Api, Branch, Docs, EnumValue, Extra, Field, NameSource, Operation, Origin, PathSegment, PathTemplate, SchemaDef,
    SchemaId, SchemaKind, TextFormat, Type, TypeUse, UnionKind,
};

/// An API of these schemas; ids are given by position.
pub(crate) fn api(mut schemas: Vec<SchemaDef>) -> Api {
    for (index, def) in schemas.iter_mut().enumerate() {
        def.id = SchemaId(u32::try_from(index).unwrap_or(u32::MAX));
    }
    let roots = schemas.iter().map(|def| def.id).collect();
    Api { title: "Test".to_owned(), version: "1".to_owned(), schemas, roots, ..Api::default() }
}

/// A component.
pub(crate) fn component(name: &str, kind: SchemaKind) -> SchemaDef {
    SchemaDef {
        id: SchemaId(0),
        origin: origin(&format!("/components/schemas/{name}")),
        name: NameSource::Component(name.to_owned()),
        docs: Docs::default(),
        kind,
        nullable: false,
    }
}

/// A place in the root document.
pub(crate) fn origin(pointer: &str) -> Origin {
    Origin { file: 0, pointer: pointer.to_owned() }
}

/// An object of optional fields.
pub(crate) fn object(name: &str, fields: Vec<(&str, TypeUse)>) -> SchemaDef {
    let fields = fields.into_iter().map(|(wire, ty)| field(wire, ty)).collect();
    component(name, SchemaKind::Object { fields, extra: Extra::Ignored })
}

/// An optional field.
pub(crate) fn field(wire: &str, ty: TypeUse) -> Field {
    Field {
        wire: wire.to_owned(),
        ty,
        required: false,
        read_only: false,
        write_only: false,
        docs: Docs::default(),
        default: None,
        origin: origin(&format!("/{wire}")),
    }
}

/// An alias.
pub(crate) fn alias(name: &str, target: TypeUse) -> SchemaDef {
    component(name, SchemaKind::Alias(target))
}

/// A union without a discriminator.
pub(crate) fn union(name: &str, branches: Vec<TypeUse>) -> SchemaDef {
    let branches = branches.into_iter().map(|ty| Branch { ty, name: None, tags: Vec::new() }).collect();
    component(name, SchemaKind::Union { kind: UnionKind::OneOf, branches, discriminator: None })
}

/// An enum of text.
pub(crate) fn text_enum(name: &str, values: &[&str]) -> SchemaDef {
    let value = |value: &&str| EnumValue { value: (*value).to_owned(), name: None, description: None };
    component(name, SchemaKind::TextEnum(values.iter().map(value).collect()))
}

/// A type that may not be null.
pub(crate) fn plain(ty: Type) -> TypeUse {
    TypeUse { ty, nullable: false }
}

/// A named schema.
pub(crate) fn named(id: u32) -> TypeUse {
    plain(Type::Named(SchemaId(id)))
}

/// A list.
pub(crate) fn array(item: TypeUse) -> TypeUse {
    plain(Type::Array(Box::new(item)))
}

/// A map.
pub(crate) fn map(value: TypeUse) -> TypeUse {
    plain(Type::Map(Box::new(value)))
}

/// A tuple.
pub(crate) fn tuple(items: Vec<TypeUse>) -> TypeUse {
    plain(Type::Tuple(items))
}

/// Any JSON.
pub(crate) fn any() -> TypeUse {
    plain(Type::Any)
}

/// Plain text.
pub(crate) fn text() -> TypeUse {
    plain(Type::Text(TextFormat::Plain))
}

/// An operation that takes and answers nothing.
pub(crate) fn operation(id: &str, method: &str, path: &str) -> Operation {
    Operation {
        id: id.to_owned(),
        id_derived: false,
        method: method.to_owned(),
        path: PathTemplate { raw: path.to_owned(), segments: vec![PathSegment::Literal(path.to_owned())] },
        tags: Vec::new(),
        docs: Docs::default(),
        parameters: Vec::new(),
        body: None,
        responses: Vec::new(),
        security: None,
        servers: Vec::new(),
        origin: origin(path),
    }
}
