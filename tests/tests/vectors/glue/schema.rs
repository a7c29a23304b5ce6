//! Schemas: a text read into the type of a component.

use serde_json::Value;

use crate::case::Case;
use crate::vector::{items, text};

/// A function from a component's name and a text to what became of it.
pub(crate) fn function(plan: &Value, case: &Case, vectors: &[Value]) -> String {
    let mut names: Vec<&str> = vectors
        .iter()
        .filter(|vector| text(vector, "kind") == "schema" && text(vector, "case") == case.name)
        .map(|vector| text(vector, "schema"))
        .collect();
    names.sort_unstable();
    names.dedup();
    let arms: String = names
        .iter()
        .filter_map(|name| {
            let pointer = format!("/components/schemas/{}", name.replace('~', "~0").replace('/', "~1"));
            // A pointer into another file is written whole.
            let is_it = |schema: &&Value| text(schema, "pointer") == pointer || text(schema, "pointer") == *name;
            let schema = items(plan, "schemas").find(is_it)?;
            Some(format!("{name:?} => said::schema::<{}>(given),\n", text(schema, "type")))
        })
        .collect();
    format!(
        "fn schema(name: &str, given: &str) -> Value {{\nmatch name {{ {arms} \
         other => json!({{ \"error\": \"no type\", \"message\": other }}), }}\n}}\n"
    )
}
