use super::context::Lowering;
use crate::model::Docs;
use crate::resolve::{Node, describe};

impl<'a> Lowering<'a> {
    /// `summary`, `description`, `deprecated` of anything that is no schema.
    pub(super) fn docs(&mut self, node: &Node<'a>) -> Docs {
        Docs {
            summary: self.prose(node, "summary"),
            description: self.prose(node, "description"),
            deprecated: node.flag("deprecated", &mut self.findings).unwrap_or(false),
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
