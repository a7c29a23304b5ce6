//! What OpenAPI 3.1 says in JSON Schema's words.

use insta::assert_snapshot;

use crate::given::{document, schemas};

#[test]
fn null_in_every_spelling() {
    assert_snapshot!(schemas("3.1.0", "
A: {type: string}
T:
  type: object
  properties:
    array: {type: [string, 'null']}
    any_of: {anyOf: [{type: integer}, {type: 'null'}]}
    one_of: {oneOf: [{const: null}, {$ref: '#/components/schemas/A'}]}
    enum: {enum: [a, null]}
    only: {type: 'null'}
    only_listed: {enum: [null]}
    nullable: {type: boolean, nullable: true}
"), @r#"
    A (0#/A)
      = text

    T (0#/T)
      "array"?: text | null
      "any_of"?: i64 | null
      "one_of"?: A | null
      "enum"?: T.enum | null
      "only"?: null
      "only_listed"?: null
      "nullable"?: bool | null

    T.enum | null (0#/T/properties/enum)
      "a"
    note [CD-NULLABLE-31] 0#/T/properties/nullable/nullable: `nullable` is a word of OpenAPI 3.0: it is honoured here all the same
        help: list 'null' in `type`
    "#);
}

#[test]
fn numeric_bounds_and_widths() {
    assert_snapshot!(schemas("3.1.0", "
T:
  type: object
  properties:
    above: {type: integer, exclusiveMinimum: 0}
    huge: {type: integer, maximum: 18446744073709551615}
    byte: {type: integer, format: uint8}
    odd: {type: integer, format: unix-time}
    odd2: {type: integer, format: unix-time}
    half: {type: number, format: float}
"), @r#"
    T (0#/T)
      "above"?: i64
      "huge"?: u64
      "byte"?: u8
      "odd"?: i64
      "odd2"?: i64
      "half"?: f32
    note [CD-CONSTRAINT] 0#/T/properties/above/exclusiveMinimum: `exclusiveMinimum` is not enforced: the API itself checks it
    note [CD-CONSTRAINT] 0#/T/properties/huge/maximum: `maximum` is not enforced: the API itself checks it
    note [CD-FORMAT] 0#/T/properties/odd/format: the format `unix-time` has no type of its own: the plain type is used (2 places: /T/properties/odd/format, /T/properties/odd2/format)
        help: map it in the project file to give it one
    "#);
}

#[test]
fn content_keywords() {
    assert_snapshot!(schemas("3.1.0", "
T:
  type: object
  properties:
    picture: {type: string, contentEncoding: base64, contentMediaType: image/png}
    raw: {type: string, contentMediaType: application/octet-stream}
    untyped: {contentMediaType: application/pdf}
    json: {type: string, contentMediaType: application/json, contentSchema: {type: object}}
"), @r#"
    T (0#/T)
      "picture"?: text/Base64
      "raw"?: bytes
      "untyped"?: bytes
      "json"?: text
    note [CD-CONSTRAINT] 0#/T/properties/json/contentSchema: `contentSchema` is not enforced: the API itself checks it
    note [CD-CONTENT] 0#/T/properties/json: this content encoding or media type has no type of its own: it is text as it is sent
    "#);
}

#[test]
fn tuples() {
    assert_snapshot!(schemas("3.1.0", "
Closed: {type: array, prefixItems: [{type: string}, {type: integer}], items: false}
ClosedByLength: {type: array, prefixItems: [{type: string}, {type: integer}], maxItems: 2}
Same: {type: array, prefixItems: [{type: number}, {type: number}], items: {type: number}}
Open: {type: array, prefixItems: [{type: string}, {type: integer}]}
Old: {type: array, items: [{type: string}, {type: boolean}], additionalItems: false}
"), @r"
    Closed (0#/Closed)
      = (text, i64)

    ClosedByLength (0#/ClosedByLength)
      = (text, i64)

    Same (0#/Same)
      = [f64]

    Open (0#/Open)
      = [any]

    Old (0#/Old)
      = (text, bool)
    note [CD-CONSTRAINT] 0#/ClosedByLength/maxItems: `maxItems` is not enforced: the API itself checks it
    note [CD-PREFIX-ITEMS] 0#/Open: a `prefixItems` that more items may follow is read as an array of any value
        help: close it with `items: false`
    ");
}

#[test]
fn siblings_of_a_reference() {
    assert_snapshot!(schemas("3.1.0", "
Size: {type: string, enum: [s, m, l], x-enum-varnames: [Small, Medium, Large], default: s}
Point: {type: object, required: [x], properties: {x: {type: integer}}}
T:
  type: object
  properties:
    documented: {$ref: '#/components/schemas/Size', description: local, deprecated: true}
    defaulted: {$ref: '#/components/schemas/Size', default: m}
    narrowed: {$ref: '#/components/schemas/Size', enum: [m, l]}
    pinned: {$ref: '#/components/schemas/Size', const: l}
    widened: {$ref: '#/components/schemas/Point', properties: {y: {type: integer}}, required: [y]}
"), @r#"
    Size (0#/Size)
      "s" Small
      "m" Medium
      "l" Large

    Point (0#/Point)
      "x": i64

    T (0#/T)
      "documented"?: Size = "s"
        // "local"
        deprecated
      "defaulted"?: Size = "m"
      "narrowed"?: T.narrowed = "s"
      "pinned"?: T.pinned = "s"
      "widened"?: T.widened

    T.narrowed (0#/T/properties/narrowed)
      "m" Medium
      "l" Large

    T.pinned (0#/T/properties/pinned)
      const "l"

    T.widened (0#/T/properties/widened)
      "x": i64
      "y": i64
    "#);
    // In 3.0 nothing beside a reference counts, except what everybody means by it.
    assert_snapshot!(schemas("3.0.3", "
Size: {type: string, enum: [s, m, l]}
T:
  type: object
  properties:
    documented: {$ref: '#/components/schemas/Size', description: local}
    narrowed: {$ref: '#/components/schemas/Size', enum: [m, l]}
    opened: {$ref: '#/components/schemas/Size', nullable: true}
"), @r#"
    Size (0#/Size)
      "s"
      "m"
      "l"

    T (0#/T)
      "documented"?: Size
        // "local"
      "narrowed"?: Size
      "opened"?: Size | null
    note [CD-REF-SIBLINGS] 0#/T/properties/narrowed: what stands beside `$ref` has no effect in OpenAPI 3.0
        help: wrap the reference in `allOf`
    "#);
}

#[test]
fn what_cannot_be_done_is_told_once_a_kind() {
    assert_snapshot!(schemas("3.1.0", "
T:
  type: object
  properties:
    a: {type: string, not: {const: x}, if: {minLength: 1}, then: {maxLength: 3}, else: {const: ''}}
    b: {type: array, contains: {type: string}, minContains: 1, unevaluatedItems: false}
    c: {type: array, contains: {type: string}}
    never: false
  patternProperties: {'^x-': {type: string}}
  propertyNames: {pattern: '^[a-z]'}
  dependentRequired: {a: [b]}
  dependentSchemas: {a: {required: [b]}}
"), @r#"
    T (0#/T)
      "a"?: text
      "b"?: [any]
      "c"?: [any]
      "never"?: any
      ..: text
    note [CD-CONSTRAINT] 0#/T/propertyNames: `propertyNames` is not enforced: the API itself checks it
    note [CD-CONSTRAINT] 0#/T/dependentRequired: `dependentRequired` is not enforced: the API itself checks it
    note [CD-UNSUPPORTED] 0#/T/dependentSchemas: `dependentSchemas`: schemas that depend on a property's presence do not shape a type: it is left out
    note [CD-PATTERN-PROPERTIES] 0#/T/patternProperties: the pattern of `patternProperties` is not checked: what it describes is kept with the rest
    note [CD-CONSTRAINT] 0#/T/properties/a/not: `not` is not enforced: the API itself checks it
    note [CD-UNSUPPORTED] 0#/T/properties/a/if: `if`: conditional schemas do not shape a type: it is left out
    note [CD-UNSUPPORTED] 0#/T/properties/a/then: `then`: conditional schemas do not shape a type: it is left out
    note [CD-UNSUPPORTED] 0#/T/properties/a/else: `else`: conditional schemas do not shape a type: it is left out
    note [CD-CONSTRAINT] 0#/T/properties/b/contains: `contains` is not enforced: the API itself checks it (2 places: /T/properties/b/contains, /T/properties/c/contains)
    note [CD-CONSTRAINT] 0#/T/properties/b/minContains: `minContains` is not enforced: the API itself checks it
    note [CD-CONSTRAINT] 0#/T/properties/b/unevaluatedItems: `unevaluatedItems` is not enforced: the API itself checks it
    note [CD-SCHEMA-FALSE] 0#/T/properties/never: a `false` schema admits no value: it is read as any value
    "#);
}

#[test]
fn extra_properties() {
    assert_snapshot!(schemas("3.1.0", "
Pattern: {type: object, patternProperties: {'^x-': {type: integer}}, additionalProperties: false}
Patterns: {type: object, patternProperties: {'^x-': {type: integer}, '^y-': {type: string}}}
Beside: {type: object, properties: {a: {type: string}}, patternProperties: {'^x-': {type: integer}}}
Unevaluated: {type: object, properties: {a: {type: string}}, unevaluatedProperties: false}
UnevaluatedKept: {type: object, properties: {a: {type: string}}, unevaluatedProperties: {type: string}}
Empty: {type: object, additionalProperties: {}}
Nothing: {type: object, additionalProperties: false}
"), @r#"
    Pattern (0#/Pattern)
      = {i64}

    Patterns (0#/Patterns)
      = {any}

    Beside (0#/Beside)
      "a"?: text
      ..: i64

    Unevaluated (0#/Unevaluated)
      "a"?: text
      .. closed

    UnevaluatedKept (0#/UnevaluatedKept)
      "a"?: text
      ..: text

    Empty (0#/Empty)
      = {any}

    Nothing (0#/Nothing)
      .. closed
    note [CD-PATTERN-PROPERTIES] 0#/Pattern/patternProperties: the pattern of `patternProperties` is not checked: what it describes is kept with the rest (3 places: /Pattern/patternProperties, /Patterns/patternProperties, /Beside/patternProperties)
    "#);
}

#[test]
fn definitions_inside_a_schema() {
    assert_snapshot!(schemas("3.1.0", "
T:
  type: object
  $defs:
    Inner: {type: object, properties: {again: {$ref: '#/components/schemas/T/$defs/Inner'}}}
    Named: {$anchor: named, type: object, properties: {n: {type: integer}}}
  properties:
    inner: {$ref: '#/components/schemas/T/$defs/Inner'}
    named: {$ref: '#named'}
"), @r#"
    T (0#/T)
      "inner"?: Inner
      "named"?: Named

    Inner (0#/T/$defs/Inner)
      "again"?: Inner

    Named (0#/T/$defs/Named)
      "n"?: i64
    "#);
}

#[test]
fn an_enum_documented_by_constants() {
    assert_snapshot!(schemas("3.1.0", "
Permission:
  type: integer
  oneOf:
    - {title: READ, const: 1, description: May look}
    - {title: WRITE, const: 2}
    - {type: 'null'}
"), @r"
    Permission | null (0#/Permission)
      1 READ (May look)
      2 WRITE
    ");
}

#[test]
fn dialects_and_path_items_of_components() {
    assert_snapshot!(document("
openapi: 3.1.0
info: {title: T, version: '1', summary: In short}
jsonSchemaDialect: https://example.test/mine
paths:
  /a: {$ref: '#/components/pathItems/A'}
components:
  pathItems:
    A: {get: {operationId: a, responses: {'204': {description: ok}}}}
"), @r#"
    GET /a: "a"
      204
    note [CD-DIALECT] 0#/jsonSchemaDialect: the JSON Schema dialect `https://example.test/mine` is not known: schemas are read as OpenAPI's own
    "#);
}

#[test]
fn three_two_brings_methods_and_streams() {
    assert_snapshot!(document("
openapi: 3.2.0
info: {title: T, version: '1'}
paths:
  /search:
    query:
      operationId: search
      parameters:
        - {name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}
      requestBody: {content: {application/json: {schema: {type: string}}}}
      responses:
        '200':
          description: events
          content:
            text/event-stream:
              itemSchema:
                type: object
                properties:
                  event: {type: string}
                  data: {type: string, contentMediaType: application/json, contentSchema: {$ref: '#/components/schemas/Tick'}}
            application/jsonl: {itemSchema: {$ref: '#/components/schemas/Tick'}}
    additionalOperations:
      COPY: {operationId: copy, responses: {'204': {description: ok}}}
components:
  schemas:
    Tick: {type: object, properties: {n: {type: integer}}}
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Other'}]
      discriminator: {propertyName: kind, mapping: {cat: Cat}, defaultMapping: Other}
    Cat: {type: object, properties: {kind: {type: string}, meow: {type: boolean}}}
    Other: {type: object, properties: {kind: {type: string}}}
"), @r#"
    QUERY /search: "search"
      Query q?: (search).q (Form*)
      body?
        application/json Json: text
      200
        text/event-stream EventStream: Tick
        application/jsonl JsonLines: Tick

    COPY /search: "copy"
      204

    Tick (0#/components/schemas/Tick)
      "n"?: i64

    Pet (0#/components/schemas/Pet)
      one of by kind else 1
        Cat: Cat ["cat"]
        Other: Other ["Other"]

    Cat (0#/components/schemas/Cat)
      "kind"?: text
      "meow"?: bool

    Other (0#/components/schemas/Other)
      "kind"?: text

    (search).q (0#/paths/~1search/query/parameters/0/content/application~1x-www-form-urlencoded/schema)
      "a"?: text
    "#);
}
