//! The views as JSON Schema.

use serde_json::{Map, Value, json};

use crate::project::Per;
use crate::render::templates::{BUILT_IN, schema};
use crate::view::{PageOperation, PageSchema, PageSystem, VIEW_VERSION};

/// What a template sees, by its name: a built-in one, an insertion point, or `project`, `system`, `tag`, `operation`
/// and `schema` for outputs of a team's own. Parts and points that stand in several templates see what these see.
#[must_use]
pub fn context(name: &str) -> Option<Value> {
    let per =
        [Per::Project, Per::System, Per::Tag, Per::Operation, Per::Schema].into_iter().find(|per| per.word() == name);
    match per {
        Some(per) => Some(of_page(per)),
        None => {
            let view = schema(name).or_else(|| schema(seen_at(name)?))?;
            Some(json!({ "type": "object", "required": ["view"], "properties": { "view": view.to_value() } }))
        }
    }
}

/// All of it.
#[must_use]
pub fn contexts() -> Value {
    let pages = ["project", "system", "tag", "operation", "schema"];
    let names = BUILT_IN.iter().map(|(name, _)| *name).chain(pages);
    let all: Map<String, Value> = names.filter_map(|name| Some((name.to_owned(), context(name)?))).collect();
    json!({ "view_version": VIEW_VERSION, "templates": all })
}

/// The template that a part or point stands in.
fn seen_at(name: &str) -> Option<&'static str> {
    let part = name.rsplit('/').next()?.split('-').next()?;
    Some(match (name, part) {
        ("stubs/parts-mappings.rs.jinja", _) | (_, "mapper") => "stubs/mapper.rs.jinja",
        ("stubs/parts-types.rs.jinja", _) | (_, "domain") => "stubs/domain.rs.jinja",
        (_, "adapter" | "method") => "generated/adapter.rs.jinja",
        (_, "manifest") => "crate/Cargo.toml.jinja",
        (_, "port") => "stubs/port.rs.jinja",
        (_, "root") => "generated/mod.rs.jinja",
        _ => return None,
    })
}

fn of_page(per: Per) -> Value {
    let mut properties = Map::new();
    let mut add = |name: &str, schema: Value| drop(properties.insert(name.to_owned(), schema));
    add("view_version", json!({ "type": "integer", "description": "The version of all views." }));
    add("version", json!({ "type": "string", "description": "The version of Cofferdam." }));
    let list = |schema: schemars::Schema| json!({ "type": "array", "items": schema.to_value() });
    match per {
        Per::Project => add("systems", list(schemars::schema_for!(PageSystem))),
        _ => add("system", schemars::schema_for!(PageSystem).to_value()),
    }
    match per {
        Per::Project | Per::System => {}
        Per::Tag => {
            add("tag", json!({ "type": "string", "description": "The tag as the document has it." }));
            add("operations", list(schemars::schema_for!(PageOperation)));
        }
        Per::Operation => add("operation", schemars::schema_for!(PageOperation).to_value()),
        Per::Schema => add("schema", schemars::schema_for!(PageSchema).to_value()),
    }
    let required: Vec<&String> = properties.keys().collect();
    let view = json!({ "type": "object", "required": required, "properties": properties });
    json!({ "type": "object", "required": ["view"], "properties": { "view": view } })
}
