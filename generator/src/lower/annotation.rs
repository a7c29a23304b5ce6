use super::context::Lowering;
use crate::model::Docs;
use crate::resolve::{Node, describe};

/// Members that only tell people something.
const DOCUMENTING: [&str; 6] = ["$ref", "summary", "description", "example", "examples", "externalDocs"];

impl<'a> Lowering<'a> {
    /// `summary`, `description`, `deprecated` of anything that is no schema.
    pub(super) fn docs(&mut self, node: &Node<'a>) -> Docs {
        Docs {
            summary: self.prose(node, "summary"),
            description: self.prose(node, "description"),
            deprecated: node.flag("deprecated", &mut self.findings).unwrap_or(false),
        }
    }

    /// Tells of members that nobody knows. Those that only document, and extensions, pass in silence.
    pub(super) fn survey(&mut self, node: &Node<'a>, what: &str, known: &[&str]) {
        let Some(map) = node.value.as_object() else { return };
        for key in map.keys() {
            let passes = key.starts_with("x-") || DOCUMENTING.contains(&key.as_str()) || known.contains(&key.as_str());
            if !passes {
                let message = format!("`{key}` of {what} has no effect");
                self.findings.count("CD-UNKNOWN-KEYWORD", &node.at(key), message, "");
            }
        }
    }

    /// Text for people. A number or boolean that YAML made of it is text all the same.
    pub(super) fn prose(&mut self, node: &Node<'a>, key: &str) -> Option<String> {
        let member = node.get(key)?;
        match member.value {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Number(_) | serde_json::Value::Bool(_) => Some(member.value.to_string()),
            other => {
                let message = format!("`{key}` is {} where text is expected: it is left out", describe(other));
                self.findings.count_warning("CD-PROSE", &member.origin, message, "");
                None
            }
        }
    }
}
