use cofferdam::contract::Tally;
use serde_json::json;

use crate::given::{files, pointers, schemas};

#[test]
fn examples_are_found_wherever_a_document_may_give_them() {
    let mut planned = files(&[(
        "root.yaml",
        r##"openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /pets/{id}:
    put:
      operationId: putPet
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, example: 7}}
        - {name: tag, in: query, schema: {type: string, default: cat}, example: dog}
        - name: filter
          in: query
          examples: {one: {value: [a]}, two: {$ref: '#/components/examples/Two'}}
          content: {application/json: {example: [b], schema: {type: array, items: {type: string}}}}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Pet'}
            examples: {rex: {value: {name: Rex}}}
      responses:
        '200':
          description: ok
          headers: {X-Left: {schema: {type: integer}, example: 3}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, example: {name: Tom}}}
components:
  examples: {Two: {value: [c, d]}}
  schemas:
    Pet:
      type: object
      required: [name]
      examples: [{name: Ann}, {name: Bob}]
      properties:
        name: {type: string, example: Cid}
        owner: {allOf: [{$ref: '#/components/schemas/Owner'}, {description: his, example: {phone: '1'}}]}
        food: {anyOf: [{type: string, example: fish}, {type: integer, default: 1}]}
    Owner: {type: object, properties: {phone: {type: string}}, default: {}}
"##,
    )]);
    let (contract, told) = planned.contract();
    let mut found = pointers(&contract.examples);
    found.sort();
    let put = "/paths/~1pets~1{id}/put";
    let mut expected = [
        "/Owner/default",
        "/Pet/examples/0",
        "/Pet/examples/1",
        "/Pet/properties/food/anyOf/0/example",
        "/Pet/properties/food/anyOf/1/default",
        "/Pet/properties/name/example",
        "/Pet/properties/owner/allOf/1/example",
        "/components/examples/Two/value",
        &format!("{put}/parameters/0/schema/example"),
        &format!("{put}/parameters/1/example"),
        &format!("{put}/parameters/1/schema/default"),
        &format!("{put}/parameters/2/content/application~1json/example"),
        &format!("{put}/parameters/2/examples/one/value"),
        &format!("{put}/requestBody/content/application~1json/examples/rex/value"),
        &format!("{put}/responses/200/content/application~1json/example"),
        &format!("{put}/responses/200/headers/X-Left/example"),
    ]
    .map(str::to_owned);
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(
        told,
        [
            ": 16 examples and defaults: 16 tested, of which 0 break a bound of their schema; 0 contradict their schema; \
          0 describe what has no type"
        ]
    );
}

#[test]
fn what_is_not_written_back_as_it_was_is_known_beforehand() {
    let mut planned = files(&[(
        "root.yaml",
        r##"openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    post:
      operationId: a
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Sent'}}}}
      responses: {'204': {description: done}}
components:
  schemas:
    Sent:
      type: object
      properties:
        id: {type: string, readOnly: true}
        at: {type: string, format: date-time}
        key: {type: string, format: uuid}
        inner: {type: object, properties: {a: {type: integer}}}
        ratio: {type: number, format: float}
      example:
        id: x
        at: '2024-01-02T03:04:05+00:00'
        key: 3FA85F64-5717-4562-B3FC-2C963F66AFA6
        inner: {a: 1.0, unknown: 2}
        ratio: 0.5
        other: 1
"##,
    )]);
    let (contract, _) = planned.contract();
    let [only] = contract.examples.as_slice() else { panic!("{contract:?}") };
    assert_eq!(only.dropped, ["/id", "/inner/unknown", "/other"]);
    assert_eq!(
        only.respelt,
        [
            ("/at".to_owned(), json!("2024-01-02T03:04:05Z")),
            ("/key".to_owned(), json!("3fa85f64-5717-4562-b3fc-2c963f66afa6")),
        ]
    );
}

#[test]
fn a_branch_of_a_union_is_found_by_its_tag_or_by_what_fits_best() {
    let mut planned = schemas(
        "3.1.0",
        "Shape:
  oneOf: [{$ref: '#/components/schemas/Disc'}, {$ref: '#/components/schemas/Slab'}]
  discriminator: {propertyName: kind, mapping: {disc: '#/components/schemas/Disc', slab: '#/components/schemas/Slab'}}
  examples: [{kind: slab, side: 2, odd: true}]
Disc: {type: object, properties: {radius: {type: number}}}
Slab: {type: object, properties: {side: {type: number}}}
Free:
  oneOf: [{$ref: '#/components/schemas/Disc'}, {$ref: '#/components/schemas/Slab'}]
  examples: [{side: 2}]
",
    );
    let (contract, told) = planned.contract();
    let dropped: Vec<_> = contract.examples.iter().map(|example| example.dropped.clone()).collect();
    assert_eq!(dropped, [vec!["/odd".to_owned()], Vec::new()], "{told:?}");
}

#[test]
fn a_shared_example_is_tested_with_every_type_it_is_one_of() {
    let mut planned = files(&[(
        "root.yaml",
        r##"openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {
    schema: {type: array, items: {type: string}}, examples: {e: {$ref: '#/components/examples/E'}}}}}}}}
  /b: {get: {operationId: b, responses: {'200': {description: ok, content: {application/json: {
    schema: {type: array, items: {type: integer}}, examples: {e: {$ref: '#/components/examples/E'}}}}}}}}
components: {examples: {E: {value: [x]}}}
"##,
    )]);
    let (contract, told) = planned.contract();
    assert_eq!(pointers(&contract.examples), ["/components/examples/E/value"]);
    assert_eq!(
        told[0],
        "/components/examples/E/value: this example contradicts the schema at /paths/~1b/get/responses/200/content/\
         application~1json, and is not tested: at /0, expected a 64-bit integer, found \"x\""
    );
}

#[test]
fn what_has_no_type_is_counted_and_nothing_is_no_example() {
    let mut planned = files(&[(
        "root.yaml",
        r##"openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    post:
      operationId: a
      requestBody:
        content:
          text/plain: {schema: {type: string}, example: words}
          application/json: {schema: {type: object}, examples: {far: {externalValue: https://example.com/x.json}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: string}, example: null}}}}
"##,
    )]);
    let (contract, _) = planned.contract();
    assert_eq!(contract.tally, Tally { untyped: 2, ..Tally::default() });
}

#[test]
fn only_what_is_emitted_is_tested() {
    let object = "{type: object, properties: {a: {type: string}}, example: {a: b}}";
    let mut planned = schemas("3.0.3", &format!("Used: {object}\nUnused: {object}\n"));
    let unused = planned.plan.names.types.iter().position(|name| name == "Unused").unwrap();
    planned.plan.reached[unused] = false;
    let (contract, _) = planned.contract();
    assert_eq!(pointers(&contract.examples), ["/Used/example"]);
}

#[test]
fn the_branch_that_keeps_most_is_expected_whatever_bounds_it_has() {
    let mut planned = schemas(
        "3.0.3",
        "Address:
  oneOf:
    - {type: object, required: [state], properties: {state: {type: string, maxLength: 2}, moved: {type: boolean}}}
    - {type: object, required: [state], properties: {state: {type: string}}}
  example: {state: Ontario, moved: false}
",
    );
    let (contract, told) = planned.contract();
    assert_eq!(contract.examples[0].dropped, Vec::<String>::new());
    assert_eq!(told.len(), 1, "it is one of the alternatives: {told:?}");
}

#[test]
fn what_is_several_alternatives_at_once_is_told_of_and_tested_as_one_of_them() {
    let mut planned = schemas(
        "3.0.3",
        "Fruit:
  anyOf:
    - {type: object, required: [kind], properties: {kind: {type: string}}}
    - {type: object, required: [length], properties: {length: {type: integer}}}
  example: {kind: long, length: 3}
",
    );
    let (contract, told) = planned.contract();
    assert_eq!(contract.examples[0].dropped, ["/length"]);
    assert!(
        told[0].ends_with("at /length, it is several alternatives at once and written back as one of them, which does not declare this"),
        "{told:?}"
    );
}
