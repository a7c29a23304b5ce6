//! `oneOf`, `anyOf`, discriminators.

use insta::assert_snapshot;

use crate::given::schemas;

#[test]
fn mappings_by_name_by_reference_and_none() {
    assert_snapshot!(schemas("3.0.3", "
Cat: {type: object, properties: {kind: {type: string}}}
Dog: {type: object, properties: {kind: {type: string}, bark: {type: boolean}}}
Pet:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind, mapping: {cat: Cat, dog: '#/components/schemas/Dog', hound: Dog}}
Implied:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind}
Wrong:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind, mapping: {cat: Cat, pet: '#/components/schemas/Pet', ghost: Dgo}}
"), @r#"
    Cat (0#/Cat)
      "kind"?: text

    Dog (0#/Dog)
      "kind"?: text
      "bark"?: bool

    Pet (0#/Pet)
      one of by kind
        Cat: Cat ["cat"]
        Dog: Dog ["dog", "hound"]

    Implied (0#/Implied)
      one of by kind
        Cat: Cat ["Cat"]
        Dog: Dog ["Dog"]

    Wrong (0#/Wrong)
      one of by kind
        Cat: Cat ["cat"]
        Dog: Dog ["Dog"]
    warning [CD-MAPPING] 0#/Wrong/discriminator/mapping/ghost: the mapping names `Dgo`, which is no schema of `components`: it is left out
        help: did you mean `Dog`?
    warning [CD-MAPPING] 0#/Wrong/discriminator/mapping: the mapping of `pet` leads to a schema that is none of the alternatives
        help: add it to them, or remove it
    "#);
    assert_snapshot!(schemas("3.0.3", "
Cat: {type: object, properties: {kind: {type: string}}}
NoName: {oneOf: [{$ref: '#/components/schemas/Cat'}, {type: string}], discriminator: {mapping: {cat: Cat}}}
Broken: {oneOf: [{$ref: '#/components/schemas/Cat'}, {type: object}], discriminator: {propertyName: kind, mapping: {cat: '#/nowhere'}}}
"), @r"
    error [CD-TYPE] 0#/NoName/discriminator: this is not a discriminator: missing field `propertyName`
    error [CD-REF-MISSING] 0#/Broken/discriminator/mapping/cat: `#/nowhere` points to nothing: root.yaml has no `nowhere`
    note [CD-DISCRIMINATOR-UNNAMED] 0#/Broken: a discriminator cannot tell alternatives apart that have neither a name nor a constant value of its property: they are tried in turn
        help: name them in `components/schemas`
    ");
}

#[test]
fn constants_of_the_branches_are_better_tags_than_their_names() {
    assert_snapshot!(schemas("3.1.0", "
Cat: {type: object, properties: {kind: {const: cat}}}
Dog: {type: object, properties: {kind: {type: string, enum: [dog, hound]}}}
Pet:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind}
Kind: {type: string, enum: [bird, fish]}
Bird: {type: object, properties: {kind: {$ref: '#/components/schemas/Kind'}}}
Fish: {type: object, properties: {kind: {$ref: '#/components/schemas/Kind'}}}
Shared: {oneOf: [{$ref: '#/components/schemas/Bird'}, {$ref: '#/components/schemas/Fish'}], discriminator: {propertyName: kind}}
Inline:
  oneOf:
    - {type: object, properties: {kind: {const: a}}}
    - {type: object, properties: {kind: {const: b}}}
  discriminator: {propertyName: kind}
"), @r#"
    Cat (0#/Cat)
      "kind"?: Cat.kind

    Dog (0#/Dog)
      "kind"?: Dog.kind

    Pet (0#/Pet)
      one of by kind
        Cat: Cat ["cat"]
        Dog: Dog ["dog", "hound"]

    Kind (0#/Kind)
      "bird"
      "fish"

    Bird (0#/Bird)
      "kind"?: Kind

    Fish (0#/Fish)
      "kind"?: Kind

    Shared (0#/Shared)
      one of by kind
        Bird: Bird ["bird"]
        Fish: Fish ["fish"]

    Inline (0#/Inline)
      one of by kind
        Inline.variant1 ["a"]
        Inline.variant2 ["b"]

    Cat.kind (0#/Cat/properties/kind)
      const "cat"

    Dog.kind (0#/Dog/properties/kind)
      "dog"
      "hound"

    Inline.variant1 (0#/Inline/oneOf/0)
      "kind"?: Inline.variant1.kind

    Inline.variant1.kind (0#/Inline/oneOf/0/properties/kind)
      const "a"

    Inline.variant2 (0#/Inline/oneOf/1)
      "kind"?: Inline.variant2.kind

    Inline.variant2.kind (0#/Inline/oneOf/1/properties/kind)
      const "b"
    "#);
}

#[test]
fn an_undeclared_discriminator_is_found() {
    assert_snapshot!(schemas("3.1.0", "
Found:
  anyOf:
    - {type: object, title: Started, required: [type, at], properties: {type: {const: started}, at: {type: string}}}
    - {type: object, title: Ended, required: [type], properties: {type: {type: string, enum: [ended, failed]}}}
NotRequired:
  anyOf:
    - {type: object, properties: {type: {const: started}}}
    - {type: object, required: [type], properties: {type: {const: ended}}}
Overlapping:
  anyOf:
    - {type: object, required: [type], properties: {type: {enum: [a, b]}}}
    - {type: object, required: [type], properties: {type: {enum: [b, c]}}}
"), @r#"
    Found (0#/Found)
      any of by type
        Started: Found.Started ["started"]
        Ended: Found.Ended ["ended", "failed"]

    NotRequired (0#/NotRequired)
      any of
        NotRequired.variant1
        NotRequired.variant2

    Overlapping (0#/Overlapping)
      any of
        Overlapping.variant1
        Overlapping.variant2

    Found.Started (0#/Found/anyOf/0)
      / "Started"
      "type": Found.Started.type
      "at": text

    Found.Started.type (0#/Found/anyOf/0/properties/type)
      const "started"

    Found.Ended (0#/Found/anyOf/1)
      / "Ended"
      "type": Found.Ended.type

    Found.Ended.type (0#/Found/anyOf/1/properties/type)
      "ended"
      "failed"

    NotRequired.variant1 (0#/NotRequired/anyOf/0)
      "type"?: NotRequired.variant1.type

    NotRequired.variant1.type (0#/NotRequired/anyOf/0/properties/type)
      const "started"

    NotRequired.variant2 (0#/NotRequired/anyOf/1)
      "type": NotRequired.variant2.type

    NotRequired.variant2.type (0#/NotRequired/anyOf/1/properties/type)
      const "ended"

    Overlapping.variant1 (0#/Overlapping/anyOf/0)
      "type": Overlapping.variant1.type

    Overlapping.variant1.type (0#/Overlapping/anyOf/0/properties/type)
      "a"
      "b"

    Overlapping.variant2 (0#/Overlapping/anyOf/1)
      "type": Overlapping.variant2.type

    Overlapping.variant2.type (0#/Overlapping/anyOf/1/properties/type)
      "b"
      "c"
    note [CD-TAG-FOUND] 0#/Found: alternatives are told apart by the constant values of `type`
    "#);
}

#[test]
fn a_parent_stands_for_its_heirs() {
    assert_snapshot!(schemas("3.0.3", "
Pet: {type: object, required: [kind], discriminator: {propertyName: kind}, properties: {kind: {type: string}, name: {type: string}}}
Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {meow: {type: boolean}}}]}
Dog: {allOf: [{$ref: '#/components/schemas/Pet'}]}
Puppy: {allOf: [{$ref: '#/components/schemas/Dog'}, {type: object, properties: {months: {type: integer}}}]}
Event: {type: object, required: [type], discriminator: {propertyName: type, mapping: {made: Made, gone: '#/components/schemas/Gone'}}, properties: {type: {type: string}}}
Made: {allOf: [{$ref: '#/components/schemas/Event'}, {type: object, properties: {by: {type: string}}}]}
Gone: {allOf: [{$ref: '#/components/schemas/Event'}, {type: object, properties: {why: {type: string}}}]}
Loose: {type: object, discriminator: {propertyName: t}, properties: {t: {type: string}}}
Tight: {allOf: [{$ref: '#/components/schemas/Loose'}, {type: object, properties: {x: {type: string}}}]}
Alone: {type: object, discriminator: {propertyName: t}, properties: {t: {type: string}}}
Owner: {type: object, properties: {pet: {$ref: '#/components/schemas/Pet'}, described: {allOf: [{$ref: '#/components/schemas/Pet'}], description: d}}}
"), @r#"
    Pet (0#/Pet)
      one of by kind
        Cat: Cat ["Cat"]
        Dog: Dog ["Dog"]
        Puppy: Puppy ["Puppy"]
        Base: Pet.base ["Pet"]

    Cat (0#/Cat)
      "kind": text
      "name"?: text
      "meow"?: bool

    Dog (0#/Dog)
      "kind": text
      "name"?: text

    Puppy (0#/Puppy)
      "kind": text
      "name"?: text
      "months"?: i64

    Event (0#/Event)
      one of by type
        Made: Made ["made"]
        Gone: Gone ["gone"]

    Made (0#/Made)
      "type": text
      "by"?: text

    Gone (0#/Gone)
      "type": text
      "why"?: text

    Loose (0#/Loose)
      one of by t else 1
        Tight: Tight ["Tight"]
        Base: Loose.base ["Loose"]

    Tight (0#/Tight)
      "t"?: text
      "x"?: text

    Alone (0#/Alone)
      "t"?: text

    Owner (0#/Owner)
      "pet"?: Pet
      "described"?: Pet
        // "d"

    Pet.base (0#/Pet)
      "kind": text
      "name"?: text

    Loose.base (0#/Loose)
      "t"?: text
    note [CD-DISCRIMINATOR-ALONE] 0#/Alone/discriminator: a discriminator of a schema that has no alternatives and that no schema builds on has no effect
    "#);
}

#[test]
fn heirs_of_a_parent_that_lists_them() {
    assert_snapshot!(schemas("3.0.3", "
Pet:
  type: object
  required: [kind]
  properties: {kind: {type: string}, name: {type: string}}
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}
Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {meow: {type: boolean}}}]}
Dog: {allOf: [{$ref: '#/components/schemas/Pet'}]}
"), @r#"
    Pet (0#/Pet)
      one of by kind
        Cat: Cat ["cat"]
        Dog: Dog ["dog"]

    Cat (0#/Cat)
      "kind": text
      "name"?: text
      "meow"?: bool

    Dog (0#/Dog)
      "kind": text
      "name"?: text
    "#);
}

#[test]
fn unions_within_unions_pass_their_tags_on() {
    assert_snapshot!(schemas("3.0.3", "
A: {type: object, required: [t], properties: {t: {type: string}}}
B: {type: object, required: [t], properties: {t: {type: string}}}
C: {type: object, required: [t], properties: {t: {type: string}}}
Inner: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: t, mapping: {a: A, b: B}}}
Outer: {oneOf: [{$ref: '#/components/schemas/Inner'}, {$ref: '#/components/schemas/C'}], discriminator: {propertyName: t}}
"), @r#"
    A (0#/A)
      "t": text

    B (0#/B)
      "t": text

    C (0#/C)
      "t": text

    Inner (0#/Inner)
      one of by t
        A: A ["a"]
        B: B ["b"]

    Outer (0#/Outer)
      one of by t
        Inner: Inner ["a", "b"]
        C: C ["C"]
    "#);
}

#[test]
fn open_enums_and_equal_branches_come_together() {
    assert_snapshot!(schemas("3.1.0", "
Listed: {type: string, enum: [a, b]}
More: {type: string, enum: [b, c]}
Open: {anyOf: [{type: string}, {type: string, enum: [x, y]}]}
OpenNamed: {anyOf: [{type: string}, {$ref: '#/components/schemas/Listed'}]}
Merged: {oneOf: [{$ref: '#/components/schemas/Listed'}, {$ref: '#/components/schemas/More'}]}
Same: {oneOf: [{type: string, minLength: 1}, {type: string, pattern: x}]}
Anything: {anyOf: [{type: boolean}, {type: array, items: {}}, {type: object}, {type: string}, {type: number}]}
Formats: {oneOf: [{type: string, format: date}, {type: string, format: date-time}]}
"), @r#"
    Listed (0#/Listed)
      "a"
      "b"

    More (0#/More)
      "b"
      "c"

    Open (0#/Open)
      "x"
      "y"

    OpenNamed (0#/OpenNamed)
      = Listed

    Merged (0#/Merged)
      "a"
      "b"
      "c"

    Same (0#/Same)
      = text

    Anything (0#/Anything)
      = any

    Formats (0#/Formats)
      one of
        text/Date
        text/DateTime
    note [CD-CONSTRAINT] 0#/Same/oneOf/0/minLength: `minLength` is not enforced: the API itself checks it
    note [CD-CONSTRAINT] 0#/Same/oneOf/1/pattern: `pattern` is not enforced: the API itself checks it
    "#);
}

#[test]
fn alternatives_beside_properties() {
    assert_snapshot!(schemas("3.0.3", "
Cat: {type: object, properties: {meow: {type: boolean}}}
Restricts: {type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}
Multiplied: {type: object, required: [n], properties: {n: {type: string}}, oneOf: [{$ref: '#/components/schemas/Cat'}, {type: object, title: Other, properties: {x: {type: string}}}]}
Twice:
  type: object
  properties: {n: {type: string}}
  oneOf: [{$ref: '#/components/schemas/Cat'}, {type: object, properties: {x: {type: string}}}]
  anyOf: [{type: object, required: [y], properties: {y: {type: string}}}, {type: object, properties: {z: {type: string}}}]
"), @r#"
    Cat (0#/Cat)
      "meow"?: bool

    Restricts (0#/Restricts)
      "a"?: text
      "b"?: text

    Multiplied (0#/Multiplied)
      one of
        Cat: Multiplied.Cat
        Other: Multiplied.Other

    Twice (0#/Twice)
      one of
        Cat: Twice.Cat
        Twice.variant2

    Multiplied.Cat (0#/Multiplied/oneOf/0)
      "n": text
      "meow"?: bool

    Multiplied.Other (0#/Multiplied/oneOf/1)
      / "Other"
      "n": text
      "x"?: text

    Twice.Cat (0#/Twice/oneOf/0)
      "n"?: text
      "y"?: text
      "z"?: text
      "meow"?: bool

    Twice.variant2 (0#/Twice/oneOf/1)
      "n"?: text
      "y"?: text
      "z"?: text
      "x"?: text
    note [CD-UNION-RESTRICTS] 0#/Restricts/anyOf: alternatives that only restrict the properties are not enforced
    note [CD-UNION-LOOSE] 0#/Twice/anyOf: alternatives beside other alternatives are not told apart: their properties are all optional
    "#);
}

#[test]
fn several_types_at_once() {
    assert_snapshot!(schemas("3.1.0", "
T: {type: [string, object, array, 'null'], format: date, properties: {a: {type: string}}, items: {type: integer}}
Every: {type: [string, number, boolean, array, object, 'null']}
"), @r#"
    T | null (0#/T)
      any of
        text/Date
        [i64]
        T.object

    Every (0#/Every)
      = any

    T.object (0#/T)
      "a"?: text
    "#);
}

#[test]
fn nullable_branches_open_the_union() {
    assert_snapshot!(schemas("3.0.3", "
Maybe: {type: object, nullable: true, properties: {a: {type: string}}}
Sure: {type: object, required: [b], properties: {b: {type: string}}}
Union: {oneOf: [{$ref: '#/components/schemas/Maybe'}, {$ref: '#/components/schemas/Sure'}]}
Use: {type: object, properties: {u: {$ref: '#/components/schemas/Union'}}}
"), @r#"
    Maybe | null (0#/Maybe)
      "a"?: text

    Sure (0#/Sure)
      "b": text

    Union | null (0#/Union)
      one of
        Maybe: Maybe
        Sure: Sure

    Use (0#/Use)
      "u"?: Union | null
    "#);
}

#[test]
fn any_of_objects_that_demand_nothing_is_one_object() {
    assert_snapshot!(schemas("3.0.3", "
Apple: {type: object, properties: {color: {type: string}, kind: {type: string}}}
Banana: {type: object, properties: {color: {type: string}, length: {type: number}}}
Fruit: {anyOf: [{$ref: '#/components/schemas/Apple'}, {$ref: '#/components/schemas/Banana'}]}
Fresh: {type: object, required: [day], properties: {day: {type: string}}, anyOf: [{$ref: '#/components/schemas/Apple'}, {properties: {color: {type: string}, ripe: {type: boolean}}}]}
"), @r#"
    Apple (0#/Apple)
      "color"?: text
      "kind"?: text

    Banana (0#/Banana)
      "color"?: text
      "length"?: f64

    Fruit (0#/Fruit)
      "color"?: text
      "kind"?: text
      "length"?: f64

    Fresh (0#/Fresh)
      "day": text
      "color"?: text
      "kind"?: text
      "ripe"?: bool
    "#);
}

#[test]
fn any_of_objects_that_demand_something_or_disagree_is_told_of() {
    assert_snapshot!(schemas("3.0.3", "
Apple: {type: object, required: [kind], properties: {kind: {type: string}, color: {type: string}}}
Banana: {type: object, required: [length], properties: {color: {type: string}, length: {type: number}}}
Demanding: {anyOf: [{$ref: '#/components/schemas/Apple'}, {$ref: '#/components/schemas/Banana'}]}
Disagreeing: {anyOf: [{type: object, properties: {a: {type: string}, b: {type: string}}}, {type: object, properties: {a: {type: integer}, c: {type: string}}}]}
Within: {anyOf: [{$ref: '#/components/schemas/Apple'}, {type: object, required: [kind], properties: {kind: {type: string}}}]}
OneOf: {oneOf: [{type: object, properties: {d: {type: string}}}, {type: object, properties: {e: {type: string}}}]}
"), @r#"
    Apple (0#/Apple)
      "kind": text
      "color"?: text

    Banana (0#/Banana)
      "color"?: text
      "length": f64

    Demanding (0#/Demanding)
      any of
        Apple: Apple
        Banana: Banana

    Disagreeing (0#/Disagreeing)
      any of
        Disagreeing.variant1
        Disagreeing.variant2

    Within (0#/Within)
      any of
        Apple: Apple
        Within.variant2

    OneOf (0#/OneOf)
      one of
        OneOf.variant1
        OneOf.variant2

    Disagreeing.variant1 (0#/Disagreeing/anyOf/0)
      "a"?: text
      "b"?: text

    Disagreeing.variant2 (0#/Disagreeing/anyOf/1)
      "a"?: i64
      "c"?: text

    Within.variant2 (0#/Within/anyOf/1)
      "kind": text

    OneOf.variant1 (0#/OneOf/oneOf/0)
      "d"?: text

    OneOf.variant2 (0#/OneOf/oneOf/1)
      "e"?: text
    note [CD-UNION-SEVERAL] 0#/Demanding: a value that is several of these objects at once is read as the one that keeps most of it (2 places: /Demanding, /Disagreeing)
        help: where values are, an overlay can make it one object with the members of all
    "#);
}
