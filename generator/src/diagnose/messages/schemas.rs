//! Messages about schemas.

use super::{Message, error, note, told, unsupported, warning};

pub(super) const MESSAGES: &[Message] = &[
    warning(
        "CD-ALLOF-CONFLICT",
        "Schemas that are merged (by `allOf`, or beside a `$ref`) contradict each other. The latter is used.",
        "allOf: [{type: string}, {type: integer}]",
        "Make one of them fit the other.",
    ),
    warning(
        "CD-ALLOF-CYCLE",
        "`allOf` leads back to the schema itself, which it would have to be a part of. That branch adds nothing, and is left out.",
        "A: {allOf: [{$ref: \"#/components/schemas/A\"}]}",
        "Remove the branch that leads back.",
    ),
    told(
        "CD-SCHEMA-CYCLE",
        "error, warning",
        "A schema is only another name of itself, by way of others: no value could satisfy it (an error). A branch of a union that \
         is the union itself is left out (a warning).",
        "A: {oneOf: [{$ref: \"#/components/schemas/A\"}]}",
        "Describe what it is.",
    ),
    unsupported(
        "CD-SCHEMA-FALSE",
        "A `false` schema, which admits no value, is read as any value.",
        "properties: {legacy: false}",
        "Remove the property.",
    ),
    warning(
        "CD-TYPE-EMPTY",
        "`type:` without a value. It is read as the type 'null', which is what YAML made of it.",
        "type: null      # YAML reads no word here",
        "Write the type in quotes: 'null'.",
    ),
    told(
        "CD-TYPE-WORD",
        "error, warning",
        "A word that is no type of OpenAPI. A usual slip (`int`, `str`, `file`) is read as what it means; anything else is \
         an error.",
        "type: strng",
        "The types are string, number, integer, boolean, array, object, and 'null' from 3.1 on.",
    ),
    note(
        "CD-NULLABLE-31",
        "`nullable` is a word of OpenAPI 3.0, in a document of a later version. It is honoured all the same.",
        "openapi: 3.1.0 … {type: string, nullable: true}",
        "Write `type: [string, 'null']`.",
    ),
    unsupported(
        "CD-CONSTRAINT",
        "A bound on values (a length, a range, a pattern, …) is not checked by the client: the API does.",
        "{type: string, maxLength: 40}",
        "Check it in the mapper where a violation should be found before the call.",
    ),
    unsupported(
        "CD-UNSUPPORTED",
        "A keyword of JSON Schema that types cannot express. The message says what is done instead.",
        "if: {…}\nthen: {…}",
        "Check it in the mapper where it matters.",
    ),
    unsupported(
        "CD-CONTENT",
        "A content encoding or media type of a text for which there is no type. The text is kept as it is sent.",
        "{type: string, contentEncoding: base32}",
        "Decode it in the mapper.",
    ),
    note(
        "CD-FORMAT",
        "A `format` for which there is no type of its own. The plain type is used.",
        "{type: string, format: iban}",
        "Give it a type in the project file: `[systems.NAME.types.formats]`.",
    ),
    note(
        "CD-ENUM-EMPTY",
        "An `enum` without values. It has no effect.",
        "{type: string, enum: []}",
        "List the values, or remove it.",
    ),
    unsupported(
        "CD-ENUM-FLOAT",
        "An `enum` of numbers that are not integers is read as any number.",
        "{type: number, enum: [0.5, 1.5]}",
        "Check the value in the mapper.",
    ),
    unsupported(
        "CD-ENUM-MIXED",
        "An `enum` of values of several types is read as any value.",
        "enum: [1, one]",
        "Check the value in the mapper.",
    ),
    warning(
        "CD-ENUM-NAMES",
        "The names or descriptions of an enum's values (`x-enum-varnames`, …) are another number than the values. They are \
         left out.",
        "enum: [1, 2, 3]\nx-enum-varnames: [ONE, TWO]",
        "Give one entry a value, in the same order.",
    ),
    error(
        "CD-ENUM-RANGE",
        "A listed integer fits no integer type that holds the others too.",
        "enum: [-1, 18446744073709551615]",
        "Remove the value by an overlay, or the `enum` as a whole.",
    ),
    note(
        "CD-ENUM-TWICE",
        "A value stands in an `enum` more than once.",
        "enum: [new, paid, new]",
        "Remove one of them.",
    ),
    warning(
        "CD-ENUM-TYPE",
        "A value of an `enum` is not of the schema's `type`, mostly because YAML read it as a number or boolean. It is read \
         as the type says.",
        "{type: string, enum: [yes, no, 1]}",
        "Put it in quotes, or take them away.",
    ),
    note(
        "CD-DISCRIMINATOR-ALONE",
        "A discriminator of a schema that has no alternatives, and that no other schema builds on. It has no effect.",
        "Pet: {type: object, discriminator: {propertyName: kind}}",
        "Add `oneOf`, or remove it.",
    ),
    note(
        "CD-DISCRIMINATOR-SHAPE",
        "A discriminator among alternatives that are not all objects. It has no effect: they are tried in turn.",
        "oneOf: [{type: string}, {$ref: …}]\ndiscriminator: {propertyName: kind}",
        "Remove it, or make all alternatives objects.",
    ),
    note(
        "CD-DISCRIMINATOR-UNNAMED",
        "A discriminator cannot tell alternatives apart that have no name and no constant value of its property. They are \
         tried in turn.",
        "oneOf: [{type: object, …}, {type: object, …}]\ndiscriminator: {propertyName: kind}",
        "Name the alternatives in `components/schemas`.",
    ),
    warning(
        "CD-MAPPING",
        "The `mapping` of a discriminator names a schema that is missing, or none of the alternatives.",
        "discriminator: {propertyName: kind, mapping: {cat: Catt}}",
        "Correct the name, add the schema to the alternatives, or remove the entry.",
    ),
    note(
        "CD-TAG-FOUND",
        "Alternatives without a discriminator are told apart by a property of which each has one constant value.",
        "oneOf: [{properties: {kind: {const: cat}}}, {properties: {kind: {const: dog}}}]",
        "Nothing needs to be done.",
    ),
    warning(
        "CD-TAG-TWICE",
        "A value of the discriminator stands for more than one alternative. The first is used.",
        "two alternatives with `kind: {const: cat}`",
        "Give each a value of its own.",
    ),
    unsupported(
        "CD-UNION-LOOSE",
        "Alternatives (`oneOf`, `anyOf`) beside other alternatives are not told apart: their properties are all optional.",
        "oneOf: [A, B]\nanyOf: [C, D]",
        "Write the combinations out, or one of the two as `allOf`.",
    ),
    unsupported(
        "CD-UNION-SEVERAL",
        "A value may be several alternatives of `anyOf` at once. It is read as the one that keeps most of it.",
        "anyOf: [{properties: {a: …}}, {properties: {b: …}}]      # and the value has both",
        "Where there are such values, an overlay can make it one object with the members of all.",
    ),
    unsupported(
        "CD-UNION-RESTRICTS",
        "Alternatives that only restrict the properties beside them (\"one of these two is required\") are not enforced.",
        "properties: {a: …, b: …}\nanyOf: [{required: [a]}, {required: [b]}]",
        "Check it in the mapper.",
    ),
    unsupported(
        "CD-REQUIRED-BESIDE",
        "`required` beside alternatives that declare the properties is not enforced.",
        "required: [id]\noneOf: [{$ref: …}, {$ref: …}]",
        "Repeat it in each of the alternatives.",
    ),
    warning(
        "CD-REQUIRED-BOOLEAN",
        "`required: true` inside a property. It has no effect in OpenAPI 3.",
        "properties: {id: {type: string, required: true}}",
        "List the property in the `required` of its object.",
    ),
    warning(
        "CD-REQUIRED-UNDECLARED",
        "`required` names a property that is not declared. It becomes an optional field of any type.",
        "required: [id]\nproperties: {name: {type: string}}",
        "Declare the property, or correct the name.",
    ),
    unsupported(
        "CD-PATTERN-PROPERTIES",
        "The pattern of `patternProperties` is not checked: what it describes is kept with the other properties.",
        "patternProperties: {\"^x-\": {type: string}}",
        "Nothing needs to be done.",
    ),
    unsupported(
        "CD-PREFIX-ITEMS",
        "`prefixItems` that more items may follow is read as a list of any values.",
        "type: array\nprefixItems: [{type: string}, {type: integer}]",
        "Close it with `items: false`: then it becomes a tuple.",
    ),
    unsupported(
        "CD-TUPLE",
        "A tuple of no place, or of more than 12, takes any values.",
        "type: array\nprefixItems: []\nitems: false",
        "Nothing needs to be done.",
    ),
    note(
        "CD-NAME-CHANGED",
        "A name of the document is no name in Rust, or is taken there, and is called otherwise. On the wire it stays as \
         written.",
        "properties: {\"@type\": {type: string}, self: {type: string}}",
        "Nothing needs to be done.",
    ),
];
