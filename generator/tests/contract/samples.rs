use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::given::{files, open, schemas};

#[test]
fn a_sample_is_made_of_what_the_document_gives() {
    let mut planned = schemas(
        "3.0.3",
        "Pet:
  type: object
  required: [name]
  properties:
    id: {type: integer, readOnly: true, example: 9}
    name: {type: string, example: Rex}
    size: {type: string, default: small}
    wrong: {type: integer, example: many}
Whole: {type: object, properties: {a: {type: string}, id: {type: integer, readOnly: true}}, example: {a: b, id: 3}}
",
    );
    assert_eq!(planned.body("postPet"), json!({"name": "Rex", "size": "small", "wrong": 1}));
    // Only replies have an id.
    assert_eq!(planned.body("postWhole"), json!({"a": "b"}));
}

#[test]
fn a_sample_keeps_to_the_bounds_of_its_schema() {
    let mut planned = schemas(
        "3.1.0",
        r"Bounds:
  type: object
  properties:
    code: {type: string, pattern: '^[A-Z]{2}-\d{3,}$', minLength: 8}
    long: {type: string, minLength: 12}
    short: {type: string, maxLength: 2}
    mail: {type: string, format: email}
    when: {type: string, format: date-time}
    key: {type: string, format: uuid}
    least: {type: integer, minimum: 5}
    most: {type: integer, exclusiveMaximum: 0}
    step: {type: number, multipleOf: 0.25, minimum: 2.1}
    word: {enum: [null, low, high]}
    fixed: {const: [1]}
    pair: {type: array, items: {type: string}, minItems: 2, uniqueItems: true}
    none: {type: array, items: {type: string}, maxItems: 0}
    map: {type: object, additionalProperties: {type: integer, minimum: 2}}
    either: {oneOf: [{type: integer}, {type: string}]}
    any: {}
",
    );
    assert_eq!(
        planned.body("postBounds"),
        json!({
            "code": "AA-11111", "long": "texttttttttt", "short": "te", "mail": "someone@example.com",
            "when": "2024-01-02T03:04:05Z", "key": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "least": 5, "most": -1,
            "step": 2.25, "word": "low", "fixed": [1], "pair": ["text", "text1"], "none": [], "map": {"key": 2},
            "either": 1, "any": "text",
        })
    );
}

#[test]
fn a_branch_has_its_tag_and_is_taken_for_no_other() {
    let mut planned = schemas(
        "3.0.3",
        "Tagged:
  oneOf: [{$ref: '#/components/schemas/Disc'}, {$ref: '#/components/schemas/Slab'}]
  discriminator: {propertyName: kind, mapping: {round: '#/components/schemas/Disc', flat: '#/components/schemas/Slab'}}
Disc: {type: object, required: [kind], properties: {kind: {type: string}, radius: {type: number}}}
Slab: {type: object, properties: {side: {type: number}}}
Overlapping: {oneOf: [{$ref: '#/components/schemas/Slab'}, {$ref: '#/components/schemas/Needs'}]}
Needs: {type: object, required: [name], properties: {name: {type: string}, side: {type: string}}}
",
    );
    assert_eq!(planned.body("postTagged"), json!({"kind": "round", "radius": 1.5}));
    assert_eq!(planned.body("postOverlapping"), json!({"side": 1.5}));
}

#[test]
fn recursion_ends_and_what_nothing_finite_fits_has_no_sample() {
    let mut planned = schemas(
        "3.0.3",
        "Tree:
  type: object
  required: [name, children]
  properties:
    name: {type: string}
    parent: {$ref: '#/components/schemas/Tree'}
    children: {type: array, items: {$ref: '#/components/schemas/Tree'}}
Endless: {type: object, required: [next], properties: {next: {$ref: '#/components/schemas/Endless'}}}
",
    );
    assert_eq!(planned.body("postTree"), json!({"name": "text", "children": []}));
    assert_eq!(planned.samples()["postEndless"].bodies, [None]);
}

#[test]
fn parameters_have_samples_and_a_path_has_no_empty_piece() {
    let mut planned = files(&[(
        "root.yaml",
        "openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a/{id}:
    post:
      operationId: a
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, example: ''}
        - {name: limit, in: query, schema: {type: integer, maximum: 50}, example: 100}
        - {name: by, in: query, content: {application/json: {schema: {type: object}, example: {x: 1}}}}
      requestBody: {content: {text/plain: {example: words}, application/octet-stream: {}}}
      responses: {'204': {description: ok}}
",
    )]);
    let samples = &planned.samples()["a"];
    let expected = [json!("text"), json!(1), json!({"x": 1})].map(Some);
    assert_eq!(samples.parameters, expected);
    assert_eq!(samples.bodies, [Some(json!("words")), Some(json!("text"))]);
}

#[test]
fn the_same_document_gives_the_same_samples_and_every_case_has_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cases");
    let mut operations = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let Some(mut planned) = open(&path) else { continue };
        let samples = planned.samples();
        assert_eq!(samples, planned.samples());
        for (id, samples) in &samples {
            operations += 1;
            let all: Vec<&Option<Value>> = samples.parameters.iter().chain(&samples.bodies).collect();
            assert!(all.iter().all(|sample| sample.is_some()), "{} {id}: {samples:?}", path.display());
        }
    }
    assert!(operations > 40, "only {operations}");
}
