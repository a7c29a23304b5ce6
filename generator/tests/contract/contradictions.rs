use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::given::{pointers, schemas};

#[test]
fn an_example_that_its_type_cannot_read_is_a_note_with_its_pointer() {
    let mut planned = schemas(
        "3.0.3",
        "Pet:
  type: object
  required: [name, born]
  properties: {name: {type: string}, born: {type: string, format: date}, legs: {type: integer, example: four}}
  example: {name: Tom}
Born: {type: string, format: date-time, example: yesterday}
Site: {type: string, format: uri, example: example.com}
Some: {type: array, items: {type: boolean}, example: [true, 'no']}
Kind: {type: object, properties: {a: {type: object, properties: {b: {type: string}}}}, example: {a: {b: null}}}
",
    );
    let (contract, told) = planned.contract();
    assert_eq!(pointers(&contract.examples), Vec::<String>::new());
    assert_eq!(
        told,
        [
            "/Pet/properties/legs/example: this example contradicts its schema, and is not tested: expected a 64-bit \
             integer, found \"four\"",
            "/Pet/example: this example contradicts its schema, and is not tested: `born` is required, but missing",
            "/Born/example: this example contradicts its schema, and is not tested: expected a date-time with a zone \
             (RFC 3339), found \"yesterday\"",
            "/Site/example: this example contradicts its schema, and is not tested: expected an absolute URI, found \
             \"example.com\"",
            "/Some/example: this example contradicts its schema, and is not tested: at /1, expected true or false, \
             found \"no\"",
            "/Kind/example: this example contradicts its schema, and is not tested: at /a/b, expected text, found null",
            ": 6 examples and defaults: 0 tested, of which 0 break a bound of their schema; 6 contradict their schema; 0 \
             describe what has no type",
        ]
    );
}

#[test]
fn an_example_that_only_breaks_a_bound_is_tested_all_the_same() {
    let mut planned = schemas(
        "3.1.0",
        "Word: {type: string, enum: [a, b], example: c}
Code: {type: string, pattern: '^[A-Z]{3}$', example: ab}
Count: {type: integer, minimum: 3, example: 2}
Even: {type: integer, multipleOf: 2, example: 3}
Over: {type: number, exclusiveMinimum: 0, example: 0}
Few: {type: array, items: {type: integer}, maxItems: 1, example: [1, 2]}
Once: {type: array, items: {type: integer}, uniqueItems: true, example: [1, 1]}
Shut: {type: object, properties: {a: {type: string}}, additionalProperties: false, example: {b: 1}}
",
    );
    let (contract, told) = planned.contract();
    assert_eq!(
        pointers(&contract.examples),
        [
            "/Word/example",
            "/Code/example",
            "/Count/example",
            "/Even/example",
            "/Over/example",
            "/Few/example",
            "/Once/example",
            "/Shut/example"
        ]
    );
    let told: Vec<&str> = told.iter().map(|line| line.split(": ").last().unwrap()).collect();
    assert_eq!(
        told[..8],
        [
            "\"c\" is not among the listed values",
            "\"ab\" does not match the pattern ^[A-Z]{3}$",
            "2 is below the minimum 3",
            "3 is no multiple of 2",
            "0 is below the minimum 0",
            "it has 2 items, more than 1",
            "an item stands there more than once",
            "`b` is not allowed here",
        ]
    );
}

#[test]
fn bounds_of_every_schema_that_describes_a_value_count() {
    let mut planned = schemas(
        "3.1.0",
        "Base: {type: string, minLength: 3}
Derived:
  allOf: [{$ref: '#/components/schemas/Base'}, {maxLength: 5}]
  examples: [abcd, ab, abcdef]
Holder:
  type: object
  properties: {code: {$ref: '#/components/schemas/Derived'}}
  examples: [{code: abcdefg}]
",
    );
    let (_, told) = planned.contract();
    assert_eq!(
        told[..3],
        [
            "/Derived/examples/1: this example contradicts its schema: it has 2 characters, fewer than 3",
            "/Derived/examples/2: this example contradicts its schema: it has 6 characters, more than 5",
            "/Holder/examples/0: this example contradicts its schema: at /code, it has 7 characters, more than 5",
        ]
    );
}

#[test]
fn alternatives_in_each_other_end_in_time() {
    let mut example = String::from("1");
    for _ in 0..40 {
        example = format!("{{a: {example}}}");
    }
    let mut text = String::from("Loop:\n  oneOf:\n");
    for _ in 0..4 {
        writeln!(text, "    - {{type: object, properties: {{a: {{$ref: '#/components/schemas/Loop'}}}}}}").unwrap();
    }
    writeln!(text, "  example: {example}").unwrap();
    let mut planned = schemas("3.0.3", &text);
    let start = Instant::now();
    let (contract, told) = planned.contract();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(contract.tally.contradicting, 1, "{told:?}");
}
