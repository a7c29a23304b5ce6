//! Documents that try to make the generator hang, fall over, or run out of stack.

use std::fmt::Write as _;

use cofferdam::lower::LowerOptions;
use serde_json::{Value, json};

use crate::given::{document, files, schemas};

fn with_schemas(schemas: Value) -> String {
    json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}, "components": {"schemas": schemas}})
        .to_string()
}

fn lowered(document: &str) -> (bool, String) {
    let (api, report) = files(&[("root.json", document)], &LowerOptions::default());
    (api.is_some(), crate::outline::remarks(&report))
}

#[test]
fn deep_nesting_ends_in_an_error_or_a_model() {
    for keyword in ["items", "additionalProperties", "not"] {
        let mut schema = json!({"type": "string"});
        for _ in 0..60 {
            schema = json!({keyword: schema});
        }
        assert!(lowered(&with_schemas(json!({"Deep": schema}))).0, "{keyword}");
    }
    for list in ["allOf", "oneOf", "anyOf", "prefixItems"] {
        let mut schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        for _ in 0..40 {
            schema = json!({list: [schema], "properties": {"b": {"type": "string"}}});
        }
        lowered(&with_schemas(json!({"Deep": schema})));
    }
}

#[test]
fn long_chains_of_references_end() {
    let mut chain = serde_json::Map::new();
    let mut built = serde_json::Map::new();
    for index in 0..3000 {
        let next = format!("#/components/schemas/S{}", index + 1);
        chain.insert(format!("S{index}"), json!({"$ref": next}));
        built
            .insert(format!("S{index}"), json!({"allOf": [{"$ref": next}, {"properties": {format!("p{index}"): {}}}]}));
    }
    chain.insert("S3000".to_owned(), json!({"type": "string"}));
    built.insert("S3000".to_owned(), json!({"type": "object", "properties": {"end": {}}}));
    assert!(lowered(&with_schemas(Value::Object(chain))).0);
    let (fine, remarks) = lowered(&with_schemas(Value::Object(built)));
    assert!(!fine && remarks.contains("CD-TOO-DEEP"), "{}", remarks.chars().take(500).collect::<String>());
}

#[test]
fn unions_that_multiply_stay_small() {
    let mut schemas = serde_json::Map::new();
    for index in 0..12 {
        let branches: Vec<_> = (0..12).map(|other| json!({"$ref": format!("#/components/schemas/S{other}")})).collect();
        let properties = json!({format!("p{index}"): {"type": "string"}});
        schemas.insert(format!("S{index}"), json!({"type": "object", "properties": properties, "oneOf": branches}));
    }
    let (api, _) = files(&[("root.json", &with_schemas(Value::Object(schemas)))], &LowerOptions::default());
    assert!(api.is_none_or(|api| api.schemas.len() < 5_000));
}

#[test]
fn a_hundred_thousand_values_are_no_trouble() {
    let values: Vec<_> = (0..100_000).map(|value| format!("v{value}")).collect();
    let (fine, _) = lowered(&with_schemas(json!({"Large": {"type": "string", "enum": values}})));
    assert!(fine);
}

#[test]
fn every_part_of_a_document_may_be_of_the_wrong_type() {
    let whole = "
openapi: 3.1.0
info: {title: T, version: '1'}
servers: [{url: https://x.test, variables: {a: {default: b, enum: [b]}}}]
security: [{key: [a]}]
tags: [{name: a}]
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: a
      tags: [a]
      security: [{key: []}]
      servers: [{url: https://y.test}]
      parameters: [{name: q, in: query, style: form, explode: true, content: {application/json: {schema: {type: string}}}}]
      requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, properties: {f: {type: string}}}, encoding: {f: {contentType: a/b, headers: {}}}}}}
      responses: {'200': {description: ok, headers: {X-A: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}, links: {}}}
      callbacks: {cb: {'{$url}': {post: {requestBody: {content: {application/json: {schema: {type: string}}}}, responses: {}}}}}
webhooks: {w: {post: {requestBody: {content: {application/json: {schema: {type: string}}}}, responses: {}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X}, o: {type: oauth2, flows: {clientCredentials: {tokenUrl: x, scopes: {}}}}}
  schemas:
    A:
      oneOf: [{$ref: '#/components/schemas/B'}, {type: object, properties: {k: {const: x}}}]
      discriminator: {propertyName: k, mapping: {b: B}}
    B: {allOf: [{$ref: '#/components/schemas/C'}], type: object, required: [k], properties: {k: {type: string, enum: [b], x-enum-varnames: [B]}}, additionalProperties: {type: string}}
    C: {type: [object, 'null'], patternProperties: {a: {items: {type: integer, format: int32}}}, $defs: {D: {}}}
";
    let value: Value = serde_json::from_str(&yaml_to_json(whole)).unwrap();
    let mut pointers = Vec::new();
    collect(&value, String::new(), &mut pointers);
    assert!(pointers.len() > 140, "{}", pointers.len());
    let (fine, remarks) = lowered(&value.to_string());
    assert!(fine, "{remarks}");
    let odd =
        [json!(null), json!(true), json!(7), json!("odd"), json!([]), json!([[]]), json!({}), json!({"$ref": "#/a"})];
    for pointer in pointers {
        for replacement in &odd {
            let mut broken = value.clone();
            *broken.pointer_mut(&pointer).unwrap() = replacement.clone();
            lowered(&broken.to_string());
        }
    }
}

fn yaml_to_json(text: &str) -> String {
    let value: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
    serde_json::to_string(&value).unwrap()
}

fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    pointers.push(at.clone());
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), pointers);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let mut paths = String::new();
    for index in 0..20 {
        let _ = writeln!(
            paths,
            "  /p{index}: {{get: {{operationId: o{index}, responses: {{'200': {{$ref: '#/no/{index}'}}}}}}}}"
        );
    }
    let told = document(&format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}"));
    assert_eq!(told.matches("error [CD-REF-MISSING]").count(), 20, "{told}");
    let told = schemas("3.0.3", "A: {type: nonsense}\nB: {$ref: '#/components/schemas/Nope'}\n");
    assert_eq!(told.matches("error [").count(), 2, "{told}");
}
