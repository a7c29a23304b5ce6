use serde_json::json;

use super::*;
use crate::wire::{Maybe, ObjectReader, ObjectWriter};

/// Two branches that both hold the union itself.
#[derive(Debug)]
struct Loop;

impl Wire for Loop {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::Null)
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let mut branches = UnionReader::new("Loop", value);
        if branches.attempt::<Vec<Loop>>("And").is_some() || branches.attempt::<Vec<Loop>>("Or").is_some() {
            return Ok(Self);
        }
        Err(branches.failed())
    }
}

#[test]
fn a_union_in_itself_ends_on_a_hostile_value() {
    let mut value = json!(1);
    for _ in 0..100 {
        value = json!([value]);
    }
    let message = Loop::decode(&value).unwrap_err().to_string();
    assert!(message.len() < 10_000, "{} bytes", message.len());
    // The next value is read with a fresh count.
    assert!(Loop::decode(&json!([[], [[]]])).is_ok());
}

#[test]
fn the_tag_is_read_from_the_member() {
    assert_eq!(tag("Shape", "kind", &json!({"kind": "disc"})).unwrap(), "disc");
    let message = |value| tag("Shape", "kind", &value).unwrap_err().to_string();
    assert_eq!(message(json!({"w": 2})), "/kind: required by Shape, but missing");
    assert_eq!(message(json!({"kind": 2})), "/kind: expected text, found 2");
    assert_eq!(message(json!([])), "expected an object (Shape), found an array of 0 items");
}

#[test]
fn the_tag_is_written_once() {
    let text = |value| with_tag(value, "kind", "disc").unwrap().to_string();
    assert_eq!(text(json!({"r": 1})), r#"{"kind":"disc","r":1}"#);
    assert_eq!(text(json!({"r": 1, "kind": ""})), r#"{"r":1,"kind":"disc"}"#);
    assert!(with_tag(json!([]), "kind", "disc").is_err());
}

/// A union told apart by shape: the more demanding branch is tried first.
#[derive(Debug, PartialEq)]
enum Contact {
    Full { name: String, phones: Vec<String> },
    Short { name: String },
}

struct Full(String, Vec<String>);
struct Short(String);

impl Wire for Full {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut object = ObjectWriter::new();
        object.required("name", &self.0)?;
        object.required("phones", &self.1)?;
        Ok(object.finish())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let mut object = ObjectReader::new("Full", value)?;
        Ok(Self(object.required("name")?, object.required("phones")?))
    }
}

impl Wire for Short {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut object = ObjectWriter::new();
        object.required("name", &self.0)?;
        Ok(object.finish())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        ObjectReader::new("Short", value)?.required("name").map(Self)
    }
}

fn contact(value: &Value) -> Result<Contact, DecodeError> {
    let mut branches = UnionReader::new("Contact", value);
    if let Some(Full(name, phones)) = branches.attempt("Full") {
        return Ok(Contact::Full { name, phones });
    }
    if let Some(Short(name)) = branches.attempt("Short") {
        return Ok(Contact::Short { name });
    }
    Err(branches.failed())
}

#[test]
fn the_demanding_branch_comes_first_and_failures_are_listed() {
    let name = || "n".to_owned();
    let full = Contact::Full { name: name(), phones: vec!["1".to_owned()] };
    assert_eq!(contact(&json!({"name": "n", "phones": ["1"], "since": 2019})).unwrap(), full);
    assert_eq!(contact(&json!({"name": "n"})).unwrap(), Contact::Short { name: name() });
    assert_eq!(
        contact(&json!({"phones": []})).unwrap_err().to_string(),
        "fits no branch of Contact: Full (/name: required by Full, but missing); \
         Short (/name: required by Short, but missing)"
    );
    let error = contact(&json!({"phones": []})).unwrap_err();
    assert_eq!(error.branches().map(|(name, _)| name).collect::<Vec<_>>(), ["Full", "Short"]);
    let written = with_tag(Full(name(), vec![]).encode().unwrap(), "kind", "full").unwrap();
    assert_eq!(written.to_string(), r#"{"kind":"full","name":"n","phones":[]}"#);
    let written = with_tag(Short(name()).encode().unwrap(), "name", "m").unwrap();
    assert_eq!(written.to_string(), r#"{"name":"m"}"#);
}

#[test]
fn a_nested_union_keeps_its_reasons() {
    struct Outer;
    impl Wire for Outer {
        fn encode(&self) -> Result<Value, EncodeError> {
            Ok(Value::Null)
        }
        fn decode(value: &Value) -> Result<Self, DecodeError> {
            let mut branches = UnionReader::new("Outer", value);
            if branches.attempt::<Maybe<bool>>("Flag").is_some() {
                return Ok(Self);
            }
            match contact(value) {
                Ok(_) => Ok(Self),
                Err(error) => Err(error.inside("contact")),
            }
        }
    }
    let error = Outer::decode(&json!({"phones": 1})).err().unwrap().to_string();
    assert!(error.contains("/contact: fits no branch of Contact: Full (/name: required"), "{error}");
    assert!(Outer::decode(&json!({"name": "n"})).is_ok());
    assert!(Outer::decode(&json!(true)).is_ok());
}
