//! Documents that try to make the generator hang, fall over, or run out of stack.

use std::fmt::Write as _;
use std::path::Path;

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::lower::{LowerOptions, lower};
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
    for index in 0..1000 {
        let next = format!("#/components/schemas/S{}", index + 1);
        chain.insert(format!("S{index}"), json!({"$ref": next}));
        built
            .insert(format!("S{index}"), json!({"allOf": [{"$ref": next}, {"properties": {format!("p{index}"): {}}}]}));
    }
    chain.insert("S1000".to_owned(), json!({"type": "string"}));
    built.insert("S1000".to_owned(), json!({"type": "object", "properties": {"end": {}}}));
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
fn alternatives_that_come_round_end() {
    let single = |next: &str, own: &str| json!({"properties": {own: {}}, "oneOf": [{"$ref": format!("#/components/schemas/{next}")}]});
    assert!(lowered(&with_schemas(json!({"A": single("B", "a"), "B": single("C", "b"), "C": single("B", "c")}))).0);
    let pure = |next: &str| json!({"anyOf": [{"$ref": format!("#/components/schemas/{next}")}]});
    lowered(&with_schemas(json!({"A": single("B", "a"), "B": pure("C"), "C": pure("B")})));
    let mut chain = serde_json::Map::new();
    for index in 0..1000 {
        chain.insert(format!("S{index}"), single(&format!("S{}", index + 1), &format!("p{index}")));
    }
    chain.insert("S1000".to_owned(), json!({"type": "object", "properties": {"end": {}}}));
    let (_, remarks) = lowered(&with_schemas(Value::Object(chain)));
    assert!(remarks.contains("CD-TOO-DEEP"));
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

/// Numbers that only look random, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below.max(1)
    }
}

/// Documents made of the cases by moving parts to where they do not belong, removing some, and bending references.
/// `COFFERDAM_MUTATIONS` says how many of each, `COFFERDAM_MUTATED` of which file instead.
#[test]
fn mutated_documents_neither_panic_nor_hang() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cases");
    let rounds = std::env::var("COFFERDAM_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    if let Some(named) = std::env::var_os("COFFERDAM_MUTATED") {
        paths = vec![named.into()];
    }
    for path in paths {
        let mut report = Report::default();
        let Some(mut sources) = Sources::open_root(&path, &mut report) else { continue };
        let whole = sources.files[0].value.clone();
        let mut pointers = Vec::new();
        collect(&whole, String::new(), &mut pointers);
        for round in 0..rounds {
            sources.files.truncate(1);
            sources.files[0].value = mutate(&whole, &pointers, &mut Dice(round + 1));
            let started = std::time::Instant::now();
            lower(&mut sources, &LowerOptions::default(), &mut Report::default());
            assert!(started.elapsed().as_secs() < 60, "{} hangs in round {round}", path.display());
        }
    }
}

fn mutate(whole: &Value, pointers: &[String], dice: &mut Dice) -> Value {
    let mut mutated = whole.clone();
    for _ in 0..1 + dice.roll(4) {
        let at = &pointers[1 + dice.roll(pointers.len() - 1)];
        let from = &pointers[dice.roll(pointers.len())];
        let replacement = match dice.roll(4) {
            0 => json!({"$ref": format!("#{from}")}),
            1 => Value::Null,
            _ => whole.pointer(from).cloned().unwrap_or_default(),
        };
        if let Some(place) = mutated.pointer_mut(at) {
            *place = replacement;
        }
    }
    mutated
}
