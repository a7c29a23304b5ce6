use serde_json::{Map, Value};

use super::context::Lowering;
use crate::model::Docs;
use crate::resolve::{Node, wrong_type};

/// What `info` says.
#[derive(Default)]
pub(super) struct Info {
    pub(super) title: String,
    pub(super) version: String,
    pub(super) docs: Docs,
}

impl<'a> Lowering<'a> {
    /// Reads `info`. A missing one is told, and is no reason to stop.
    pub(super) fn info(&mut self, root: &Node<'a>) -> Info {
        let Some(node) = root.get("info") else {
            self.findings.warning("CD-INFO", &root.origin, "the document has no `info`", "add `title` and `version`");
            return Info::default();
        };
        let Some(map) = node.object(&mut self.findings) else { return Info::default() };
        // Contact and licence are not carried, so that a fault in them is no fault here.
        let texts = self.texts_of(&node, map, &["title", "version", "description", "termsOfService"]);
        match serde_json::from_value::<openapiv3::Info>(Value::Object(texts)) {
            Ok(info) => {
                let summary = node.text("summary", &mut self.findings).map(str::to_owned);
                let docs = Docs { summary, description: info.description, deprecated: false };
                Info { title: info.title, version: info.version, docs }
            }
            Err(error) => {
                self.findings.warning("CD-INFO", &node.origin, format!("`info` is incomplete: {error}"), "");
                let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
                Info { title: text("title"), version: text("version"), docs: Docs::default() }
            }
        }
    }

    /// Some members of an object as texts. YAML reads `1.0` and `443` as numbers where text is meant.
    pub(super) fn texts_of(
        &mut self,
        node: &Node<'a>,
        map: &'a Map<String, Value>,
        keys: &[&str],
    ) -> Map<String, Value> {
        let mut texts = Map::new();
        for key in keys {
            let text = match map.get(*key) {
                None | Some(Value::Null) => continue,
                Some(Value::String(text)) => text.clone(),
                Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                    let message = format!("`{key}` is not text: it is read as \"{value}\"");
                    self.findings.count("CD-TEXT", &node.at(key), message, "put it in quotes");
                    value.to_string()
                }
                Some(other) => {
                    wrong_type(&node.at(key), "a string", other, &mut self.findings);
                    continue;
                }
            };
            texts.insert((*key).to_owned(), Value::String(text));
        }
        texts
    }
}
