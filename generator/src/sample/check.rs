//! Whether a value is one of a type: whether the generated type can read it, what of it is written back, and what its
//! schema demands besides.

use std::cell::Cell;

use cofferdam_runtime::wire::{Base64, Date, DateTime, Uri, Uuid, Wire};
use serde_json::{Map, Value};

use super::numbers::same;
use super::unions::{self, Union};
use super::{Said, Schemas, bounds};
use crate::analyse::{Presence, presence};
use crate::model::{Extra, Field, FloatWidth, IntWidth, SchemaDef, SchemaKind, TextFormat, Type, TypeUse};
use crate::plan::Direction;
use crate::resolve::pointer;

/// How many values may be looked at for one: alternatives within alternatives are tried over and over.
const MOST_STEPS: usize = 100_000;
/// How deep types may lie in each other for one value.
const DEEPEST: usize = 200;

/// Which way a value travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// As its type does.
    Either,
    /// In a request: without what only replies have.
    Request,
}

/// Something in a value that contradicts its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breach {
    /// Where in the value, as a pointer.
    pub(crate) at: String,
    /// What, in words.
    pub(crate) message: String,
}

/// A value that the type can read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fit {
    /// Members that are not written back: nothing declares them, or they travel the other way.
    pub(crate) dropped: Vec<String>,
    /// Values that are written in another spelling.
    pub(crate) respelt: Vec<(String, Value)>,
    /// What its schema demands in vain.
    pub(crate) breaches: Vec<Breach>,
}

/// Why a type cannot read a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unfit(pub(crate) Breach);

impl Fit {
    pub(super) fn add(&mut self, other: Self) {
        self.dropped.extend(other.dropped);
        self.respelt.extend(other.respelt);
        self.breaches.extend(other.breaches);
    }

    /// How much is wrong with it; less is better.
    pub(super) fn cost(&self) -> (usize, usize, usize) {
        (self.breaches.len(), self.dropped.len(), self.respelt.len())
    }
}

pub(super) fn unfit(at: &str, message: impl Into<String>) -> Unfit {
    Unfit(Breach { at: at.to_owned(), message: message.into() })
}

/// Checks one value.
pub(super) struct Check<'a> {
    pub(super) schemas: Schemas<'a>,
    pub(super) way: Way,
    steps: Cell<usize>,
    depth: Cell<usize>,
}

impl<'a> Schemas<'a> {
    /// Whether a value is one of a type, and how.
    pub(crate) fn check(&self, value: &Value, used: &TypeUse, said: &Said<'a>, way: Way) -> Result<Fit, Unfit> {
        let check = Check { schemas: *self, way, steps: Cell::new(0), depth: Cell::new(0) };
        check.of_use(value, used, said, "")
    }
}

impl<'a> Check<'a> {
    pub(super) fn of_use(&self, value: &Value, used: &TypeUse, said: &Said<'a>, at: &str) -> Result<Fit, Unfit> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MOST_STEPS || self.depth.get() > DEEPEST {
            return Err(unfit(at, "there is too much in it to check"));
        }
        self.depth.set(self.depth.get() + 1);
        let fit = self.of_value(value, used, said, at);
        self.depth.set(self.depth.get() - 1);
        fit
    }

    fn of_value(&self, value: &Value, used: &TypeUse, said: &Said<'a>, at: &str) -> Result<Fit, Unfit> {
        if value.is_null() && used.nullable {
            return Ok(Fit::default());
        }
        let mut fit = self.of_type(value, &used.ty, said, at)?;
        // Null is admitted in ways that bounds do not know of. An object looks after its bounds itself.
        if !value.is_null() && !self.is_object(&used.ty) {
            let breach = bounds::breach(value, said, &[]);
            fit.breaches.extend(breach.map(|message| Breach { at: at.to_owned(), message }));
        }
        Ok(fit)
    }

    fn is_object(&self, ty: &Type) -> bool {
        matches!(self.schemas.kind(ty), Some(SchemaKind::Object { .. }))
    }

    fn of_type(&self, value: &Value, ty: &Type, said: &Said<'a>, at: &str) -> Result<Fit, Unfit> {
        match ty {
            Type::Any => Ok(Fit::default()),
            Type::Null => read::<()>(value, at),
            Type::Bool => read::<bool>(value, at),
            Type::Int(width) => integer(*width, value, at),
            Type::Float(FloatWidth::F32) => read::<f32>(value, at),
            Type::Float(FloatWidth::F64) => read::<f64>(value, at),
            Type::Text(format) => text(format, value, at),
            Type::Binary => read::<String>(value, at),
            Type::Array(item) => self.array(value, |_| Some(item), said, at),
            Type::Tuple(items) => {
                let found = value.as_array().map_or(0, Vec::len);
                if value.is_array() && found != items.len() {
                    return Err(unfit(at, format!("it has {found} items where there are {}", items.len())));
                }
                self.array(value, |index| items.get(index), said, at)
            }
            Type::Map(inner) => self.map(value, inner, said, at),
            Type::Own(used) => self.of_type(value, &used.instead, said, at),
            Type::Named(_) => match self.schemas.definition(ty) {
                Some(def) => self.of_definition(value, def, said, at),
                None => Ok(Fit::default()),
            },
        }
    }

    fn of_definition(&self, value: &Value, def: &'a SchemaDef, said: &Said<'a>, at: &str) -> Result<Fit, Unfit> {
        match &def.kind {
            SchemaKind::Alias(target) => self.of_use(value, target, said, at),
            SchemaKind::Object { fields, extra } => self.object(value, def, fields, extra, said, at),
            // Values that are not listed are kept; that they are not is told by the bounds.
            SchemaKind::TextEnum(_) => read::<String>(value, at),
            SchemaKind::IntEnum(_) => read::<i64>(value, at),
            SchemaKind::Const(constant) if same(constant, value) => Ok(Fit::default()),
            SchemaKind::Const(constant) => {
                Err(unfit(at, format!("it is not the constant {}", bounds::short(constant))))
            }
            SchemaKind::Union { .. } => match Union::of(def) {
                Some(union) => unions::check(self, value, union, said, at),
                None => Ok(Fit::default()),
            },
        }
    }

    fn array<'m>(
        &self,
        value: &Value,
        item: impl Fn(usize) -> Option<&'m TypeUse>,
        said: &Said<'a>,
        at: &str,
    ) -> Result<Fit, Unfit> {
        let items = value.as_array().ok_or_else(|| mismatch("an array", value, at))?;
        let mut fit = Fit::default();
        for (index, value) in items.iter().enumerate() {
            let Some(used) = item(index) else { continue };
            let inner = self.schemas.item(said, index, &used.ty);
            fit.add(self.of_use(value, used, &inner, &format!("{at}/{index}"))?);
        }
        Ok(fit)
    }

    fn map(&self, value: &Value, used: &TypeUse, said: &Said<'a>, at: &str) -> Result<Fit, Unfit> {
        let members = value.as_object().ok_or_else(|| mismatch("an object", value, at))?;
        let inner = self.schemas.rest(said, &used.ty);
        let mut fit = Fit::default();
        for (name, value) in members {
            fit.add(self.of_use(value, used, &inner, &pointer::join(at, name))?);
        }
        Ok(fit)
    }

    /// Which way the type of an object travels here.
    pub(super) fn direction(&self, def: &SchemaDef) -> Direction {
        match self.way {
            Way::Either => self.schemas.plan.directions.get(def.id.index()).copied().unwrap_or_default(),
            Way::Request => Direction { request: true, reply: false },
        }
    }

    fn object(
        &self,
        value: &Value,
        def: &'a SchemaDef,
        fields: &'a [Field],
        extra: &'a Extra,
        said: &Said<'a>,
        at: &str,
    ) -> Result<Fit, Unfit> {
        let members = value.as_object().ok_or_else(|| mismatch("an object", value, at))?;
        let way = self.direction(def);
        let mut fit = Fit::default();
        let mut excused = Vec::new();
        for field in fields {
            if field.read_only != field.write_only {
                let one_way = if field.read_only { way.request } else { way.reply };
                excused.extend(one_way.then_some(field.wire.as_str()));
            }
            fit.add(self.field(members, field, presence(field, way), said, at)?);
        }
        fit.add(self.undeclared(members, fields, extra, way, said, at)?);
        let breach = bounds::breach(value, said, &excused);
        fit.breaches.extend(breach.map(|message| Breach { at: at.to_owned(), message }));
        Ok(fit)
    }

    fn field(
        &self,
        members: &Map<String, Value>,
        field: &Field,
        form: Option<Presence>,
        said: &Said<'a>,
        at: &str,
    ) -> Result<Fit, Unfit> {
        let inside = pointer::join(at, &field.wire);
        match (members.get(&field.wire), form) {
            (Some(_), None) => Ok(Fit { dropped: vec![inside], ..Fit::default() }),
            (Some(value), Some(_)) => {
                let inner = self.schemas.property(said, &field.wire, &field.origin, &field.ty.ty);
                self.of_use(value, &field.ty, &inner, &inside)
            }
            (None, Some(Presence::Always | Presence::Nullable)) => {
                Err(unfit(at, format!("`{}` is required, but missing", field.wire)))
            }
            (None, _) => Ok(Fit::default()),
        }
    }

    fn undeclared(
        &self,
        members: &Map<String, Value>,
        fields: &[Field],
        extra: &'a Extra,
        way: Direction,
        said: &Said<'a>,
        at: &str,
    ) -> Result<Fit, Unfit> {
        let mut fit = Fit::default();
        for (name, value) in members.iter().filter(|(name, _)| !fields.iter().any(|field| field.wire == **name)) {
            let inside = pointer::join(at, name);
            match extra {
                Extra::Kept(used) => {
                    let inner = self.schemas.rest(said, &used.ty);
                    fit.add(self.of_use(value, used, &inner, &inside)?);
                }
                Extra::Closed if way.request_only() => {
                    return Err(unfit(at, format!("`{name}` is not allowed here")));
                }
                Extra::Closed => {
                    fit.breaches.push(Breach { at: at.to_owned(), message: format!("`{name}` is not allowed here") });
                    fit.dropped.push(inside);
                }
                Extra::Ignored => fit.dropped.push(inside),
            }
        }
        Ok(fit)
    }
}

fn mismatch(expected: &str, value: &Value, at: &str) -> Unfit {
    unfit(at, format!("expected {expected}, found {}", bounds::short(value)))
}

/// Reads a value as the generated code does, and writes it back.
fn read<T: Wire>(value: &Value, at: &str) -> Result<Fit, Unfit> {
    let written = T::decode(value).map_err(|error| unfit(at, error.to_string()))?.encode();
    let written = written.map_err(|error| unfit(at, error.to_string()))?;
    let respelt = if same(&written, value) { Vec::new() } else { vec![(at.to_owned(), written)] };
    Ok(Fit { respelt, ..Fit::default() })
}

fn integer(width: IntWidth, value: &Value, at: &str) -> Result<Fit, Unfit> {
    match width {
        IntWidth::I8 => read::<i8>(value, at),
        IntWidth::I16 => read::<i16>(value, at),
        IntWidth::I32 => read::<i32>(value, at),
        IntWidth::I64 => read::<i64>(value, at),
        IntWidth::U8 => read::<u8>(value, at),
        IntWidth::U16 => read::<u16>(value, at),
        IntWidth::U32 => read::<u32>(value, at),
        IntWidth::U64 => read::<u64>(value, at),
    }
}

fn text(format: &TextFormat, value: &Value, at: &str) -> Result<Fit, Unfit> {
    match format {
        TextFormat::Plain => read::<String>(value, at),
        TextFormat::DateTime => read::<DateTime>(value, at),
        TextFormat::Date => read::<Date>(value, at),
        TextFormat::Uuid => read::<Uuid>(value, at),
        TextFormat::Uri => read::<Uri>(value, at),
        TextFormat::Base64 => read::<Base64>(value, at),
    }
}
