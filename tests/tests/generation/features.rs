//! A system as a crate of its own whose tags are features: it compiles with none, with one and with all of them.

use crate::workshop::{Workshop, root};

const SPEC: &str = r##"openapi: 3.0.3
info: {title: Zoo, version: "1"}
paths:
  /animals/{id}:
    get:
      operationId: getAnimal
      tags: [Animals, "Night keepers"]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: it, content: {application/json: {schema: {$ref: "#/components/schemas/Animal"}}}}
        "404": {description: none, content: {application/json: {schema: {$ref: "#/components/schemas/Fault"}}}}
  /tickets:
    post:
      operationId: sell
      tags: [tickets]
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Ticket"}}}}
      responses: {"204": {description: done}}
  /health:
    get:
      operationId: health
      responses:
        "200": {description: it, content: {application/json: {schema: {$ref: "#/components/schemas/Health"}}}}
components:
  schemas:
    Animal: {type: object, properties: {name: {type: string}, born: {type: string, format: date}}, example: {name: Rex}}
    Ticket: {type: object, properties: {price: {$ref: "#/components/schemas/Money"}}}
    Money: {type: object, properties: {minor: {type: integer}}}
    Fault: {type: object, properties: {code: {type: integer}}}
    Health: {type: object, properties: {fine: {type: boolean}}}
    Alone: {type: object, properties: {fault: {$ref: "#/components/schemas/Fault"}}}
"##;

#[test]
fn it_compiles_with_no_feature_with_one_and_with_all() {
    let workshop = Workshop::empty();
    workshop.write("specs/zoo.yaml", SPEC);
    let runtime = root().join("runtime");
    workshop.write(
        "specs/cofferdam.toml",
        &format!(
            "[systems.zoo]\nspec = \"zoo.yaml\"\nout = \"..\"\n\n[systems.zoo.crate]\nruntime-path = {runtime:?}\n\
             tag-features = true\n\n[systems.zoo.crate.dependencies]\nserde_json = {{ version = \"1\", features = [\"std\"] }}\n"
        ),
    );
    workshop.cofferdam(&["generate", "--project", "specs/cofferdam.toml", "--with-tests"]).well();
    let manifest = workshop.read("Cargo.toml");
    assert!(manifest.contains("default = [\"animals\", \"night-keepers\", \"tickets\"]\n"), "{manifest}");
    assert!(manifest.contains("serde_json = { version = \"1\", features = [\"std\"] }\n"), "{manifest}");
    let types = workshop.read("src/types.rs");
    let gated = |condition: &str, name: &str| {
        let item = format!("#[cfg({condition})]\npub struct {name} ");
        assert!(types.contains(&item), "{item}:\n{types}");
    };
    gated("any(feature = \"animals\", feature = \"night-keepers\")", "Animal");
    gated("feature = \"tickets\"", "Money");
    // An operation without a tag needs the one, and what nothing asks for the other.
    for always in ["Health", "Fault", "Alone"] {
        assert!(
            types.contains(&format!("#[derive(Debug, Clone, PartialEq, Default)]\npub struct {always} ")),
            "{types}"
        );
    }
    std::fs::copy(root().join("Cargo.lock"), workshop.path("Cargo.lock")).unwrap();
    for features in [&["--no-default-features"][..], &["--no-default-features", "--features", "tickets"], &[]] {
        let check = [&["clippy", "--quiet", "--all-targets"], features, &["--", "-D", "warnings"]].concat();
        workshop.cargo(&check).well();
    }
}
