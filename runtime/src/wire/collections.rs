//! Arrays, maps, and arrays with a type for each place.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{DecodeError, EncodeError, Wire};

impl<T: Wire> Wire for Vec<T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut items = Vec::<Value>::with_capacity(self.len());
        for (index, item) in self.iter().enumerate() {
            items.push(item.encode().map_err(|error| error.at_index(index))?);
        }
        Ok(Value::Array(items))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let Value::Array(items) = value else {
            return Err(DecodeError::mismatch("an array", value));
        };
        let mut decoded = Self::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            decoded.push(T::decode(item).map_err(|error| error.at_index(index))?);
        }
        Ok(decoded)
    }
}

impl<T: Wire> Wire for BTreeMap<String, T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut members = Map::with_capacity(self.len());
        for (name, value) in self {
            members.insert(name.clone(), value.encode().map_err(|error| error.inside(name))?);
        }
        Ok(Value::Object(members))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let Value::Object(members) = value else {
            return Err(DecodeError::mismatch("an object", value));
        };
        let mut decoded = Self::new();
        for (name, value) in members {
            decoded.insert(name.clone(), T::decode(value).map_err(|error| error.inside(name))?);
        }
        Ok(decoded)
    }
}

fn places(value: &Value, count: usize) -> Result<&[Value], DecodeError> {
    match value {
        Value::Array(items) if items.len() == count => Ok(items),
        other => Err(DecodeError::mismatch(format!("an array of exactly {count}"), other)),
    }
}

fn place<T: Wire>(items: &[Value], index: usize) -> Result<T, DecodeError> {
    let item = items.get(index).ok_or_else(|| DecodeError::other("missing"));
    item.and_then(T::decode).map_err(|error| error.at_index(index))
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $index:tt),+;)+) => {$(
        /// An array with one type for each place and nothing after them (`prefixItems`).
        impl<$($name: Wire),+> Wire for ($($name,)+) {
            fn encode(&self) -> Result<Value, EncodeError> {
                Ok(Value::Array(vec![$(self.$index.encode().map_err(|error| error.at_index($index))?),+]))
            }

            fn decode(value: &Value) -> Result<Self, DecodeError> {
                let items = places(value, $count)?;
                Ok(($(place::<$name>(items, $index)?,)+))
            }
        }
    )+};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}
