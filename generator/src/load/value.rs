//! Any document as a [`serde_json::Value`], in one pass and without copies.
//!
//! What JSON has no word for is kept as well as possible where the meaning is plain (keys that are numbers become their
//! text, integers beyond 64 bits become floats, `<<` is merged) and remembered as odd where it is not: [`super::faults`]
//! then finds the places.

use std::cell::Cell;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, VariantAccess};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// What was met on the way and needs a second look.
#[derive(Debug, Default)]
pub(super) struct Oddities {
    /// A key stood twice in one mapping.
    pub(super) duplicates: Cell<bool>,
    /// A tag such as `!Ref`, or a number that JSON cannot hold.
    pub(super) foreign: Cell<bool>,
    /// Something in the text looks like a tag; the library passes over those that are not local (`!!js/regexp`).
    pub(super) tags: Cell<bool>,
    /// Aliases multiplied the document beyond what is allowed.
    pub(super) swollen: Cell<bool>,
}

/// Reads a value; `yaml` switches on what only YAML has.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    yaml: bool,
    odd: &'a Oddities,
    /// What may still be built, in rough bytes. Without aliases a text cannot reach it.
    budget: &'a Cell<usize>,
}

/// What one value costs of the budget besides its text.
const VALUE_COST: usize = 8;

impl<'a> Reader<'a> {
    pub(super) fn json(odd: &'a Oddities, budget: &'a Cell<usize>) -> Self {
        Self { yaml: false, odd, budget }
    }

    pub(super) fn yaml(odd: &'a Oddities, budget: &'a Cell<usize>) -> Self {
        Self { yaml: true, odd, budget }
    }

    /// The budget for a text: aliases may repeat parts of it, but not multiply it without end.
    pub(super) fn budget(text: &str) -> Cell<usize> {
        Cell::new(text.len().saturating_mul(8).saturating_add(16 << 20))
    }

    fn spend<E: Error>(self, text: usize) -> Result<(), E> {
        if !self.yaml {
            return Ok(());
        }
        match self.budget.get().checked_sub(text + VALUE_COST) {
            Some(left) => {
                self.budget.set(left);
                Ok(())
            }
            None => {
                self.odd.swollen.set(true);
                Err(E::custom("aliases make this document too large"))
            }
        }
    }

    fn number<E: Error>(self, value: f64) -> Result<Value, E> {
        self.spend(0)?;
        Ok(Number::from_f64(value).map_or_else(
            || {
                self.odd.foreign.set(true);
                Value::Null
            },
            Value::Number,
        ))
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.spend(0)?;
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.spend(0)?;
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.spend(0)?;
        Ok(Value::Number(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        self.number(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        self.number(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.number(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.spend(value.len())?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        self.spend(value.len())?;
        Ok(Value::String(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.spend(0)?;
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.spend(0)?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.spend(0)?;
        let mut map = Map::new();
        let mut merge = None;
        while let Some(Key(key)) = entries.next_key()? {
            self.spend(key.len())?;
            let is_merge = self.yaml && key == "<<";
            match map.entry(key) {
                Entry::Occupied(_) => {
                    self.odd.duplicates.set(true);
                    entries.next_value_seed(self)?;
                }
                Entry::Vacant(place) => {
                    place.insert(entries.next_value_seed(self)?);
                    if is_merge {
                        merge = Some(map.len() - 1);
                    }
                }
            }
        }
        match merge {
            Some(place) => merged(map, place).map(Value::Object).map_err(A::Error::custom),
            None => Ok(Value::Object(map)),
        }
    }

    /// A tag: what it would mean is unknown. The value is read on, so that everything wrong is found.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        self.odd.foreign.set(true);
        let (IgnoredAny, value) = access.variant()?;
        value.newtype_variant_seed(self)
    }
}

/// A key as it is written: `200`, `true` and `1.10` are text in their place.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl serde::de::Visitor<'_> for KeyVisitor {
            type Value = Key;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a key that is text or a number")
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Key, E> {
                Ok(Key(value.to_owned()))
            }

            fn visit_string<E: Error>(self, value: String) -> Result<Key, E> {
                Ok(Key(value))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// Replaces the entry `<<` at `place` by the entries of the mapping or mappings it names. What the mapping says itself
/// goes before what is merged, and an earlier mapping of a list goes before a later one.
fn merged(map: Map<String, Value>, place: usize) -> Result<Map<String, Value>, &'static str> {
    let mut before: Vec<(String, Value)> = map.into_iter().collect();
    let after = before.split_off((place + 1).min(before.len()));
    let parts = match before.pop() {
        Some((_, Value::Object(part))) => vec![part],
        Some((_, Value::Array(parts))) => parts
            .into_iter()
            .map(|part| if let Value::Object(part) = part { Ok(part) } else { Err(NOT_MERGEABLE) })
            .collect::<Result<_, _>>()?,
        _ => return Err(NOT_MERGEABLE),
    };
    let mut result: Map<String, Value> = before.into_iter().collect();
    let own: std::collections::HashSet<String> = after.iter().map(|(key, _)| key.clone()).collect();
    for (key, value) in parts.into_iter().flatten() {
        if !own.contains(&key) {
            result.entry(key).or_insert(value);
        }
    }
    result.extend(after);
    Ok(result)
}

const NOT_MERGEABLE: &str = "`<<` takes a mapping, or a list of mappings";
