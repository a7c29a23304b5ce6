//! A value of a type: one that the document gives and that keeps to its schema, else one made from the schema.

use std::cell::{Cell, RefCell};

use serde_json::{Map, Value};

use super::check::Way;
use super::numbers::{Range, number, same};
use super::unions::Union;
use super::{Fit, Said, Schemas, bounds, text};
use crate::model::{SchemaDef, SchemaId, SchemaKind, Type, TypeUse};
use crate::resolve::pointer;

/// How many values one sample may be made of before everything optional is left out.
const GENEROUS: usize = 400;
/// How many values one sample may be made of at all.
const MOST: usize = 20_000;
/// How many objects may lie in each other before everything optional is left out.
pub(super) const OPTIONAL_DEPTH: usize = 3;
/// How many items an array is filled with at most.
const MOST_ITEMS: usize = 100;

/// Makes one sample.
pub(crate) struct Sampler<'a> {
    pub(super) schemas: Schemas<'a>,
    pub(super) way: Way,
    made: Cell<usize>,
    /// The named types that the value at hand lies in: none is entered twice, so that recursion ends.
    inside: RefCell<Vec<SchemaId>>,
}

impl<'a> Schemas<'a> {
    /// A value of a type, for one way. `given` are values that the document gives for this very place; they go before
    /// those that the schemas give. `None` when nothing finite would do.
    pub(crate) fn sample(&self, used: &TypeUse, said: &Said<'a>, given: &[&Value], way: Way) -> Option<Value> {
        let sampler = Sampler { schemas: *self, way, made: Cell::new(0), inside: RefCell::default() };
        let fitting = given.iter().find_map(|value| sampler.fitting(value, used, said));
        fitting.or_else(|| sampler.of_use(used, said))
    }
}

impl<'a> Sampler<'a> {
    pub(super) fn of_use(&self, used: &TypeUse, said: &Said<'a>) -> Option<Value> {
        self.made.set(self.made.get() + 1);
        if self.made.get() > MOST {
            return None;
        }
        let given = self.schemas.given_by(said).into_iter().filter(|value| !value.is_null());
        if let Some(value) = given.into_iter().find_map(|value| self.fitting(value, used, said)) {
            return Some(value);
        }
        self.of_type(&used.ty, said).or_else(|| used.nullable.then_some(Value::Null))
    }

    /// A given value, without what does not travel this way, if it keeps to the schema.
    fn fitting(&self, value: &Value, used: &TypeUse, said: &Said<'a>) -> Option<Value> {
        let fit = self.schemas.check(value, used, said, self.way).ok()?;
        fit.breaches.is_empty().then(|| as_written(value, &fit))
    }

    /// Whether optional members are to be filled in.
    pub(super) fn is_generous(&self) -> bool {
        self.made.get() < GENEROUS && self.inside.borrow().len() <= OPTIONAL_DEPTH
    }

    fn of_type(&self, ty: &Type, said: &Said<'a>) -> Option<Value> {
        if let Some(listed) = listed(said) {
            return Some(listed);
        }
        match ty {
            Type::Any => Some(of_any(said)),
            Type::Null => Some(Value::Null),
            Type::Bool => Some(Value::Bool(true)),
            Type::Int(_) => Some(number(Range::of(said).pick(1.0, true))),
            Type::Float(_) => Some(number(Range::of(said).pick(1.5, false))),
            Type::Text(format) => Some(text::text(format, said)),
            Type::Binary => Some(text::text(&crate::model::TextFormat::Plain, said)),
            Type::Array(item) => self.array(item, said),
            Type::Tuple(items) => {
                let items = items.iter().enumerate();
                let made = items.map(|(index, used)| self.of_use(used, &self.schemas.item(said, index, &used.ty)));
                made.collect::<Option<Vec<_>>>().map(Value::Array)
            }
            Type::Map(values) => Some(self.map(values, said)),
            Type::Own(used) => self.of_type(&used.instead, said),
            Type::Named(_) => self.of_definition(self.schemas.definition(ty)?, said),
        }
    }

    fn of_definition(&self, def: &'a SchemaDef, said: &Said<'a>) -> Option<Value> {
        if self.inside.borrow().contains(&def.id) {
            return None;
        }
        self.inside.borrow_mut().push(def.id);
        let made = match &def.kind {
            SchemaKind::Alias(target) => self.of_type(&target.ty, said),
            SchemaKind::Object { fields, extra } => self.object(fields, extra, said),
            SchemaKind::TextEnum(values) => values.first().map(|value| Value::from(value.value.clone())),
            SchemaKind::IntEnum(values) => {
                values.first().and_then(|value| i64::try_from(value.value).ok()).map(Value::from)
            }
            SchemaKind::Const(constant) => Some(constant.clone()),
            SchemaKind::Union { .. } => Union::of(def).and_then(|union| self.union(union, said)),
        };
        self.inside.borrow_mut().pop();
        made
    }

    fn array(&self, item: &TypeUse, said: &Said<'a>) -> Option<Value> {
        let least = bounds::least(said, "minItems");
        let wished = bounds::most(said, "maxItems").map_or(1, |most| most.min(1)).max(least);
        let unique = said.keyword("uniqueItems").any(|unique| unique == &Value::Bool(true));
        let mut items: Vec<Value> = Vec::new();
        for index in 0..wished.min(MOST_ITEMS) {
            let inner = self.schemas.item(said, index, &item.ty);
            let Some(made) = self.of_use(item, &inner) else { break };
            let taken = |value: &Value| unique && items.iter().any(|other| same(other, value));
            let made = if taken(&made) { varied(&made, index, &inner) } else { made };
            items.push(made);
        }
        (items.len() >= least.min(MOST_ITEMS)).then_some(Value::Array(items))
    }

    fn map(&self, values: &TypeUse, said: &Said<'a>) -> Value {
        let least = bounds::least(said, "minProperties").min(MOST_ITEMS);
        let wished = bounds::most(said, "maxProperties").map_or(1, |most| most.min(1)).max(least);
        let wished = if self.is_generous() { wished } else { least };
        let inner = self.schemas.rest(said, &values.ty);
        let mut members = Map::new();
        for index in 0..wished {
            let Some(made) = self.of_use(values, &inner) else { break };
            members.insert(if index == 0 { "key".to_owned() } else { format!("key{}", index + 1) }, made);
        }
        Value::Object(members)
    }
}

/// A value without what is not written back.
pub(super) fn as_written(value: &Value, fit: &Fit) -> Value {
    let mut value = value.clone();
    for place in &fit.dropped {
        remove(&mut value, place);
    }
    value
}

fn remove(value: &mut Value, place: &str) {
    let mut segments: Vec<_> = pointer::segments(place).collect();
    let Some(last) = segments.pop() else { return };
    let mut holder = value;
    for segment in segments {
        let inner = match holder {
            Value::Object(members) => members.get_mut(segment.as_ref()),
            Value::Array(items) => segment.parse::<usize>().ok().and_then(|index| items.get_mut(index)),
            _ => None,
        };
        let Some(inner) = inner else { return };
        holder = inner;
    }
    if let Value::Object(members) = holder {
        members.shift_remove(last.as_ref());
    }
}

/// The constant, or the first listed value that is not null and stands in every list.
fn listed(said: &Said<'_>) -> Option<Value> {
    if let Some(constant) = said.keyword("const").next() {
        return Some(constant.clone());
    }
    let lists: Vec<&Vec<Value>> = said.keyword("enum").filter_map(Value::as_array).collect();
    let (first, others) = lists.split_first()?;
    let everywhere = |value: &&Value| others.iter().all(|list| list.iter().any(|other| same(other, value)));
    // Text that YAML read as something else is left to the type, which knows.
    let is_text = said.keyword("type").any(|word| word == "string");
    let fits = |value: &&Value| !value.is_null() && (!is_text || value.is_string());
    first.iter().filter(everywhere).find(fits).cloned()
}

/// A value of any type, or of the one that the schema names.
fn of_any(said: &Said<'_>) -> Value {
    let words = said.keyword("type").flat_map(|said| match said {
        Value::String(word) => vec![word.as_str()],
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    });
    match words.into_iter().find(|word| *word != "null") {
        Some("boolean") => Value::Bool(true),
        Some("integer") => number(Range::of(said).pick(1.0, true)),
        Some("number") => number(Range::of(said).pick(1.5, false)),
        Some("array") => Value::Array(Vec::new()),
        Some("object") => Value::Object(Map::new()),
        _ => text::text(&crate::model::TextFormat::Plain, said),
    }
}

/// Another value like one, for arrays whose items differ.
fn varied(value: &Value, index: usize, said: &Said<'_>) -> Value {
    let lists = said.keyword("enum").filter_map(Value::as_array);
    if let Some(other) = lists.into_iter().find_map(|list| list.get(index)) {
        return other.clone();
    }
    match value {
        Value::String(text) => Value::from(format!("{text}{index}")),
        #[expect(clippy::cast_precision_loss, reason = "an index of at most a hundred")]
        Value::Number(found) => number(found.as_f64().unwrap_or_default() + index as f64),
        Value::Object(members) => {
            let nothing = Said::default();
            let mut members = members.clone();
            if let Some((_, member)) = members.iter_mut().find(|(_, member)| member.is_string() || member.is_number()) {
                *member = varied(member, index, &nothing);
            }
            Value::Object(members)
        }
        other => other.clone(),
    }
}
