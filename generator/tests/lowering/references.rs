//! References of every kind, and those that lead nowhere.

use cofferdam::lower::LowerOptions;
use insta::assert_snapshot;

use crate::given::{document, files, schemas, told};

#[test]
fn into_the_middle_of_things() {
    assert_snapshot!(document("
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getA
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: object, properties: {x: {type: integer}}}}}}
  /b:
    get:
      operationId: getB
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/paths/~1a~1%7Bid%7D/get/responses/200/content/application~1json/schema'}}}}
components:
  schemas:
    Uses: {type: object, properties: {street: {$ref: '#/components/schemas/Person/properties/address/properties/street'}, address: {$ref: '#/components/schemas/Person/properties/address'}}}
    Person: {type: object, properties: {address: {type: object, properties: {street: {type: string}}}}}
    Through: {$ref: '#/components/schemas/Alias/properties/address'}
    Alias: {$ref: '#/components/schemas/Person'}
"), @r#"
    GET /a/{id}: "getA"
      Path id: text (Simple)
      200
        application/json Json: (getA).reply.200

    GET /b: "getB"
      200
        application/json Json: (getA).reply.200

    Uses (0#/components/schemas/Uses)
      "street"?: Person.address.street
      "address"?: Person.address

    Person (0#/components/schemas/Person)
      "address"?: Person.address

    Through (0#/components/schemas/Through)
      = Person.address

    Alias (0#/components/schemas/Alias)
      = Person

    (getA).reply.200 (0#/paths/~1a~1{id}/get/responses/200/content/application~1json/schema)
      "x"?: i64

    Person.address.street (0#/components/schemas/Person/properties/address/properties/street)
      = text

    Person.address (0#/components/schemas/Person/properties/address)
      "street"?: Person.address.street
    "#);
}

#[test]
fn to_shared_things_of_components() {
    assert_snapshot!(document("
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    post:
      operationId: a
      parameters: [{$ref: '#/components/parameters/Sort'}]
      requestBody: {$ref: '#/components/requestBodies/Pet'}
      responses:
        '200': {$ref: '#/components/responses/Page'}
        default: {$ref: '#/components/responses/Chained'}
      security: [{key: []}]
components:
  parameters:
    Sort: {name: sort, in: query, schema: {type: string, enum: [up, down]}}
  requestBodies:
    Pet: {required: true, content: {application/json: {schema: {type: object, properties: {n: {type: string}}}}}}
  responses:
    Page:
      description: ok
      headers: {X-Next: {$ref: '#/components/headers/Next'}}
      content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
    Chained: {$ref: '#/components/responses/Fault'}
    Fault: {description: bad}
  headers:
    Next: {required: true, schema: {type: string, enum: [a, b]}}
  securitySchemes:
    key: {$ref: '#/components/securitySchemes/other'}
    other: {type: apiKey, in: header, name: X-Key}
"), @r#"
    scheme key: key X-Key in Header
    scheme other: key X-Key in Header

    POST /a: "a"
      security key
      Query sort?: (Sort).parameter (Form*)
      body
        application/json Json: (Pet).body
      200
        header X-Next: (Next).header
        application/json Json: (Page).response
      default

    (Sort).parameter (0#/components/parameters/Sort/schema)
      "up"
      "down"

    (Page).response (0#/components/responses/Page/content/application~1json/schema)
      "items"?: [(Page).response.items.item]

    (Page).response.items.item (0#/components/responses/Page/content/application~1json/schema/properties/items/items)
      "id"?: text

    (Next).header (0#/components/headers/Next/schema)
      "a"
      "b"

    (Pet).body (0#/components/requestBodies/Pet/content/application~1json/schema)
      "n"?: text
    "#);
}

#[test]
fn that_lead_nowhere_name_the_nearest() {
    assert_snapshot!(document("
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      operationId: a
      parameters: [{$ref: '#/components/parameters/Pge'}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Ordr'}}}}
        '404': {$ref: '#/components/responses/None'}
components:
  parameters: {Page: {name: page, in: query, schema: {type: integer}}}
  schemas:
    Order: {type: object, properties: {line: {$ref: '#/components/schemas/Order/propertys/line'}}}
    Anchored: {$ref: '#nowhere'}
    Missing: {$ref: 'missing.yaml#/X'}
"), @r"
    error [CD-REF-FILE] 0#/components/schemas/Missing/$ref: cannot read `missing.yaml`: there is no such file
        help: check the path
    error [CD-REF-MISSING] 0#/paths/~1a/get/parameters/0/$ref: `#/components/parameters/Pge` points to nothing: `/components/parameters` has no `Pge`
        help: did you mean `Page`?
    error [CD-REF-MISSING] 0#/paths/~1a/get/responses/200/content/application~1json/schema/$ref: `#/components/schemas/Ordr` points to nothing: `/components/schemas` has no `Ordr`
        help: did you mean `Order`?
    error [CD-REF-MISSING] 0#/paths/~1a/get/responses/404/$ref: `#/components/responses/None` points to nothing: `/components` has no `responses`
    error [CD-REF-MISSING] 0#/components/schemas/Order/properties/line/$ref: `#/components/schemas/Order/propertys/line` points to nothing: `/components/schemas/Order` has no `propertys`
        help: did you mean `properties`?
    error [CD-REF-MISSING] 0#/components/schemas/Anchored/$ref: `#nowhere` points to nothing: no `$anchor` is named `nowhere`
    ");
}

#[test]
fn that_go_round_are_told_and_end() {
    assert_snapshot!(document("
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a: {$ref: '#/paths/~1b'}
  /b: {$ref: '#/paths/~1a'}
  /c:
    get:
      operationId: c
      parameters: [{$ref: '#/components/parameters/A'}]
      responses: {'204': {description: ok}}
components:
  parameters: {A: {$ref: '#/components/parameters/B'}, B: {$ref: '#/components/parameters/A'}}
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B: {$ref: '#/components/schemas/A'}
    Self: {$ref: '#/components/schemas/Self'}
    Whole: {allOf: [{$ref: '#/components/schemas/Part'}, {properties: {a: {type: string}}}]}
    Part: {allOf: [{$ref: '#/components/schemas/Whole'}, {properties: {b: {type: string}}}]}
    Either: {oneOf: [{$ref: '#/components/schemas/Either'}, {type: string}]}
    Inside: {$ref: '#/components/schemas/Inside/properties/x'}
"), @r"
    error [CD-REF-LOOP] 0#/paths/~1a/$ref: the reference `#/paths/~1b` leads back to itself
        help: refer to the thing itself
    error [CD-REF-LOOP] 0#/paths/~1b/$ref: the reference `#/paths/~1a` leads back to itself
        help: refer to the thing itself
    error [CD-REF-LOOP] 0#/paths/~1c/get/parameters/0/$ref: the reference `#/components/parameters/B` leads back to itself
        help: refer to the thing itself
    warning [CD-ALLOF-CYCLE] 0#/components/schemas/Part/allOf/0/$ref: `allOf` comes back to /components/schemas/Whole: it adds nothing, and is left out
        help: a schema cannot be a part of itself
    warning [CD-ALLOF-CYCLE] 0#/components/schemas/Whole/allOf/0/$ref: `allOf` comes back to /components/schemas/Part: it adds nothing, and is left out
        help: a schema cannot be a part of itself
    warning [CD-SCHEMA-CYCLE] 0#/components/schemas/Either/oneOf/0: this branch is the schema it stands in: it adds nothing, and is left out
        help: take it away
    error [CD-REF-LOOP] 0#/components/schemas/Inside/$ref: the reference leads through itself
        help: refer to the thing itself
    error [CD-SCHEMA-CYCLE] 0#/components/schemas/A: this schema is only another name of itself: no value could satisfy it
        help: refer to something else
    error [CD-SCHEMA-CYCLE] 0#/components/schemas/Self: this schema is only another name of itself: no value could satisfy it
        help: refer to something else
    ");
}

#[test]
fn across_files_give_each_schema_once() {
    let root = "
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /pets: {$ref: 'paths/pets.yaml'}
components:
  schemas:
    Pet: {$ref: 'schemas/Pet.yaml'}
    Owner: {type: object, properties: {pets: {type: array, items: {$ref: 'schemas/Pet.yaml'}}}}
    Animal: {$ref: 'schemas/Pet.yaml'}
";
    let paths = "
get:
  operationId: listPets
  parameters: [{$ref: 'shared.yaml#/limit'}]
  responses:
    '200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '../root.yaml#/components/schemas/Pet'}}}}}
";
    let shared = "limit: {name: limit, in: query, schema: {type: integer}}\n";
    let pet = "
type: object
required: [owner]
properties:
  owner: {$ref: '../root.yaml#/components/schemas/Owner'}
  friend: {$ref: './Pet.yaml'}
  tag: {$ref: '#/$defs/Tag'}
  itself: {$ref: '#'}
$defs:
  Tag: {type: string, enum: [a, b]}
";
    let all =
        [("root.yaml", root), ("paths/pets.yaml", paths), ("paths/shared.yaml", shared), ("schemas/Pet.yaml", pet)];
    let (api, report) = files(&all, &LowerOptions::default());
    assert_snapshot!(told(api.as_ref(), &report), @r#"
    GET /pets: "listPets"
      Query limit?: i64 (Form*)
      200
        application/json Json: [Pet]

    Pet (1#)
      "owner": Owner
      "friend"?: Pet
      "tag"?: Tag
      "itself"?: Pet

    Owner (0#/components/schemas/Owner)
      "pets"?: [Pet]

    Animal (0#/components/schemas/Animal)
      = Pet

    Tag (1#/$defs/Tag)
      "a"
      "b"
    "#);
}

#[test]
fn by_id() {
    assert_snapshot!(schemas("3.1.0", "
T: {type: object, properties: {a: {$ref: 'https://example.test/a'}, b: {$ref: 'https://example.test/a#/properties/x'}}}
A: {$id: 'https://example.test/a', type: object, properties: {x: {type: string}}}
"), @r#"
    T (0#/T)
      "a"?: A
      "b"?: A.x

    A (0#/A)
      "x"?: A.x

    A.x (0#/A/properties/x)
      = text
    "#);
}
