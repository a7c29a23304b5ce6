use std::sync::Arc;

use serde_json::Value;

use super::{Docs, Origin, OwnUse};

/// Index of a schema in [`Api::schemas`](super::Api::schemas).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

impl SchemaId {
    /// The position in the arena.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A schema that becomes a named Rust item.
#[derive(Debug, Clone)]
pub struct SchemaDef {
    /// Its own id.
    pub id: SchemaId,
    /// Where it is written.
    pub origin: Origin,
    /// What its Rust name is derived from.
    pub name: NameSource,
    /// Its documentation.
    pub docs: Docs,
    /// What it is.
    pub kind: SchemaKind,
    /// Whether the schema itself admits `null`. Lowering already copied this into every [`TypeUse`] of it.
    pub nullable: bool,
}

/// What a type's name is derived from. Naming itself is a later stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameSource {
    /// A named component (`components/schemas/<name>`, or the last segment of a pointer into another file).
    Component(String),
    /// An inline schema inside another named schema: the parent, and the path of words to it
    /// (`["address"]` for a property, `["tags", "item"]` for an array's items, `["value"]` for a map's values).
    Inside(SchemaId, Vec<String>),
    /// An inline schema inside an operation: its id, and a path of words such as `["body"]`, `["reply", "200"]`,
    /// `["filter"]` for a parameter. Inside a shared response, parameter, body or header: its name in `components`, and
    /// a path that begins with that word. Of a webhook or callback: its id or name, and `["payload"]`.
    Operation(String, Vec<String>),
}

/// The kinds of named schema.
#[derive(Debug, Clone)]
pub enum SchemaKind {
    /// A plain other name for a type: `Tags = array of string`. Rendered as `type` alias (or a newtype when a cycle needs it).
    /// Its own `nullable` is always false: [`SchemaDef::nullable`] says it, and every use carries it.
    Alias(TypeUse),
    /// Declared properties, and what is known of undeclared ones. `allOf` is already merged.
    Object {
        /// Properties in document order (of `allOf`: in the order of its parts, first declaration keeps the place).
        fields: Vec<Field>,
        /// What undeclared properties mean.
        extra: Extra,
    },
    /// Strings with listed values.
    TextEnum(Vec<EnumValue<String>>),
    /// Integers with listed values.
    IntEnum(Vec<EnumValue<i128>>),
    /// Exactly one JSON value (`const`, or an enum of one value that is neither text nor integer).
    Const(Value),
    /// One of several types.
    Union {
        /// `oneOf` or `anyOf`.
        kind: UnionKind,
        /// The alternatives in document order, `null` already taken out into `nullable`.
        branches: Vec<Branch>,
        /// How the reply itself names its branch.
        discriminator: Option<Discriminator>,
    },
}

/// A use of a type: what it is and whether `null` is a legal value in this place.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeUse {
    /// The type.
    pub ty: Type,
    /// Whether `null` may stand here (own `nullable`, or that of the named schema behind it). Never set for
    /// [`Type::Any`] and [`Type::Null`], which hold it themselves.
    pub nullable: bool,
}

/// Types as they are used; only [`Type::Named`] points to an item of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// Any JSON value.
    Any,
    /// Only `null`.
    Null,
    /// `boolean`.
    Bool,
    /// `integer`.
    Int(IntWidth),
    /// `number`.
    Float(FloatWidth),
    /// `string`.
    Text(TextFormat),
    /// Raw bytes as a body or a part (`string` with `format: binary`).
    Binary,
    /// `array`.
    Array(Box<TypeUse>),
    /// `array` with a fixed sequence of item types (3.1 `prefixItems`) and nothing after it.
    Tuple(Vec<TypeUse>),
    /// An object with no declared property: a map from text to one type.
    Map(Box<TypeUse>),
    /// A schema with an item of its own.
    Named(SchemaId),
    /// A type of the project's own in the place of another.
    Own(Arc<OwnUse>),
}

/// Widths of `integer`. Plain `integer` is `I64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntWidth {
    /// `format: int8`
    I8,
    /// `format: int16`
    I16,
    /// `format: int32`
    I32,
    /// `format: int64`, or none
    I64,
    /// `format: uint8`
    U8,
    /// `format: uint16`
    U16,
    /// `format: uint32`
    U32,
    /// `format: uint64`
    U64,
}

/// Widths of `number`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatWidth {
    /// `format: float`
    F32,
    /// `format: double`, or none
    F64,
}

/// Formats of `string` that have a type of their own; everything else is [`TextFormat::Plain`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFormat {
    /// No format, or one that has no type of its own.
    Plain,
    /// `date-time` (RFC 3339).
    DateTime,
    /// `date` (RFC 3339 full-date).
    Date,
    /// `uuid`.
    Uuid,
    /// `uri` (`url` too).
    Uri,
    /// `byte`: base64 text.
    Base64,
}

/// A property of an object.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name in JSON.
    pub wire: String,
    /// Its type.
    pub ty: TypeUse,
    /// Listed in `required`.
    pub required: bool,
    /// `readOnly`: replies only.
    pub read_only: bool,
    /// `writeOnly`: requests only.
    pub write_only: bool,
    /// Documentation, local text before that of the referenced schema.
    pub docs: Docs,
    /// The documented `default`; never sent by itself.
    pub default: Option<Value>,
    /// Where it is written.
    pub origin: Origin,
}

/// What properties beyond the declared ones mean.
#[derive(Debug, Clone)]
pub enum Extra {
    /// `additionalProperties` is not said: they are ignored on reading.
    Ignored,
    /// `additionalProperties: true` or a schema: they are kept in a map beside the fields.
    Kept(TypeUse),
    /// `additionalProperties: false`: refused in requests by construction, ignored in replies.
    Closed,
}

/// A schema that gives an `example`, `examples` or a `default`. The values themselves stay in the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Exemplified {
    /// The schema.
    pub origin: Origin,
    /// The type of what it describes.
    pub ty: TypeUse,
}

/// A listed value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue<V> {
    /// The value on the wire.
    pub value: V,
    /// A name given by the author (`x-enum-varnames`, `x-enumNames`).
    pub name: Option<String>,
    /// A description given by the author (`x-enum-descriptions`, or the 3.1 `oneOf` of consts).
    pub description: Option<String>,
}

/// `oneOf` or `anyOf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnionKind {
    /// Exactly one branch.
    OneOf,
    /// At least one branch.
    AnyOf,
}

/// An alternative of a union.
#[derive(Debug, Clone)]
pub struct Branch {
    /// Its type; never nullable: a union that admits null says so itself.
    pub ty: TypeUse,
    /// A word for its variant: the component's name, a `title`, or none (then the type names it).
    pub name: Option<String>,
    /// The discriminator values that choose it, in the order of the mapping; empty without a discriminator.
    pub tags: Vec<String>,
}

/// The property that names the branch.
#[derive(Debug, Clone)]
pub struct Discriminator {
    /// Its name in JSON.
    pub property: String,
    /// The branch for a value that lacks the property, or names none of the tags (3.2's `defaultMapping`; a parent
    /// schema whose discriminator property is optional is the default among those that inherit from it).
    pub default: Option<usize>,
}
