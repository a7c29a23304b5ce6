use serde::Deserialize;
use serde_json::{Map, Value};

use super::{findings::Findings, pointer};
use crate::model::Origin;

/// A value of a document, and where it is written.
///
/// The accessors tell a wrong type at its own pointer and then act as if the value were absent. A member that is `null`
/// counts as absent, because that is what a YAML key without a value reads as.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a> {
    pub(crate) value: &'a Value,
    pub(crate) origin: Origin,
}

impl<'a> Node<'a> {
    pub(crate) fn new(file: usize, pointer: impl Into<String>, value: &'a Value) -> Self {
        Self { value, origin: Origin { file, pointer: pointer.into() } }
    }

    /// A member, `null` included.
    pub(crate) fn raw(&self, key: &str) -> Option<Node<'a>> {
        match self.value {
            Value::Object(map) => Some(self.child(key, map.get(key)?)),
            Value::Array(items) => {
                let index = key.parse::<usize>().ok()?;
                Some(self.child(&index.to_string(), items.get(index)?))
            }
            _ => None,
        }
    }

    /// A member that has a value.
    pub(crate) fn get(&self, key: &str) -> Option<Node<'a>> {
        self.raw(key).filter(|member| !member.value.is_null())
    }

    pub(crate) fn child(&self, key: &str, value: &'a Value) -> Node<'a> {
        Node { value, origin: self.at(key) }
    }

    /// The place of a member, present or not.
    pub(crate) fn at(&self, key: &str) -> Origin {
        Origin { file: self.origin.file, pointer: pointer::join(&self.origin.pointer, key) }
    }

    /// The value as an object.
    pub(crate) fn object(&self, findings: &mut Findings<'_>) -> Option<&'a Map<String, Value>> {
        match self.value {
            Value::Object(map) => Some(map),
            other => {
                wrong_type(&self.origin, "an object", other, findings);
                None
            }
        }
    }

    /// A member that must be text.
    pub(crate) fn text(&self, key: &str, findings: &mut Findings<'_>) -> Option<&'a str> {
        let member = self.member(key)?;
        match member {
            Value::String(text) => Some(text),
            other => {
                wrong_type(&self.at(key), "a string", other, findings);
                None
            }
        }
    }

    /// A member that must be `true` or `false`; absent is `None`.
    pub(crate) fn flag(&self, key: &str, findings: &mut Findings<'_>) -> Option<bool> {
        match self.member(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) if matches!(text.as_str(), "true" | "false") => {
                let message = format!("`{key}` is text: it is read as {text}");
                findings.count("CD-FLAG", &self.at(key), message, "take the quotes away");
                Some(text == "true")
            }
            other => {
                wrong_type(&self.at(key), "`true` or `false`", other, findings);
                None
            }
        }
    }

    /// The items of a member that must be an array; none when it is absent.
    pub(crate) fn list(&self, key: &str, findings: &mut Findings<'_>) -> Vec<Node<'a>> {
        let Some(member) = self.get(key) else { return Vec::new() };
        match member.value {
            Value::Array(items) => {
                items.iter().enumerate().map(|(index, item)| member.child(&index.to_string(), item)).collect()
            }
            other => {
                wrong_type(&member.origin, "an array", other, findings);
                Vec::new()
            }
        }
    }

    /// The texts of a member that must be an array of them.
    pub(crate) fn texts(&self, key: &str, findings: &mut Findings<'_>) -> Vec<&'a str> {
        let mut texts = Vec::new();
        for item in self.list(key, findings) {
            match item.value {
                Value::String(text) => texts.push(text.as_str()),
                other => wrong_type(&item.origin, "a string", other, findings),
            }
        }
        texts
    }

    /// The members of a member that must be an object; none when it is absent.
    pub(crate) fn entries(&self, key: &str, findings: &mut Findings<'_>) -> Vec<(&'a str, Node<'a>)> {
        match self.get(key) {
            Some(member) => member.members(findings),
            None => Vec::new(),
        }
    }

    /// The members of a value that must be an object.
    pub(crate) fn members(&self, findings: &mut Findings<'_>) -> Vec<(&'a str, Node<'a>)> {
        match self.object(findings) {
            Some(map) => map.iter().map(|(key, value)| (key.as_str(), self.child(key, value))).collect(),
            None => Vec::new(),
        }
    }

    /// Reads the value as one of `openapiv3`'s types.
    pub(crate) fn typed<T: Deserialize<'a>>(&self, what: &str, findings: &mut Findings<'_>) -> Option<T> {
        match T::deserialize(self.value) {
            Ok(read) => Some(read),
            Err(error) => {
                findings.error("CD-TYPE", &self.origin, format!("this is not {what}: {error}"), "");
                None
            }
        }
    }

    fn member(&self, key: &str) -> Option<&'a Value> {
        match self.value {
            Value::Object(map) => map.get(key).filter(|value| !value.is_null()),
            _ => None,
        }
    }
}

/// Tells that a value has the wrong type.
pub(crate) fn wrong_type(at: &Origin, expected: &str, found: &Value, findings: &mut Findings<'_>) {
    let key = pointer::last(&at.pointer).map(|key| format!("`{key}`: ")).unwrap_or_default();
    findings.error("CD-TYPE", at, format!("{key}expected {expected}, found {}", describe(found)), "");
}

/// What kind of value it is, in words.
pub(crate) fn describe(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::Report;

    #[test]
    fn a_wrong_type_is_told_at_its_own_pointer() {
        let value = json!({"tags": "async", "a/b": {"deprecated": "yes"}});
        let node = Node::new(0, "/paths/x", &value);
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        assert!(node.list("tags", &mut findings).is_empty());
        assert_eq!(node.get("a/b").unwrap().flag("deprecated", &mut findings), None);
        let [tags, flag] = report.diagnostics() else { panic!("{report:?}") };
        assert_eq!(tags.message, "`tags`: expected an array, found a string");
        assert_eq!(tags.origin.as_ref().unwrap().pointer, "/paths/x/tags");
        assert_eq!(flag.origin.as_ref().unwrap().pointer, "/paths/x/a~1b/deprecated");
    }

    #[test]
    fn null_counts_as_absent() {
        let value = json!({"description": null, "tags": null});
        let node = Node::new(0, "", &value);
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        assert_eq!(node.text("description", &mut findings), None);
        assert!(node.list("tags", &mut findings).is_empty());
        assert!(report.diagnostics().is_empty());
    }
}
