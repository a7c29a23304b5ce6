use serde_json::Value;

use super::said::{children, members};
use super::{Said, Schemas};
use crate::resolve::Node;

/// A value that the document gives.
#[derive(Debug, Clone)]
pub(crate) enum Given<'a> {
    /// It stands in the document.
    Value(Node<'a>),
    /// It stands elsewhere, or in a form that is no JSON: this names it.
    Elsewhere(Node<'a>),
}

/// Members of an example object (OpenAPI's Example Object) that hold a value.
const HELD: [&str; 2] = ["value", "dataValue"];

impl<'a> Schemas<'a> {
    /// The values that something gives: `example`, `examples` and `default` of a schema; the first two of a media type, a
    /// parameter or a header.
    pub(crate) fn given(&self, node: &Node<'a>) -> Vec<Given<'a>> {
        let mut given: Vec<Given<'a>> = node.raw("example").map(Given::Value).into_iter().collect();
        if let Some(examples) = node.get("examples") {
            match examples.value {
                // Of a schema: values.
                Value::Array(_) => given.extend(children(node, "examples").into_iter().map(Given::Value)),
                // Of anything else: example objects by name.
                _ => given.extend(members(&examples).iter().filter_map(|example| self.held(example))),
            }
        }
        given.extend(node.raw("default").map(Given::Value));
        given
    }

    fn held(&self, example: &Node<'a>) -> Option<Given<'a>> {
        let example = self.peeled(example)?;
        if let Some(value) = HELD.iter().find_map(|key| example.raw(key)) {
            return Some(Given::Value(value));
        }
        let elsewhere = ["externalValue", "serializedValue"].iter().any(|key| example.get(key).is_some());
        elsewhere.then_some(Given::Elsewhere(example))
    }

    /// The values that the schemas of a value give, those nearest to it first.
    pub(super) fn given_by(&self, said: &Said<'a>) -> Vec<&'a Value> {
        let given = said.schemas().iter().flat_map(|schema| self.given(schema));
        let value = |given| match given {
            Given::Value(node) => Some(node.value),
            Given::Elsewhere(_) => None,
        };
        given.filter_map(value).collect()
    }
}
