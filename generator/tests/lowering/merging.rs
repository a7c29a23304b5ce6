//! `allOf`.

use insta::assert_snapshot;

use crate::given::schemas;

#[test]
fn parts_keep_their_order_and_share_required() {
    assert_snapshot!(schemas("3.0.3", "
Base: {type: object, required: [id], properties: {id: {type: string}, kind: {type: string, enum: [a, b]}}}
Child:
  allOf:
    - {$ref: '#/components/schemas/Base'}
    - {type: object, required: [kind, name], properties: {name: {type: string}}}
  properties: {own: {type: boolean}}
  required: [own]
  description: A child
"), @r#"
    Base (0#/Base)
      "id": text
      "kind"?: Base.kind

    Child (0#/Child)
      // "A child"
      "id": text
      "kind": Base.kind
      "name": text
      "own": bool

    Base.kind (0#/Base/properties/kind)
      "a"
      "b"
    "#);
}

#[test]
fn the_narrower_of_two_declarations_wins() {
    assert_snapshot!(schemas("3.1.0", "
Base:
  type: object
  properties:
    kind: {type: string, description: Of the base}
    size: {type: number}
    when: {type: string}
    maybe: {type: [string, 'null']}
    inner: {type: object, properties: {a: {type: string}}}
    list: {type: array, items: {type: number}}
Child:
  allOf:
    - {$ref: '#/components/schemas/Base'}
    - type: object
      properties:
        kind: {const: child}
        size: {type: integer}
        when: {type: string, format: date-time}
        maybe: {type: string}
        inner: {type: object, required: [b], properties: {b: {type: string}}}
        list: {type: array, items: {type: integer}}
"), @r#"
    Base (0#/Base)
      "kind"?: text
        // "Of the base"
      "size"?: f64
      "when"?: text
      "maybe"?: text | null
      "inner"?: Base.inner
      "list"?: [f64]

    Child (0#/Child)
      "kind"?: Child.kind
        // "Of the base"
      "size"?: i64
      "when"?: text/DateTime
      "maybe"?: text
      "inner"?: Child.inner
      "list"?: [i64]

    Base.inner (0#/Base/properties/inner)
      "a"?: text

    Child.kind (0#/Child/allOf/1/properties/kind)
      const "child"

    Child.inner (0#/Child/allOf/1/properties/inner)
      "a"?: text
      "b": text
    "#);
}

#[test]
fn what_cannot_hold_together_is_told() {
    assert_snapshot!(schemas("3.0.3", "
Base: {type: object, properties: {a: {type: string}, b: {type: string, enum: [x]}, c: {type: string, format: date}}}
Child: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {a: {type: integer}, b: {type: string, enum: [y]}, c: {type: string, format: uuid}}}]}
Text: {type: string}
Both: {allOf: [{$ref: '#/components/schemas/Text'}, {type: object, properties: {a: {type: string}}}]}
"), @r#"
    Base (0#/Base)
      "a"?: text
      "b"?: Base.b
      "c"?: text/Date

    Child (0#/Child)
      "a"?: i64
      "b"?: Child.b
      "c"?: text/Uuid

    Text (0#/Text)
      = text

    Both (0#/Both)
      "a"?: text

    Base.b (0#/Base/properties/b)
      "x"

    Child.b (0#/Child/allOf/1/properties/b)
      "y"
    warning [CD-ALLOF-CONFLICT] 0#/Child/allOf/1/properties/a: merged schemas disagree: string (at /Base/properties/a) and integer; the latter is used
        help: make one of them fit the other
    warning [CD-ALLOF-CONFLICT] 0#/Child/allOf/1/properties/b: merged schemas list values of which none is common (see /Base/properties/b/enum): the latter are used
        help: make one of them fit the other
    warning [CD-ALLOF-CONFLICT] 0#/Child/allOf/1/properties/c: merged schemas disagree: format `date` (at /Base/properties/c/format) and format `uuid`; the latter is used
        help: make one of them fit the other
    warning [CD-ALLOF-CONFLICT] 0#/Both/allOf/1: merged schemas disagree: string (at /Text) and object; the latter is used
        help: make one of them fit the other
    "#);
}

#[test]
fn scalars_merge_too() {
    assert_snapshot!(schemas("3.0.3", "
Text: {type: string}
Listed: {type: string, enum: [a, b, c]}
Id: {allOf: [{$ref: '#/components/schemas/Text'}, {format: uuid}]}
Narrow: {allOf: [{$ref: '#/components/schemas/Listed'}], enum: [a, b]}
Bounded: {allOf: [{type: string}, {maxLength: 3}]}
"), @r#"
    Text (0#/Text)
      = text

    Listed (0#/Listed)
      "a"
      "b"
      "c"

    Id (0#/Id)
      = Text

    Narrow (0#/Narrow)
      "a"
      "b"

    Bounded (0#/Bounded)
      = text
    note [CD-CONSTRAINT] 0#/Bounded/allOf/1/maxLength: `maxLength` is not enforced: the API itself checks it
    "#);
}

#[test]
fn null_needs_every_part() {
    assert_snapshot!(schemas("3.0.3", "
Maybe: {type: object, nullable: true, properties: {a: {type: string}}}
Sure: {type: object, properties: {b: {type: string}}}
One: {allOf: [{$ref: '#/components/schemas/Maybe'}, {$ref: '#/components/schemas/Sure'}]}
Opened: {nullable: true, allOf: [{$ref: '#/components/schemas/Maybe'}, {$ref: '#/components/schemas/Sure'}]}
"), @r#"
    Maybe | null (0#/Maybe)
      "a"?: text

    Sure (0#/Sure)
      "b"?: text

    One (0#/One)
      "a"?: text
      "b"?: text

    Opened | null (0#/Opened)
      "a"?: text
      "b"?: text
    "#);
}

#[test]
fn a_union_among_the_parts_is_multiplied_out() {
    assert_snapshot!(schemas("3.0.3", "
Cat: {type: object, properties: {meow: {type: boolean}}}
Dog: {type: object, properties: {bark: {type: boolean}}}
Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}
Owned: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [owner], properties: {owner: {type: string}}}]}
"), @r#"
    Cat (0#/Cat)
      "meow"?: bool

    Dog (0#/Dog)
      "bark"?: bool

    Pet (0#/Pet)
      one of
        Cat: Cat
        Dog: Dog

    Owned (0#/Owned)
      one of
        Cat: Owned.Cat
        Dog: Owned.Dog

    Owned.Cat (0#/Pet/oneOf/0)
      "owner": text
      "meow"?: bool

    Owned.Dog (0#/Pet/oneOf/1)
      "owner": text
      "bark"?: bool
    "#);
}

#[test]
fn diamonds_and_deep_chains() {
    assert_snapshot!(schemas("3.0.3", "
Top: {type: object, properties: {t: {type: object, properties: {x: {type: string}}}}}
Left: {allOf: [{$ref: '#/components/schemas/Top'}, {properties: {l: {type: string}}}]}
Right: {allOf: [{$ref: '#/components/schemas/Top'}, {properties: {r: {type: string}}}]}
Bottom: {allOf: [{$ref: '#/components/schemas/Left'}, {$ref: '#/components/schemas/Right'}]}
"), @r#"
    Top (0#/Top)
      "t"?: Top.t

    Left (0#/Left)
      "t"?: Top.t
      "l"?: text

    Right (0#/Right)
      "t"?: Top.t
      "r"?: text

    Bottom (0#/Bottom)
      "t"?: Top.t
      "l"?: text
      "r"?: text

    Top.t (0#/Top/properties/t)
      "x"?: text
    "#);
}
