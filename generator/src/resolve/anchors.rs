use std::collections::HashMap;

use serde_json::Value;

use super::pointer;

/// The `$anchor`s and `$id`s of one file.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    /// Pointers by anchor name.
    names: HashMap<String, String>,
    /// Pointers by `$id` as written.
    ids: HashMap<String, String>,
}

impl Anchors {
    /// Finds them all. Iterative: a document may be nested as deep as its parser allows.
    pub(crate) fn collect(root: &Value) -> Self {
        let mut anchors = Self::default();
        let mut open = vec![(String::new(), root)];
        while let Some((at, value)) = open.pop() {
            match value {
                Value::Object(map) => {
                    for (key, value) in map {
                        anchors.note(key, value, &at);
                        if holds_values(value) && !is_data(key) {
                            open.push((pointer::join(&at, key), value));
                        }
                    }
                }
                Value::Array(items) => {
                    for (index, item) in items.iter().enumerate().filter(|(_, item)| holds_values(item)) {
                        open.push((pointer::join(&at, &index.to_string()), item));
                    }
                }
                _ => {}
            }
        }
        anchors
    }

    fn note(&mut self, key: &str, value: &Value, at: &str) {
        let Value::String(text) = value else { return };
        match key {
            "$anchor" | "$dynamicAnchor" => {
                self.names.entry(text.clone()).or_insert_with(|| at.to_owned());
            }
            "$id" | "$self" => {
                let id = text.strip_suffix('#').unwrap_or(text);
                self.ids.entry(id.to_owned()).or_insert_with(|| at.to_owned());
            }
            _ => {}
        }
    }

    pub(crate) fn anchor(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    pub(crate) fn id(&self, id: &str) -> Option<&str> {
        self.ids.get(id).map(String::as_str)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }
}

fn holds_values(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}

/// Keys whose value is an instance, not a schema: an `$id` in there means nothing.
fn is_data(key: &str) -> bool {
    matches!(key, "example" | "examples" | "default" | "enum" | "const")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn anchors_and_ids_are_found_but_not_in_examples() {
        let root = json!({
            "components": {"schemas": {"A": {"$anchor": "a", "$id": "https://x.test/a"}}},
            "example": {"$anchor": "not-one"},
        });
        let anchors = Anchors::collect(&root);
        assert_eq!(anchors.anchor("a"), Some("/components/schemas/A"));
        assert_eq!(anchors.id("https://x.test/a"), Some("/components/schemas/A"));
        assert_eq!(anchors.anchor("not-one"), None);
    }
}
