//! Values out of plain text: header values and forms.
//!
//! Such text does not say what it is: `12` may be a number or a string of digits. The type decides: text is offered as
//! a string first, and only where the type refuses that string it is offered as a number, a boolean, a list or an
//! object. So strings stay strings even if they look like numbers, and generated types need no code for this.

use serde_json::{Map, Value};

use super::{DecodeError, Wire, path::Step};

/// How many times a piece of text may be offered anew. More than any honest header or form needs.
const MOST_OFFERS: usize = 512;

/// Reads a value in the style `simple`: `5`, `blue,black`, `R,100,G,200` or `R=100,G=200`.
pub fn decode_simple<T: Wire>(text: &str) -> Result<T, DecodeError> {
    decode_loose(Value::String(text.to_owned()), commas)
}

/// Reads a scalar.
pub fn decode_scalar<T: Wire>(text: &str) -> Result<T, DecodeError> {
    decode_loose(Value::String(text.to_owned()), |_| Vec::new())
}

/// Reads lines of text that must not be cut: one line as such, or a list with one item a line.
pub fn decode_lines<T: Wire>(mut lines: Vec<String>) -> Result<T, DecodeError> {
    let value = match lines.len() {
        1 => Value::String(lines.remove(0)),
        _ => Value::Array(lines.into_iter().map(Value::String).collect()),
    };
    decode_loose(value, one_item)
}

/// Reads a form: the members of one object, a repeated name being a list.
pub fn decode_pairs<T: Wire>(pairs: impl IntoIterator<Item = (String, String)>) -> Result<T, DecodeError> {
    let mut members = Map::new();
    for (name, text) in pairs {
        let text = Value::String(text);
        match members.get_mut(&name) {
            None => {
                members.insert(name, text);
            }
            Some(Value::Array(items)) => items.push(text),
            Some(first) => *first = Value::Array(vec![first.take(), text]),
        }
    }
    decode_loose(Value::Object(members), one_item)
}

/// Reads a value whose strings are all untyped text. `others` lists what a piece of text may be besides a scalar.
fn decode_loose<T: Wire>(mut value: Value, others: fn(&str) -> Vec<Value>) -> Result<T, DecodeError> {
    let mut error = match T::decode(&value) {
        Ok(decoded) => return Ok(decoded),
        Err(error) => error,
    };
    for _ in 0..MOST_OFFERS {
        let Some(text) = piece_at(&mut value, &error).and_then(|piece| piece.as_str().map(str::to_owned)) else {
            break;
        };
        match offer::<T>(&mut value, &error, &text, others) {
            Offer::Read(decoded) => return Ok(decoded),
            Offer::Further(next) => error = next,
            Offer::Refused => break,
        }
    }
    Err(error)
}

enum Offer<T> {
    Read(T),
    /// The piece was taken; this is what is wrong next.
    Further(DecodeError),
    Refused,
}

/// Puts other readings in the place of the piece of text that `error` complains of, and keeps the first that helps.
fn offer<T: Wire>(value: &mut Value, error: &DecodeError, text: &str, others: fn(&str) -> Vec<Value>) -> Offer<T> {
    for candidate in scalar(text).into_iter().chain(others(text)) {
        if let Some(piece) = piece_at(value, error) {
            *piece = candidate;
        }
        match T::decode(value) {
            Ok(decoded) => return Offer::Read(decoded),
            Err(next) if next.pointer() != error.pointer() => return widen(value, error, next),
            Err(_) => {}
        }
    }
    if let Some(piece) = piece_at(value, error) {
        *piece = Value::String(text.to_owned());
    }
    Offer::Refused
}

/// After an item was taken as a scalar and the next one is refused: takes all that follow as scalars too, so that a long
/// list is not read once per item. Unless one of them was right as text.
fn widen<T: Wire>(value: &mut Value, error: &DecodeError, next: DecodeError) -> Offer<T> {
    let (Some((here, list)), Some((there, its_list))) = (item_of(error), item_of(&next)) else {
        return Offer::Further(next);
    };
    if list != its_list || there != here + 1 {
        return Offer::Further(next);
    }
    let Some(Value::Array(items)) = value.pointer_mut(&list) else {
        return Offer::Further(next);
    };
    let before = items.clone();
    for item in items.iter_mut().skip(there) {
        if let Some(taken) = item.as_str().and_then(scalar) {
            *item = taken;
        }
    }
    match T::decode(value) {
        Ok(decoded) => Offer::Read(decoded),
        Err(wider) if piece_at(value, &wider).is_some_and(|piece| piece.is_string()) => Offer::Further(wider),
        Err(_) => {
            if let Some(items) = value.pointer_mut(&list) {
                *items = Value::Array(before);
            }
            Offer::Further(next)
        }
    }
}

/// The index that an error is at, and the pointer of the list around it.
fn item_of(error: &DecodeError) -> Option<(usize, String)> {
    let Some(Step::Index(index)) = error.steps().last() else {
        return None;
    };
    let pointer = error.pointer();
    let (list, _) = pointer.rsplit_once('/')?;
    Some((*index, list.to_owned()))
}

fn piece_at<'v>(value: &'v mut Value, error: &DecodeError) -> Option<&'v mut Value> {
    value.pointer_mut(&error.pointer())
}

/// The text as a JSON scalar.
fn scalar(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => text.parse().ok().map(Value::Number),
    }
}

/// The text as the only item of a list.
fn one_item(text: &str) -> Vec<Value> {
    vec![Value::Array(vec![Value::String(text.to_owned())])]
}

/// The text as a list, then as an object of the style `simple`.
fn commas(text: &str) -> Vec<Value> {
    let items: Vec<&str> = text.split(',').map(str::trim).collect();
    let as_value = |text: &str| Value::String(text.to_owned());
    let mut readings = vec![Value::Array(match text.trim() {
        "" => Vec::new(),
        _ => items.iter().copied().map(as_value).collect(),
    })];
    let exploded: Option<Map<_, _>> =
        items.iter().map(|item| item.split_once('=').map(|(name, text)| (name.to_owned(), as_value(text)))).collect();
    readings.extend(exploded.map(Value::Object));
    if let (pairs, []) = items.as_chunks::<2>() {
        let members = pairs.iter().map(|[name, text]| ((*name).to_owned(), as_value(text)));
        readings.push(Value::Object(members.collect()));
    }
    readings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::wire::{ObjectReader, UnionReader};

    #[derive(Debug, PartialEq)]
    struct Colour {
        r: i64,
        g: Option<f64>,
        name: Option<String>,
    }

    impl Wire for Colour {
        fn encode(&self) -> Result<Value, crate::wire::EncodeError> {
            Ok(Value::Null)
        }

        fn decode(value: &Value) -> Result<Self, DecodeError> {
            let mut object = ObjectReader::new("Colour", value)?;
            Ok(Self { r: object.required("R")?, g: object.optional("G")?, name: object.optional("name")? })
        }
    }

    #[test]
    fn the_type_decides_what_text_is() {
        assert_eq!(decode_simple::<String>("12").unwrap(), "12");
        assert_eq!(decode_simple::<i64>("12").unwrap(), 12);
        assert_eq!(decode_simple::<Option<u8>>("12").unwrap(), Some(12));
        assert_eq!(decode_simple::<f64>("1.5").unwrap(), 1.5);
        assert!(decode_simple::<bool>("true").unwrap());
        assert_eq!(decode_simple::<String>("true").unwrap(), "true");
        assert_eq!(decode_simple::<String>("a, b").unwrap(), "a, b");
        assert_eq!(decode_simple::<Value>("12").unwrap(), Value::from("12"));
    }

    #[test]
    fn lists_are_split_at_commas() {
        assert_eq!(decode_simple::<Vec<String>>("1, b,,c").unwrap(), ["1", "b", "", "c"]);
        assert_eq!(decode_simple::<Vec<i64>>("3,2 , 1").unwrap(), [3, 2, 1]);
        assert_eq!(decode_simple::<Vec<i64>>("3").unwrap(), [3]);
        assert_eq!(decode_simple::<Vec<String>>("").unwrap(), Vec::<String>::new());
        let error = decode_simple::<Vec<i64>>("3,x,1").unwrap_err();
        assert_eq!(error.to_string(), r#"/1: expected a 64-bit integer, found "x""#);
    }

    #[test]
    fn long_lists_are_read_too() {
        let text = (0..5000).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(decode_simple::<Vec<i64>>(&text).unwrap().len(), 5000);
    }

    #[test]
    fn objects_are_read_in_both_forms() {
        let colour = Colour { r: 100, g: Some(2.5), name: Some("7".to_owned()) };
        assert_eq!(decode_simple::<Colour>("R,100,G,2.5,name,7").unwrap(), colour);
        assert_eq!(decode_simple::<Colour>("R=100,G=2.5,name=7").unwrap(), colour);
        assert_eq!(decode_simple::<Colour>("G=2.5").unwrap_err().to_string(), "/R: required by Colour, but missing");
        let map = decode_simple::<BTreeMap<String, i64>>("a=1,b=2").unwrap();
        assert_eq!(map, BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]));
    }

    #[test]
    fn a_union_takes_the_text_if_it_can() {
        #[derive(Debug, PartialEq)]
        enum Size {
            Number(i64),
            List(Vec<bool>),
        }
        impl Wire for Size {
            fn encode(&self) -> Result<Value, crate::wire::EncodeError> {
                Ok(Value::Null)
            }
            fn decode(value: &Value) -> Result<Self, DecodeError> {
                let mut branches = UnionReader::new("Size", value);
                if let Some(number) = branches.attempt("Number") {
                    return Ok(Self::Number(number));
                }
                branches.attempt("List").map(Self::List).ok_or_else(|| branches.failed())
            }
        }
        assert_eq!(decode_simple::<Size>("4").unwrap(), Size::Number(4));
        assert!(decode_simple::<Size>("x").is_err());
    }

    #[test]
    fn a_form_is_read_by_its_type() {
        let pairs = |text: &[(&str, &str)]| {
            text.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect::<Vec<_>>()
        };
        let colour = decode_pairs::<Colour>(pairs(&[("R", "1"), ("name", "2")])).unwrap();
        assert_eq!(colour, Colour { r: 1, g: None, name: Some("2".to_owned()) });
        type Lists = BTreeMap<String, Vec<i64>>;
        let lists = decode_pairs::<Lists>(pairs(&[("a", "1"), ("b", "2"), ("a", "3")])).unwrap();
        assert_eq!(lists, BTreeMap::from([("a".to_owned(), vec![1, 3]), ("b".to_owned(), vec![2])]));
    }

    #[test]
    fn hostile_text_ends_with_an_error() {
        let text = "a,".repeat(2000);
        assert!(decode_simple::<Vec<Vec<Vec<i64>>>>(&text).is_err());
        assert!(decode_simple::<Colour>(&text).is_err());
    }
}
