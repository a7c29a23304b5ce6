//! Listed values: `enum`, `const`, alternatives that are constants.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::context::{Lowering, Target, any, holds_null};
use super::facets::Facets;
use crate::model::{EnumValue, FloatWidth, Origin, SchemaKind, Type, TypeUse};
use crate::normalise::{Kind, Kinds, Listed, ListedValue};

/// A value as the schema's `type` wants it, with what the author says of it.
struct Wanted<'a> {
    value: Cow<'a, Value>,
    of: ListedValue<'a>,
}

impl<'a> Lowering<'a> {
    /// The type of listed values. `null` among them is taken out and makes the use nullable.
    pub(super) fn listed(&mut self, listed: &Listed<'a>, facets: &Facets<'a>, target: &Target) -> TypeUse {
        let nullable = listed.values.iter().any(|value| value.value.is_null());
        let kinds = facets.kinds;
        let mut seen = HashSet::new();
        let mut values = Vec::new();
        for of in listed.values.iter().filter(|value| !value.value.is_null()) {
            let value = self.wanted(of.value, kinds, &listed.origin);
            if seen.insert(value.to_string()) {
                values.push(Wanted { value, of: *of });
            } else {
                let message = "a value stands in `enum` more than once";
                self.findings.count("CD-ENUM-TWICE", &listed.origin, message, "");
            }
        }
        let ty = self.of_values(&values, listed, target);
        TypeUse { nullable: nullable && !holds_null(&ty), ty }
    }

    /// A value that YAML read as something else than its `type` says (`enum: [1, 2]` of strings).
    fn wanted(&mut self, value: &'a Value, kinds: Kinds, at: &Origin) -> Cow<'a, Value> {
        let read = match (value, kinds.list().as_slice()) {
            (Value::Number(_) | Value::Bool(_), [Kind::Text]) => Some(Value::String(value.to_string())),
            (Value::String(text), [Kind::Int | Kind::Float]) => text.parse::<i64>().ok().map(Value::from),
            (Value::String(text), [Kind::Bool]) => text.parse::<bool>().ok().map(Value::from),
            _ => None,
        };
        match read {
            Some(read) => {
                let message = "a value of `enum` is not of the schema's `type`: it is read as if it were";
                self.findings.count_warning("CD-ENUM-TYPE", at, message, "put it in quotes, or take them away");
                Cow::Owned(read)
            }
            None => Cow::Borrowed(value),
        }
    }

    fn of_values(&mut self, values: &[Wanted<'a>], listed: &Listed<'a>, target: &Target) -> Type {
        if values.is_empty() {
            return Type::Null;
        }
        let all = |fits: fn(&Value) -> bool| values.iter().all(|value| fits(&value.value));
        let listable = all(Value::is_string) || all(|value| integer(value).is_some());
        if let ([only], true) = (values, listed.is_const || !listable) {
            let kind = SchemaKind::Const(only.value.clone().into_owned());
            return self.filled(target, kind);
        }
        if all(Value::is_string) {
            let values = values.iter().map(|v| entry(v, v.value.as_str().unwrap_or_default().to_owned())).collect();
            return self.filled(target, SchemaKind::TextEnum(values));
        }
        if all(|value| integer(value).is_some()) {
            let values = values.iter().filter_map(|v| Some(entry(v, integer(&v.value)?))).collect();
            return self.filled(target, SchemaKind::IntEnum(values));
        }
        if all(Value::is_boolean) {
            return Type::Bool;
        }
        if all(Value::is_number) {
            let message = "an `enum` of numbers that are not integers is read as any number";
            self.findings.count("CD-ENUM-FLOAT", &listed.origin, message, "");
            return Type::Float(FloatWidth::F64);
        }
        let message = "an `enum` of values of several types is read as any value";
        self.findings.count("CD-ENUM-MIXED", &listed.origin, message, "");
        any().ty
    }

    fn filled(&mut self, target: &Target, kind: SchemaKind) -> Type {
        let id = self.item(target);
        self.fill(id, kind, false);
        Type::Named(id)
    }
}

fn entry<V>(wanted: &Wanted<'_>, value: V) -> EnumValue<V> {
    EnumValue { value, name: wanted.of.name.map(str::to_owned), description: wanted.of.description.map(str::to_owned) }
}

/// An integer, also one that is written `1.0`.
fn integer(value: &Value) -> Option<i128> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = value.as_number()?;
    if let Some(integer) = number.as_i64() {
        return Some(integer.into());
    }
    if let Some(integer) = number.as_u64() {
        return Some(integer.into());
    }
    let float = number.as_f64()?;
    // Integral and within what a float holds exactly, so the cast is exact.
    #[allow(clippy::cast_possible_truncation)]
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i128)
}
