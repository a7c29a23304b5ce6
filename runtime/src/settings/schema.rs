//! The JSON Schema of a settings file, for editors: what may stand where, how it is written, what it is for. Whether
//! values go together is for the loader to say.

use serde_json::{Map, Value, json};

use super::keys::{BUDGET, Key, OPERATION, OPERATION_TIMEOUTS, RETRY, SYSTEM, SYSTEM_SECTIONS, Section, Shape};

/// Keys of a system that cannot be the same for all of them.
const OWN: [&str; 2] = ["base-url", "code-base"];

/// The JSON Schema (draft 7) of `resilience.yaml`.
#[must_use]
pub fn schema() -> Value {
    let system = |own: bool| {
        let mut keys: Map<String, Value> =
            SYSTEM.iter().filter(|key| own || !OWN.contains(&key.name)).map(described).collect();
        keys.extend(SYSTEM_SECTIONS.iter().map(|section| mapping(section, None)));
        keys.extend([mapping(&RETRY, Some(mapping(&BUDGET, None)))]);
        if own {
            let says = "What differs for single operations, by operationId.";
            let each = json!({ "$ref": "#/definitions/operation" });
            let operations = json!({ "description": says, "type": ["object", "null"], "additionalProperties": each });
            keys.extend([("operations".to_owned(), operations)]);
        }
        object(keys)
    };
    let mut operation: Map<String, Value> = OPERATION.iter().map(described).collect();
    operation.extend([mapping(&OPERATION_TIMEOUTS, None), mapping(&RETRY, None)]);
    let systems = json!({
        "description": "One section a system, named as in cofferdam.toml.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": { "$ref": "#/definitions/system" },
    });
    let mut database_pool = Shape::Count.schema();
    describe(
        &mut database_pool,
        "Connections of the database's pool: those of all systems are at most half (R-RES-ISO-2).",
    );
    let mut root = object(Map::from_iter([
        ("database-pool".to_owned(), database_pool),
        ("defaults".to_owned(), json!({ "$ref": "#/definitions/defaults" })),
        ("systems".to_owned(), systems),
    ]));
    if let Some(root) = root.as_object_mut() {
        root.insert("$schema".into(), "http://json-schema.org/draft-07/schema#".into());
        root.insert("title".into(), "Run-time settings of external systems".into());
        root.insert("type".into(), "object".into());
        root.insert("required".into(), json!(["systems"]));
        let definitions = json!({ "defaults": system(false), "system": system(true), "operation": object(operation) });
        root.insert("definitions".into(), definitions);
    }
    root
}

/// A mapping with just these keys. `key:` with nothing after it is an empty one.
fn object(keys: Map<String, Value>) -> Value {
    json!({ "type": ["object", "null"], "properties": keys, "additionalProperties": false })
}

fn described<S>(key: &Key<S>) -> (String, Value) {
    let mut value = key.shape.schema();
    describe(&mut value, key.says);
    (key.name.to_owned(), value)
}

fn mapping<S>(section: &Section<S>, within: Option<(String, Value)>) -> (String, Value) {
    let mut keys: Map<String, Value> = section.keys.iter().map(described).collect();
    keys.extend(within);
    if section.reasoned {
        let says = "Why values depart from the usual ones.";
        keys.insert("reason".into(), json!({ "description": says, "type": "string", "pattern": "[^ ]" }));
    }
    let mut value = object(keys);
    describe(&mut value, section.says);
    (section.name.to_owned(), value)
}

fn describe(value: &mut Value, says: &str) {
    if let Some(value) = value.as_object_mut() {
        value.insert("description".into(), says.into());
    }
}
