//! Diagnostics as SARIF 2.1.0, which code review reads (GitHub's code scanning, for one).

use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::messages::{self, Explained};
use super::{Located, Location, Severity};

/// What a path cannot have in a URI as it stands.
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b':');

/// One run with all its diagnostics. Each code is a rule with its explanation.
#[must_use]
pub fn sarif(found: &[Located]) -> Value {
    let mut codes: Vec<&str> = found.iter().map(|one| &*one.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results: Vec<Value> = found.iter().map(|one| result(one, &codes)).collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cofferdam",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": codes.iter().map(|code| rule(code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: &str) -> Value {
    let (short, help) = match messages::find(code) {
        Ok(Explained::Message(message)) => (message.means, message.remedy),
        Ok(Explained::Rule(rule, advice)) => (rule.rule, advice.map_or(rule.how, |advice| advice.remedy)),
        Err(_) => return json!({ "id": code }),
    };
    json!({ "id": code, "shortDescription": { "text": short }, "help": { "text": help } })
}

fn result(one: &Located, codes: &[&str]) -> Value {
    let level = match one.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let help = one.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let mut result = Map::new();
    result.insert("ruleId".into(), json!(one.code));
    if let Ok(index) = codes.binary_search(&&*one.code) {
        result.insert("ruleIndex".into(), json!(index));
    }
    result.insert("level".into(), json!(level));
    result.insert("message".into(), json!({ "text": format!("{}{help}", one.message) }));
    if let Some(location) = one.location.as_ref().filter(|location| !location.file.is_empty()) {
        result.insert("locations".into(), json!([self::location(location)]));
    }
    Value::Object(result)
}

fn location(location: &Location) -> Value {
    let mut physical = Map::new();
    physical.insert("artifactLocation".into(), json!({ "uri": uri(&location.file) }));
    if let Some(position) = location.position() {
        physical.insert("region".into(), json!({ "startLine": position.line, "startColumn": position.col.max(1) }));
    }
    let mut place = Map::new();
    place.insert("physicalLocation".into(), Value::Object(physical));
    if !location.pointer.is_empty() {
        place.insert("logicalLocations".into(), json!([{ "fullyQualifiedName": location.pointer }]));
    }
    Value::Object(place)
}

/// A relative path as a relative reference, an absolute one as a `file:` URI.
fn uri(file: &str) -> String {
    let file = file.strip_prefix("./").unwrap_or(file).replace('\\', "/");
    let path = utf8_percent_encode(&file, RESERVED);
    match Path::new(&file).is_absolute() {
        true if file.starts_with('/') => format!("file://{path}"),
        true => format!("file:///{path}"),
        false => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Vec<Located> {
        let place =
            |line, pointer: &str| Location { file: "specs/a b.yaml".into(), line, col: line, pointer: pointer.into() };
        let one = |severity, code: &'static str, location| Located {
            severity,
            code: code.into(),
            message: "m".into(),
            location,
            help: Some("h".into()),
        };
        vec![
            one(Severity::Error, "CD-REF-MISSING", Some(place(3, "/a"))),
            one(Severity::Note, "CD-XML", Some(place(0, ""))),
            one(Severity::Warning, "R-RES-TO-1", None),
        ]
    }

    #[test]
    fn a_run_has_what_sarif_requires() {
        let log = sarif(&found());
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "cofferdam");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(rules[index]["shortDescription"]["text"].as_str().is_some_and(|text| text.len() > 10));
            assert_eq!(result["message"]["text"], "m\nh");
        }
        assert_eq!(run["results"][0]["level"], "error");
    }

    #[test]
    fn places_are_uris_with_a_region_where_the_line_is_known() {
        let log = sarif(&found());
        let results = &log["runs"][0]["results"];
        let place = &results[0]["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "specs/a%20b.yaml");
        assert_eq!(place["physicalLocation"]["region"], json!({ "startLine": 3, "startColumn": 3 }));
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "/a");
        assert_eq!(results[1]["locations"][0]["physicalLocation"].get("region"), None);
        assert_eq!(results[2].get("locations"), None);
        assert_eq!(uri("./a#b.yaml"), "a%23b.yaml");
        #[cfg(unix)]
        assert_eq!(uri("/x/y.yaml"), "file:///x/y.yaml");
    }
}
