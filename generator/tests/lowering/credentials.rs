//! Credentials that travel in the body.

use cofferdam::lower::LowerOptions;
use insta::assert_snapshot;

use crate::given::{files, told};

const GATEWAY: &str = "
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /register.do:
    post:
      operationId: register
      requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Register'}}}}
      responses: {'204': {description: ok}}
  /deposit.do:
    post:
      operationId: deposit
      security: [{bearer: []}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Shared'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Shared'}}}}}
  /ping:
    post:
      operationId: ping
      requestBody: {content: {application/json: {schema: {type: object, properties: {userName: {type: string}}}}}}
      responses: {'204': {description: ok}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    Login: {type: object, required: [userName, password], properties: {userName: {type: string}, password: {type: string}}}
    Register: {allOf: [{$ref: '#/components/schemas/Login'}, {type: object, required: [amount], properties: {token: {type: string}, amount: {type: integer}}}]}
    Shared: {type: object, properties: {userName: {type: string}, password: {type: string}, id: {type: string}}}
";

fn lifted(credentials: &[(&str, &[&str])]) -> String {
    let body_credentials = credentials
        .iter()
        .map(|(label, fields)| ((*label).to_owned(), fields.iter().map(|field| (*field).to_owned()).collect()))
        .collect();
    let options = LowerOptions { body_credentials, ..LowerOptions::default() };
    let (api, report) = files(&[("root.yaml", GATEWAY)], &options);
    told(api.as_ref(), &report)
}

#[test]
fn leave_the_types_and_become_schemes() {
    assert_snapshot!(lifted(&[("merchant", &["userName", "password"]), ("token", &["token"]), ("absent", &["pin"])]), @r#"
    scheme bearer: Bearer
    scheme userName: key userName in Body
    scheme password: key password in Body
    scheme token: key token in Body

    POST /register.do: "register"
      security userName + password | token
      body
        application/x-www-form-urlencoded Form: Register
      204

    POST /deposit.do: "deposit"
      security bearer | userName + password
      body
        application/json Json: (deposit).body
      200
        application/json Json: Shared

    POST /ping: "ping"
      body?
        application/json Json: (ping).body
      204

    Login (0#/components/schemas/Login)
      "userName": text
      "password": text

    Register (0#/components/schemas/Register)
      "amount": i64

    Shared (0#/components/schemas/Shared)
      "userName"?: text
      "password"?: text
      "id"?: text

    (ping).body (0#/paths/~1ping/post/requestBody/content/application~1json/schema)
      "userName"?: text

    (deposit).body (0#/components/schemas/Shared)
      "id"?: text
    note [CD-CREDENTIAL-ABSENT] 0#: no body has all fields of the credential `absent`: pin
        help: check their spelling
    "#);
}

#[test]
fn without_a_declaration_nothing_changes() {
    assert!(lifted(&[]).contains("\"userName\": text"));
}
