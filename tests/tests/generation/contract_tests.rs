//! Contract tests: generated from the examples of a document, they pass as generated, and fail when a type loses
//! something.

use crate::workshop::{Workshop, root};

const SPEC: &str = r##"openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      operationId: addPet
      parameters:
        - {name: at, in: query, schema: {type: array, items: {type: string, format: date}}, example: ['2024-02-29']}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}, example: {name: Rex, kind: dog, id: 3}}
          multipart/form-data:
            schema: {type: object, properties: {photo: {type: string, format: binary}, title: {type: string}}}
            example: {photo: bytes, title: t}
      responses:
        '200':
          description: ok
          headers: {X-Left: {schema: {type: integer}, example: 3}}
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}
              examples:
                two: {value: [{name: Rex, kind: dog}, {name: "a\r\n\u202e\"#\"", kind: cat, mood: null}]}
components:
  schemas:
    Pet:
      type: object
      required: [name, kind]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, default: '-'}
        kind: {type: string, enum: [dog, cat], examples: [dog, lion]}
        mood: {type: [string, 'null'], default: null}
        born: {type: string, format: date-time, examples: ['2024-01-02T03:04:05.1+00:00']}
        size: {oneOf: [{type: number}, {type: string}], examples: [1.50, small]}
        home: {oneOf: [{$ref: '#/components/schemas/Hut'}, {$ref: '#/components/schemas/House'}]}
        more: {type: object, additionalProperties: {type: integer}, examples: [{a: 1, b: 2.0}]}
      examples: [{name: Ann, kind: cat, unknown: 1, size: 1e2}, {name: Bob}]
    Hut:
      type: object
      properties: {id: {type: integer}, plan: {type: object, properties: {rooms: {type: integer}}}}
    House:
      type: object
      properties: {id: {type: integer}, plan: {type: object, properties: {rooms: {type: integer}, doors: {type: number}}}}
      examples: [{id: 1, plan: {rooms: 1, doors: 2}}]
    Home:
      oneOf: [{$ref: '#/components/schemas/Hut'}, {$ref: '#/components/schemas/House'}]
      examples: [{id: 1, plan: {rooms: 1, doors: 2}}, {id: 2, plan: {rooms: 1}}, {plan: {doors: 0.5}, stairs: 1}]
"##;

fn workshop() -> Workshop {
    let workshop = Workshop::empty();
    workshop.write("pets.yaml", SPEC);
    let runtime = root().join("runtime");
    let arguments = ["generate", "--spec", "pets.yaml", "--system", "pets", "--out", ".", "--crate", "--with-tests"];
    workshop.cofferdam(&[&arguments, ["--runtime-path", &runtime.to_string_lossy()].as_slice()].concat()).well();
    workshop.take_profile_and_lock();
    workshop
}

#[test]
fn they_pass_as_generated_and_fail_when_something_is_lost() {
    let workshop = workshop();
    workshop.cargo(&["clippy", "--quiet", "--all-targets", "--", "-D", "warnings"]).well();
    let printed = workshop.cargo(&["test", "--quiet", "--test", "contract", "--", "--nocapture"]).well();
    assert!(printed.contains("18 examples, 0 failed"), "{printed}");

    workshop.edit("src/types.rs", "object.optional(\"size\", &self.size)?;", "");
    let ended = workshop.cargo(&["test", "--quiet", "--test", "contract"]);
    assert!(!ended.ok, "{}", ended.printed);
    assert!(ended.printed.contains("/components/schemas/Pet/examples/0: /size was lost: 100"), "{}", ended.printed);
}

#[test]
fn in_a_module_they_are_part_of_the_crate_it_belongs_to() {
    let workshop = Workshop::empty();
    workshop.write("pets.yaml", SPEC);
    workshop.write("cofferdam.toml", "out = \"src\"\n[systems.pets]\nspec = \"pets.yaml\"\n");
    workshop.make_crate("team", "2024", false);
    let testing = root().join("testing");
    let dependency = format!(
        "[dev-dependencies]\ncofferdam-testing = {{ path = {testing:?}, features = [\"trial\"] }}\n\n[workspace]"
    );
    workshop.edit("Cargo.toml", "[workspace]", &dependency);
    workshop.write("src/lib.rs", "//! A team's crate.\n#![deny(warnings)]\npub mod pets;\n");
    workshop.cofferdam(&["generate", "--with-tests"]).well();
    let printed = workshop.cargo(&["test", "--quiet", "--lib", "--", "--nocapture"]).well();
    assert!(printed.contains("18 examples, 0 failed"), "{printed}");
}
