//! Objects, maps, enums, scalars.

use insta::assert_snapshot;

use crate::given::schemas;

#[test]
fn missing_types_are_inferred() {
    assert_snapshot!(schemas("3.0.3", "
Object: {properties: {a: {type: string}}}
Array: {items: {type: string}}
Map: {additionalProperties: {type: integer}}
Text: {enum: [a, b]}
Date: {format: date}
Anything: {description: nothing is said}
"), @r#"
    Object (0#/Object)
      "a"?: text

    Array (0#/Array)
      = [text]

    Map (0#/Map)
      = {i64}

    Text (0#/Text)
      "a"
      "b"

    Date (0#/Date)
      = text/Date

    Anything (0#/Anything)
      // "nothing is said"
      = any
    "#);
}

#[test]
fn enums_of_every_kind() {
    assert_snapshot!(schemas("3.0.3", "
Unquoted: {type: string, enum: [1, 2.0, true, x]}
Quoted: {type: integer, enum: ['1', '2']}
Floats: {type: number, enum: [1.5, 2]}
Whole: {type: number, enum: [1, 2.0]}
Mixed: {enum: [a, 1]}
True: {type: boolean, enum: [true]}
Both: {type: boolean, enum: [true, false]}
Twice: {type: string, enum: [a, b, a]}
None: {type: string, enum: []}
Big: {type: integer, format: uint64, enum: [18446744073709551615]}
Nullable: {type: string, nullable: true, enum: [a, null]}
Described: {type: string, enum: [a, b], x-enum-descriptions: [First, Second], x-enumNames: [Alpha, Beta]}
ByValue: {type: string, enum: [a, b], x-enumDescriptions: {b: Second}}
Microsoft: {type: string, enum: [a], x-ms-enum: {values: [{value: a, name: Alpha, description: First}]}}
"), @r#"
    Unquoted (0#/Unquoted)
      "1"
      "2.0"
      "true"
      "x"

    Quoted (0#/Quoted)
      1
      2

    Floats (0#/Floats)
      = f64

    Whole (0#/Whole)
      1
      2

    Mixed (0#/Mixed)
      = any

    True (0#/True)
      const true

    Both (0#/Both)
      = bool

    Twice (0#/Twice)
      "a"
      "b"

    None (0#/None)
      = text

    Big (0#/Big)
      18446744073709551615

    Nullable | null (0#/Nullable)
      "a"

    Described (0#/Described)
      "a" Alpha (First)
      "b" Beta (Second)

    ByValue (0#/ByValue)
      "a"
      "b" (Second)

    Microsoft (0#/Microsoft)
      "a" Alpha (First)
    warning [CD-ENUM-TYPE] 0#/Unquoted/enum: a value of `enum` is not of the schema's `type`: it is read as if it were (2 places: /Unquoted/enum, /Quoted/enum)
        help: put it in quotes, or take them away
    note [CD-ENUM-FLOAT] 0#/Floats/enum: an `enum` of numbers that are not integers is read as any number
    note [CD-ENUM-MIXED] 0#/Mixed/enum: an `enum` of values of several types is read as any value
    note [CD-ENUM-TWICE] 0#/Twice/enum: a value stands in `enum` more than once
    note [CD-ENUM-EMPTY] 0#/None/enum: an empty `enum` admits no value: it has no effect
    "#);
}

#[test]
fn properties_say_more_than_a_type() {
    assert_snapshot!(schemas("3.0.3", "
Id: {type: string, format: uuid, description: Of the thing, readOnly: true, example: x}
T:
  type: object
  required: [id, missing]
  properties:
    id: {$ref: '#/components/schemas/Id'}
    secret: {type: string, writeOnly: true, deprecated: true}
    count: {type: integer, default: 3, title: Count, description: How many}
    nullable: {type: string, nullable: true, default: null}
    old: {type: string, required: true}
"), @r#"
    Id (0#/Id)
      // "Of the thing"
      = text/Uuid

    T (0#/T)
      "id": Id read-only
        // "Of the thing"
      "secret"?: text write-only
        deprecated
      "count"?: i64 = 3
        / "Count"
        // "How many"
      "nullable"?: text | null = null
      "old"?: text
      "missing"?: any
    warning [CD-REQUIRED-BOOLEAN] 0#/T/properties/old/required: `required` inside a property has no effect
        help: list the property in the `required` of its object
    warning [CD-REQUIRED-UNDECLARED] 0#/T/required: `required` names `missing`, which no property declares: it becomes optional, of any type
        help: declare the property
    "#);
}

#[test]
fn named_scalars_arrays_and_maps_are_aliases_and_carry_null() {
    assert_snapshot!(schemas("3.0.3", "
Name: {type: string, nullable: true}
Again: {$ref: '#/components/schemas/Name'}
Names: {type: array, items: {$ref: '#/components/schemas/Again'}}
ByName: {type: object, additionalProperties: {$ref: '#/components/schemas/Name'}}
T: {type: object, properties: {name: {$ref: '#/components/schemas/Again'}, names: {$ref: '#/components/schemas/Names'}}}
"), @r#"
    Name | null (0#/Name)
      = text

    Again | null (0#/Again)
      = Name

    Names (0#/Names)
      = [Again | null]

    ByName (0#/ByName)
      = {Name | null}

    T (0#/T)
      "name"?: Again | null
      "names"?: Names
    "#);
}

#[test]
fn inline_schemas_are_named_by_their_place() {
    assert_snapshot!(schemas("3.0.3", "
T:
  type: object
  properties:
    address: {type: object, properties: {geo: {type: object, properties: {lat: {type: number}}}}}
    tags: {type: array, items: {type: array, items: {type: string, enum: [a]}}}
    index: {type: object, additionalProperties: {type: object, properties: {n: {type: integer}}}}
"), @r#"
    T (0#/T)
      "address"?: T.address
      "tags"?: [[T.tags.item.item]]
      "index"?: {T.index.value}

    T.address (0#/T/properties/address)
      "geo"?: T.address.geo

    T.address.geo (0#/T/properties/address/properties/geo)
      "lat"?: f64

    T.tags.item.item (0#/T/properties/tags/items/items)
      "a"

    T.index.value (0#/T/properties/index/additionalProperties)
      "n"?: i64
    "#);
}

#[test]
fn single_entries_collapse() {
    assert_snapshot!(schemas("3.0.3", "
A: {type: object, properties: {a: {type: string}}}
T:
  type: object
  properties:
    all: {allOf: [{$ref: '#/components/schemas/A'}]}
    one: {oneOf: [{$ref: '#/components/schemas/A'}]}
    any: {anyOf: [{$ref: '#/components/schemas/A'}]}
    described: {allOf: [{$ref: '#/components/schemas/A'}, {description: here}]}
    nullable: {nullable: true, allOf: [{$ref: '#/components/schemas/A'}]}
    nullable_inside: {allOf: [{$ref: '#/components/schemas/A'}, {nullable: true}]}
    typed: {type: object, allOf: [{$ref: '#/components/schemas/A'}]}
    inline: {allOf: [{type: object, properties: {b: {type: string}}}]}
"), @r#"
    A (0#/A)
      "a"?: text

    T (0#/T)
      "all"?: A
      "one"?: A
      "any"?: A
      "described"?: A
        // "here"
      "nullable"?: A | null
      "nullable_inside"?: A | null
      "typed"?: A
      "inline"?: T.inline

    T.inline (0#/T/properties/inline)
      "b"?: text
    "#);
}

#[test]
fn wrong_types_are_told_at_their_pointers() {
    assert_snapshot!(schemas("3.0.3", "
T: {type: object, properties: [a, b]}
U: {type: strng}
V: {type: object, required: a}
W: just text
X: {type: object, additionalProperties: 3}
Y: {allOf: {type: object}}
Z: {type: string, enum: a, nullable: 'yes'}
"), @r"
    error [CD-TYPE] 0#/T/properties: `properties`: expected an object, found an array
    error [CD-TYPE-WORD] 0#/U/type: `strng` is no type of OpenAPI
        help: did you mean `string`?
    error [CD-TYPE] 0#/V/required: `required`: expected an array, found a string
        help: put it into a list: `[…]`
    error [CD-TYPE] 0#/W: `W`: expected a schema, found a string
        help: write `{type: …}`, or `{$ref: …}`
    error [CD-TYPE] 0#/X/additionalProperties: `additionalProperties`: expected a schema or a boolean, found a number
    error [CD-TYPE] 0#/Y/allOf: `allOf`: expected an array, found an object
        help: begin each entry by `- `, or put them into `[…]`
    error [CD-TYPE] 0#/Z/nullable: `nullable`: expected `true` or `false`, found a string
    error [CD-TYPE] 0#/Z/enum: `enum`: expected an array, found a string
        help: put it into a list: `[…]`
    ");
}
