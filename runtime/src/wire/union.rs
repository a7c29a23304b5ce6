use std::{borrow::Cow, cell::Cell};

use serde_json::Value;

use super::{DecodeError, EncodeError, Wire, style};

/// How many branches may fail deep below one outermost union. A union that contains itself fails exponentially often on
/// a hostile value; a real one stays far below.
const MOST_FAILURES: u32 = 1 << 17;

/// Unions nested deeper than this count their failures, and do not list them: such a list would grow exponentially too.
const DEEP: u32 = 2;

thread_local! {
    static NESTING: Cell<u32> = const { Cell::new(0) };
    static FAILURES: Cell<u32> = const { Cell::new(0) };
}

/// Reads a union that nothing in the value names the branch of: branches are tried, and the error says why each failed.
///
/// ```
/// use cofferdam_runtime::{Value, wire::{UnionReader, Wire}};
///
/// fn either(value: &Value) -> Result<String, cofferdam_runtime::wire::DecodeError> {
///     let mut branches = UnionReader::new("Either", value);
///     if let Some(number) = branches.attempt::<i64>("Number") {
///         return Ok(number.to_string());
///     }
///     if let Some(text) = branches.attempt::<String>("Text") {
///         return Ok(text);
///     }
///     Err(branches.failed())
/// }
/// assert_eq!(either(&Value::from(3)).unwrap(), "3");
/// assert_eq!(
///     either(&Value::from(true)).unwrap_err().to_string(),
///     "fits no branch of Either: Number (expected a 64-bit integer, found true); Text (expected text, found true)"
/// );
/// ```
#[derive(Debug)]
pub struct UnionReader<'v> {
    union: &'static str,
    value: &'v Value,
    failures: Vec<(Cow<'static, str>, DecodeError)>,
}

impl<'v> UnionReader<'v> {
    /// Starts to read `value` as a branch of `union` (a name for messages).
    #[must_use]
    pub fn new(union: &'static str, value: &'v Value) -> Self {
        NESTING.set(NESTING.get().saturating_add(1));
        Self { union, value, failures: Vec::new() }
    }

    /// The value as the branch `name`, or the failure is kept for [`failed`](Self::failed).
    pub fn attempt<T: Wire>(&mut self, name: &'static str) -> Option<T> {
        if FAILURES.get() > MOST_FAILURES {
            return None;
        }
        match T::decode(self.value) {
            Ok(decoded) => Some(decoded),
            Err(error) => {
                if NESTING.get() > DEEP {
                    FAILURES.set(FAILURES.get().saturating_add(1));
                } else if !self.failures.iter().any(|(failed, _)| failed == name) {
                    self.failures.push((Cow::Borrowed(name), error));
                }
                None
            }
        }
    }

    /// As [`attempt`](Self::attempt), for an object that has no member but the `declared` ones. Tried before all other
    /// attempts, it tells branches apart that none of their required members tells apart.
    pub fn fitting<T: Wire>(&mut self, name: &'static str, declared: &[&str]) -> Option<T> {
        let Value::Object(members) = self.value else { return None };
        let fits = members.keys().all(|member| declared.contains(&member.as_str()));
        if fits { self.attempt(name) } else { None }
    }

    /// The error that lists why each branch failed.
    #[must_use]
    pub fn failed(mut self) -> DecodeError {
        if FAILURES.get() > MOST_FAILURES {
            return DecodeError::other(format!("given up on {}: its branches failed too often", self.union));
        }
        DecodeError::no_branch(self.union, std::mem::take(&mut self.failures))
    }
}

impl Drop for UnionReader<'_> {
    fn drop(&mut self) {
        NESTING.set(NESTING.get().saturating_sub(1));
        if NESTING.get() == 0 {
            FAILURES.set(0);
        }
    }
}

/// The tag of a union whose member `property` names the branch. A number or a boolean is a tag by its text.
pub fn tag<'v>(union: &'static str, property: &str, value: &'v Value) -> Result<Cow<'v, str>, DecodeError> {
    let Value::Object(members) = value else {
        return Err(DecodeError::mismatch(format!("an object ({union})"), value));
    };
    match members.get(property) {
        Some(member) => text_of(member).ok_or_else(|| DecodeError::mismatch("text", member).inside(property)),
        None => Err(DecodeError::missing(union, property)),
    }
}

/// As [`tag`], for a union that has a branch for values without one.
pub fn tag_if_any<'v>(property: &str, value: &'v Value) -> Option<Cow<'v, str>> {
    value.get(property).and_then(text_of)
}

fn text_of(tag: &Value) -> Option<Cow<'_, str>> {
    match tag {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(_) | Value::Bool(_) => style::plain_text(tag),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The encoded branch with its tag in the member `property`: replaced where the branch has that member, else put first.
/// Either way it stands there once.
pub fn with_tag(encoded: Value, property: &str, tag: impl Into<Value>) -> Result<Value, EncodeError> {
    let Value::Object(mut members) = encoded else {
        return Err(EncodeError::new("a branch with a tag must be an object"));
    };
    let tag = tag.into();
    match members.get_mut(property) {
        Some(member) => *member = tag,
        None => {
            members.shift_insert(0, property.to_owned(), tag);
        }
    }
    Ok(Value::Object(members))
}

/// As [`with_tag`], for a branch that several tags choose: its own tag stays if it is one of them, else it gets the first.
pub fn with_one_tag_of(
    encoded: Value,
    property: &str,
    tags: &[&str],
    first: impl Into<Value>,
) -> Result<Value, EncodeError> {
    match tag_if_any(property, &encoded) {
        Some(own) if tags.contains(&own.as_ref()) => Ok(encoded),
        _ => with_tag(encoded, property, first),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
        assert_eq!(message(json!({"kind": []})), "/kind: expected text, found an array of 0 items");
        assert_eq!(message(json!([])), "expected an object (Shape), found an array of 0 items");
    }

    #[test]
    fn of_two_branches_the_one_that_knows_every_member_is_taken() {
        let value = json!({"a": 1, "c": 2});
        let mut branches = UnionReader::new("Either", &value);
        assert_eq!(branches.fitting::<Value>("AB", &["a", "b"]), None);
        assert_eq!(branches.fitting::<Value>("AC", &["a", "c"]), Some(value.clone()));
    }

    #[test]
    fn a_tag_of_several_stays() {
        let text = |value| with_one_tag_of(value, "kind", &["slab", "plank"], "slab").unwrap().to_string();
        assert_eq!(text(json!({"kind": "plank"})), r#"{"kind":"plank"}"#);
        assert_eq!(text(json!({"kind": "disc", "w": 1})), r#"{"kind":"slab","w":1}"#);
        assert_eq!(text(json!({})), r#"{"kind":"slab"}"#);
    }

    #[test]
    fn a_tag_may_be_a_number_or_a_boolean() {
        assert_eq!(tag("U", "v", &json!({"v": 2})).unwrap(), "2");
        assert_eq!(tag_if_any("v", &json!({"v": true})).as_deref(), Some("true"));
        assert_eq!(tag_if_any("v", &json!({"v": null})), None);
        assert!(tag("U", "v", &json!({"v": [2]})).is_err());
        assert_eq!(with_one_tag_of(json!({"v": 3}), "v", &["2", "3"], 2).unwrap(), json!({"v": 3}));
        assert_eq!(with_one_tag_of(json!({"v": 4}), "v", &["2", "3"], 2).unwrap(), json!({"v": 2}));
    }

    #[test]
    fn the_tag_is_written_once() {
        let text = |value| with_tag(value, "kind", "disc").unwrap().to_string();
        assert_eq!(text(json!({"r": 1})), r#"{"kind":"disc","r":1}"#);
        assert_eq!(text(json!({"r": 1, "kind": ""})), r#"{"r":1,"kind":"disc"}"#);
        assert!(with_tag(json!([]), "kind", "disc").is_err());
    }
}
