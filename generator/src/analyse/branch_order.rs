//! The order in which branches of a union are tried when nothing names them: the most demanding first, so that a value
//! with everything a larger type needs is not taken for a smaller one.

use std::cmp::Reverse;

use super::telling::{behind, definition};
use super::{Presence, presence};
use crate::model::{Branch, Extra, SchemaDef, SchemaKind, TextFormat, Type};
use crate::plan::SystemPlan;

/// How much a type demands of a value: tried in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Demand {
    /// One value, or a listed one.
    Listed,
    /// Text of a form.
    FormedText,
    /// Text of a form that much text has.
    LooseText,
    Bool,
    Integer,
    Number,
    /// An object that needs properties: so many, and knows so many.
    Object(Reverse<usize>, Reverse<usize>),
    Tuple,
    List,
    Union,
    /// An object that needs nothing, and knows so many properties.
    OpenObject(Reverse<usize>),
    Map,
    Text,
    /// Anything in a list or map.
    Loose,
    Any,
}

/// The indices of the branches in the order they are tried.
pub(crate) fn most_demanding_first(plan: &SystemPlan, branches: &[Branch]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..branches.len()).collect();
    order.sort_by_key(|index| branches.get(*index).map(|branch| demand(plan, &branch.ty.ty)));
    order
}

fn demand(plan: &SystemPlan, ty: &Type) -> Demand {
    match behind(&plan.api, ty.on_the_wire()) {
        Type::Any => Demand::Any,
        Type::Null => Demand::Listed,
        Type::Bool => Demand::Bool,
        Type::Int(_) => Demand::Integer,
        Type::Float(_) => Demand::Number,
        Type::Text(TextFormat::Plain) | Type::Binary => Demand::Text,
        Type::Text(TextFormat::Uri | TextFormat::Base64) => Demand::LooseText,
        Type::Text(TextFormat::DateTime | TextFormat::Date | TextFormat::Uuid) => Demand::FormedText,
        Type::Array(inner) if matches!(inner.ty, Type::Any) => Demand::Loose,
        Type::Array(_) => Demand::List,
        Type::Map(inner) if matches!(inner.ty, Type::Any) => Demand::Loose,
        Type::Map(_) => Demand::Map,
        Type::Tuple(_) => Demand::Tuple,
        Type::Named(_) => definition(&plan.api, ty.on_the_wire()).map_or(Demand::Any, |def| of_schema(plan, def)),
        Type::Own(_) => Demand::Any,
    }
}

fn of_schema(plan: &SystemPlan, def: &SchemaDef) -> Demand {
    match &def.kind {
        SchemaKind::Const(_) | SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) => Demand::Listed,
        SchemaKind::Union { .. } => Demand::Union,
        SchemaKind::Object { fields, .. } => match ObjectShape::of(plan, def) {
            Some(shape) if !shape.required.is_empty() => {
                Demand::Object(Reverse(shape.required.len()), Reverse(fields.len()))
            }
            _ => Demand::OpenObject(Reverse(fields.len())),
        },
        SchemaKind::Alias(_) => Demand::Any,
    }
}

/// Which properties an object needs and knows.
pub(crate) struct ObjectShape<'p> {
    /// Those it cannot do without.
    pub(crate) required: Vec<&'p str>,
    /// All it declares.
    pub(crate) declared: Vec<&'p str>,
    /// Whether it keeps others.
    pub(crate) keeps_others: bool,
}

impl<'p> ObjectShape<'p> {
    pub(crate) fn of(plan: &SystemPlan, def: &'p SchemaDef) -> Option<Self> {
        let SchemaKind::Object { fields, extra } = &def.kind else { return None };
        let way = plan.directions.get(def.id.index()).copied().unwrap_or_default();
        let own = fields.iter().enumerate().filter(|(index, _)| !plan.implied.contains_key(&(def.id, *index)));
        let needed = own
            .map(|(_, field)| field)
            .filter(|field| matches!(presence(field, way), Some(Presence::Always | Presence::Nullable)));
        Some(Self {
            required: needed.map(|field| field.wire.as_str()).collect(),
            declared: fields.iter().map(|field| field.wire.as_str()).collect(),
            keeps_others: matches!(extra, Extra::Kept(_)),
        })
    }
}

/// The object branches that are to be compared by how much of a value each keeps, in the order they are tried: none when
/// no value of one of them can be taken for another. Those that keep whatever comes are not among them.
pub(crate) fn to_compare<'p>(
    plan: &'p SystemPlan,
    branches: &[Branch],
    order: &[usize],
) -> Vec<(usize, ObjectShape<'p>)> {
    let shape = |index: &usize| {
        let branch = branches.get(*index)?;
        Some((*index, ObjectShape::of(plan, definition(&plan.api, &branch.ty.ty)?)?))
    };
    let mut shapes: Vec<(usize, ObjectShape<'_>)> = order.iter().filter_map(shape).collect();
    if !some_meet(&shapes) {
        return Vec::new();
    }
    shapes.retain(|(_, shape)| !shape.keeps_others);
    shapes
}

/// Whether of two shapes the one tried first may take a value that has only what the other declares.
fn some_meet(shapes: &[(usize, ObjectShape<'_>)]) -> bool {
    let mut later = shapes.iter();
    while let Some((_, first)) = later.next() {
        let takes =
            |(_, second): &(usize, ObjectShape<'_>)| first.required.iter().all(|name| second.declared.contains(name));
        if later.clone().any(takes) {
            return true;
        }
    }
    false
}
