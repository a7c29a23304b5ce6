use std::{borrow::Cow, cell::Cell};

use serde_json::Value;

use super::{DecodeError, EncodeError, Wire, style};

/// How many branches may fail deep below one outermost union. A union that contains itself fails exponentially often on
/// a hostile value; a real one stays far below.
const MOST_FAILURES: u32 = 1 << 17;

/// Unions nested deeper than this count their failures, and do not list them: such a list would grow exponentially too.
const DEEP: u32 = 2;

/// How many readings may be compared below one outermost union before the first that succeeds is taken: unions within
/// unions compare exponentially often, too.
const MOST_COMPARED: u32 = 1 << 12;

thread_local! {
    static NESTING: Cell<u32> = const { Cell::new(0) };
    static FAILURES: Cell<u32> = const { Cell::new(0) };
    static COMPARED: Cell<u32> = const { Cell::new(0) };
}

/// A branch of the union `U` that is an object, among others that may take it for their own.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<U> {
    /// Its name, for messages.
    pub name: &'static str,
    /// The members it declares.
    pub declared: &'static [&'static str],
    /// Reads it.
    pub read: fn(&Value) -> Result<U, DecodeError>,
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
        self.reading(name, T::decode)
    }

    fn reading<T>(&mut self, name: &'static str, read: fn(&Value) -> Result<T, DecodeError>) -> Option<T> {
        if FAILURES.get() > MOST_FAILURES {
            return None;
        }
        match read(self.value) {
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

    /// The value, if it is an object, as the branch that keeps most of its members: a branch with fewer members reads it
    /// too, and would lose the rest. A branch that alone declares them all is taken without a look at the others; of two
    /// that keep as much, the first.
    pub fn keeping_most<U: Wire>(&mut self, candidates: &[Candidate<U>]) -> Option<U> {
        let Value::Object(members) = self.value else { return None };
        let undeclared = |candidate: &Candidate<U>| {
            members.keys().filter(|member| !candidate.declared.contains(&member.as_str())).count()
        };
        let fitting = || candidates.iter().filter(|candidate| undeclared(candidate) == 0);
        let is_alone = fitting().count() == 1;
        let others = candidates.iter().filter(|candidate| undeclared(candidate) > 0);
        let mut best: Option<((usize, usize), U)> = None;
        for candidate in fitting().chain(others) {
            let undeclared = undeclared(candidate);
            let Some(read) = self.reading(candidate.name, candidate.read) else { continue };
            if (is_alone && undeclared == 0) || COMPARED.get() > MOST_COMPARED {
                return Some(read);
            }
            COMPARED.set(COMPARED.get().saturating_add(1));
            let written = read.encode().ok();
            let loss = (lost(self.value, written.as_ref()), undeclared);
            if loss == (0, 0) {
                return Some(read);
            }
            if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                best = Some((loss, read));
            }
        }
        best.map(|(_, read)| read)
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
            COMPARED.set(0);
        }
    }
}

/// How many values in `given` have no place in what was written of it. Nulls say nothing that their absence would not.
fn lost(given: &Value, written: Option<&Value>) -> usize {
    match (given, written) {
        (Value::Object(given), Some(Value::Object(written))) => {
            given.iter().map(|(name, value)| lost(value, written.get(name))).sum()
        }
        (Value::Array(given), Some(Value::Array(written))) => {
            given.iter().enumerate().map(|(index, value)| lost(value, written.get(index))).sum()
        }
        (Value::Null, _) => 0,
        (Value::Object(given), None) if !given.is_empty() => given.values().map(|value| lost(value, None)).sum(),
        (Value::Array(given), None) if !given.is_empty() => given.iter().map(|value| lost(value, None)).sum(),
        (_, written) => usize::from(written.is_none()),
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

    /// A union of three objects: `{a, inner: {x}}`, `{a, inner: {x, y}}` and `{a, b}`; no member is demanded.
    #[derive(Debug, PartialEq)]
    struct Three(&'static str, Value);

    impl Three {
        fn kept(name: &'static str, members: &[&str], inner: &[&str], value: &Value) -> Result<Self, DecodeError> {
            let Some(object) = value.as_object() else { return Err(DecodeError::mismatch("an object", value)) };
            let mut object = object.clone();
            object.retain(|member, _| members.contains(&member.as_str()));
            if let Some(Value::Object(object)) = object.get_mut("inner") {
                object.retain(|member, _| inner.contains(&member.as_str()));
            }
            Ok(Self(name, Value::Object(object)))
        }
    }

    impl Wire for Three {
        fn encode(&self) -> Result<Value, EncodeError> {
            Ok(self.1.clone())
        }

        fn decode(value: &Value) -> Result<Self, DecodeError> {
            let mut branches = UnionReader::new("Three", value);
            let candidates = [
                Candidate {
                    name: "X",
                    declared: &["a", "inner"],
                    read: |value| Self::kept("X", &["a", "inner"], &["x"], value),
                },
                Candidate {
                    name: "Xy",
                    declared: &["a", "inner"],
                    read: |value| Self::kept("Xy", &["a", "inner"], &["x", "y"], value),
                },
                Candidate { name: "B", declared: &["a", "b"], read: |value| Self::kept("B", &["a", "b"], &[], value) },
            ];
            branches.keeping_most(&candidates).ok_or_else(|| branches.failed())
        }
    }

    #[test]
    fn of_branches_that_read_a_value_the_one_that_keeps_most_of_it_is_taken() {
        let taken = |value: Value| Three::decode(&value).unwrap().0;
        assert_eq!(taken(json!({"a": 1, "b": 2})), "B");
        assert_eq!(taken(json!({"a": 1, "inner": {"x": 1}})), "X");
        assert_eq!(taken(json!({"a": 1, "inner": {"x": 1, "y": 2}})), "Xy");
        assert_eq!(taken(json!({"a": 1, "new": 0, "inner": {"x": 1, "y": 2}})), "Xy");
        assert_eq!(taken(json!({"a": 1, "new": 0, "b": null})), "B");
        assert_eq!(taken(json!({"a": 1, "new": {"p": 1, "q": [1, 2]}, "b": 3})), "B");
        assert_eq!(taken(json!({})), "X");
        assert!(Three::decode(&json!([])).is_err());
    }

    #[test]
    fn what_is_lost_is_counted_in_values() {
        let given = json!({"a": [1, {"b": {}, "c": null}], "d": {"e": 1, "f": 2}, "g": []});
        assert_eq!(lost(&given, Some(&given)), 0);
        assert_eq!(lost(&given, Some(&json!({"a": [1, {}]}))), 4);
        assert_eq!(lost(&given, None), 5);
        assert_eq!(lost(&json!("1"), Some(&json!(1))), 0);
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
