//! The JSON Schema for editors: it has the keys that the loader has, and agrees with it on how values are written.

use std::fs;
use std::path::Path;

use cofferdam_runtime::settings::{Settings, SettingsFault, schema};
use jsonschema::Validator;
use serde_json::{Value, json};

fn file(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn validator() -> Validator {
    jsonschema::draft7::new(&schema()).unwrap()
}

fn complaints(validator: &Validator, yaml: &str) -> Vec<String> {
    let value: Value = serde_yaml::from_str(yaml).unwrap();
    validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// `BLESS=1 cargo test` writes it anew.
#[test]
fn the_schema_in_the_documentation_is_the_one_the_crate_gives() {
    let path = file("../docs/resilience.schema.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(fs::read_to_string(path).is_ok_and(|written| written == text), "write it anew by BLESS=1");
}

#[test]
fn good_files_are_good() {
    let validator = validator();
    let good = fs::read_to_string(file("tests/good-settings/resilience.yaml")).unwrap();
    assert_eq!(complaints(&validator, &good), [""; 0]);
    let docs = fs::read_to_string(file("../docs/settings.md")).unwrap();
    let example = docs.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(complaints(&validator, example), [""; 0]);
    for wrong in ["{}", "systems: {}", "systems: {a: {base-url: 1}}", "systems: {a: {retry: {max-atempts: 1}}}"] {
        assert!(!complaints(&validator, wrong).is_empty(), "{wrong}");
    }
}

/// Mappings of the schema, each with its path in a file and its keys.
fn mappings(schema: &Value, at: &Value, path: &str, found: &mut Vec<(String, Vec<String>)>) {
    let target = at["$ref"].as_str().map_or(at, |reference| schema.pointer(&reference[1..]).unwrap());
    if let Some(each) = target.get("additionalProperties").filter(|each| each.is_object()) {
        mappings(schema, each, &format!("{path}any."), found);
    } else if let Some(properties) = target["properties"].as_object() {
        found.push((path.to_owned(), properties.keys().cloned().collect()));
        for (key, value) in properties {
            mappings(schema, value, &format!("{path}{key}."), found);
        }
    }
}

fn all_mappings() -> Vec<(String, Vec<String>)> {
    let schema = schema();
    let mut found = Vec::new();
    mappings(&schema, &schema, "", &mut found);
    assert!(found.len() > 20, "{found:?}");
    found
}

/// A file in which this value stands behind this path.
fn nested(path: &str, value: &str) -> String {
    let keys: Vec<&str> = path.split('.').collect();
    let braces = "}".repeat(keys.len());
    format!("{{{}: {value}{braces}", keys.join(": {"))
}

fn faults(text: &str) -> Vec<SettingsFault> {
    Settings::parse(text, "x.yaml").map_or_else(|error| error.faults().to_vec(), |_| Vec::new())
}

/// What the loader knows in a mapping is told by the fault of a key that it does not know: no list here can go stale.
#[test]
fn the_schema_has_just_the_keys_that_the_loader_has() {
    for (path, mut keys) in all_mappings() {
        let faults = faults(&nested(&format!("{path}qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"), "1"));
        let known = faults.iter().find_map(|fault| fault.help.strip_prefix("known here: "));
        let known = known.unwrap_or_else(|| panic!("{path}: {faults:?}"));
        let mut known: Vec<String> = known.split(", ").map(str::to_owned).collect();
        known.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, known, "{path}");
    }
}

const SAMPLES: [&str; 44] = [
    "500ms",
    "100 ms",
    "1m 30s",
    "1.5s",
    "1h",
    "0",
    "\"0\"",
    "5",
    "\"5\"",
    "5 x",
    "50",
    "50 %",
    "12.5%",
    "101",
    "150 %",
    "0.2",
    "20 %",
    "1",
    "1.5",
    "-1",
    "-5s",
    "10 MiB",
    "4096",
    "1 PiB",
    "true",
    "false",
    "maybe",
    "\"\"",
    "~",
    "[]",
    "{}",
    "all",
    "open",
    "external",
    "retry-outside",
    "time-based",
    "release",
    "\"http://a.test\"",
    "\"https://a.test:8443/b\"",
    "\"https://a:b@a.test\"",
    "\"ftp://a.test\"",
    "X-Trace-Id",
    "GET /health",
    "99999999999",
];

/// What the loader takes is never marked in an editor, and what it cannot read always is.
#[test]
fn the_schema_agrees_with_the_loader_on_how_values_are_written() {
    let validator = validator();
    let schema = schema();
    let (mut seen, mut apart) = ((0, 0), Vec::new());
    for (path, keys) in all_mappings() {
        for key in keys {
            let path = format!("{path}{key}");
            let pointer = pointer(&schema, &path);
            let leaf = schema.pointer(&pointer).unwrap();
            if leaf.get("properties").is_some()
                || leaf.get("$ref").is_some()
                || leaf.get("additionalProperties").is_some()
            {
                continue;
            }
            if leaf.get("not").is_some() {
                continue; // It does not belong in a file, which is told for every value.
            }
            let leaf_validator = jsonschema::draft7::new(leaf).unwrap();
            for sample in SAMPLES {
                let faults: Vec<_> =
                    faults(&nested(&path, sample)).into_iter().filter(|fault| fault.key == path).collect();
                let unreadable = faults.iter().any(|fault| FORM.iter().any(|form| fault.message.contains(form)));
                let complaints = !leaf_validator.is_valid(&seen_as(leaf, sample));
                if !complaints && unreadable {
                    apart.push(format!("{path}: {sample} passes the schema and not the loader"));
                }
                if complaints && faults.is_empty() {
                    apart.push(format!("{path}: {sample} passes the loader and not the schema"));
                }
                if unreadable { seen.0 += 1 } else { seen.1 += 1 }
            }
        }
    }
    assert!(apart.is_empty(), "{}", apart.join("\n"));
    assert!(seen.0 > 500 && seen.1 > 200, "{seen:?}");
    let root = json!({ "systems": { "a": { "base-url": "https://a.test", "timeouts": null } } });
    assert!(validator.is_valid(&root), "a section with nothing in it is an empty one");
}

/// Messages about how a value is written; what it says is another matter.
const FORM: [&str; 3] = ["is not understood", "the value is missing", "a single value is expected"];

/// A value as the schema sees it. Where it wants text, so does the loader, to which `5` is text as well.
fn seen_as(leaf: &Value, sample: &str) -> Value {
    let value: Value = serde_yaml::from_str(sample).unwrap();
    let is_text = leaf["type"] == "string" && (value.is_number() || value.is_boolean());
    if is_text { sample.into() } else { value }
}

/// Where the schema describes a key of a file.
fn pointer(schema: &Value, path: &str) -> String {
    let mut pointer = String::new();
    for key in path.split('.') {
        if let Some(reference) = schema.pointer(&pointer).and_then(|at| at["$ref"].as_str()) {
            pointer = reference[1..].to_owned();
        }
        let at = schema.pointer(&pointer).unwrap();
        pointer += &match at.get("additionalProperties").filter(|each| each.is_object()) {
            Some(_) => "/additionalProperties".to_owned(),
            None => format!("/properties/{key}"),
        };
    }
    pointer
}
