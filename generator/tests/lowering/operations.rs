//! Operations: paths, parameters, bodies, replies, security, servers.

use insta::assert_snapshot;

use crate::given::document;

/// A document of operations.
fn paths(paths: &str) -> String {
    document(&format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}"))
}

#[test]
fn path_templates() {
    assert_snapshot!(paths("
  /{a}.{b}:
    parameters: [{name: a, in: path, required: true, schema: {type: string}}, {name: b, in: path, required: true, schema: {type: string}}]
    get: {operationId: dotted, responses: {'204': {description: ok}}}
  '/x:{verb}':
    get: {operationId: colon, parameters: [{name: verb, in: path, schema: {type: string}}], responses: {'204': {description: ok}}}
  /with space/é?fixed=1#part:
    get: {operationId: odd, responses: {'204': {description: ok}}}
  no/slash:
    get: {operationId: slash, responses: {'204': {description: ok}}}
"), @r#"
    GET /{a}.{b}: "dotted"
      Path a: text (Simple)
      Path b: text (Simple)
      204

    GET /x:{verb}: "colon"
      Path verb: text (Simple)
      204

    GET /with%20space/%C3%A9?fixed=1: "odd"
      204

    GET /no/slash: "slash"
      204
    warning [CD-PATH-SLASH] 0#/paths/no~1slash: the path `no/slash` does not begin with a slash: one is added
    note [CD-PATH-REQUIRED] 0#/paths/~1x:{verb}/get/parameters/0: a path parameter is always required, and must say so
        help: add `required: true`
    note [CD-PATH-FRAGMENT] 0#/paths/~1with space~1é?fixed=1#part: the fragment of a path (`#…`) is never sent: it only tells operations apart
    "#);
}

#[test]
fn path_parameters_must_fit_the_path() {
    assert_snapshot!(paths("
  /users/{userId}/{other}:
    get: {operationId: a, parameters: [{name: user_id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: ok}}}
  /open/{brace:
    get: {operationId: b, responses: {'204': {description: ok}}}
  /empty/{}:
    get: {operationId: c, responses: {'204': {description: ok}}}
"), @r"
    error [CD-PATH-PARAMETER] 0#/paths/~1users~1{userId}~1{other}/get/parameters/0: the path `/users/{userId}/{other}` has no place for its parameter `user_id`
        help: did you mean `userId`?
    error [CD-PATH] 0#/paths/~1open~1{brace: the path `/open/{brace` has a brace that is never closed
    error [CD-PATH] 0#/paths/~1empty~1{}: the path `/empty/{}` has a parameter without a name
    warning [CD-PATH-PARAMETER] 0#/paths/~1users~1{userId}~1{other}/get: the path `/users/{userId}/{other}` has a parameter `userId` that is not described: it is text
        help: describe it in `parameters`
    warning [CD-PATH-PARAMETER] 0#/paths/~1users~1{userId}~1{other}/get: the path `/users/{userId}/{other}` has a parameter `other` that is not described: it is text
        help: describe it in `parameters`
    warning [CD-PATH-PARAMETER] 0#/paths/~1empty~1{}/get: the path `/empty/{}` has a parameter `` that is not described: it is text
        help: describe it in `parameters`
    ");
}

#[test]
fn parameters_of_every_style() {
    assert_snapshot!(paths("
  /p/{m}/{l}/{s}:
    get:
      operationId: styles
      parameters:
        - {name: m, in: path, required: true, style: matrix, explode: true, schema: {type: array, items: {type: string}}}
        - {name: l, in: path, required: true, style: label, schema: {type: string}}
        - {name: s, in: path, required: true, style: form, schema: {type: string}}
        - {name: space, in: query, style: spaceDelimited, schema: {type: array, items: {type: string}}}
        - {name: json, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: string, default: x}}}}}}
        - {name: text, in: query, content: {text/plain: {schema: {type: string}}}}
        - {name: reserved, in: query, allowReserved: true, schema: {type: string, default: x, description: Of the schema}}
        - {name: X-List, in: header, explode: true, schema: {type: array, items: {type: integer}}}
        - {name: session, in: cookie, deprecated: true, schema: {type: string}}
        - {name: Accept, in: header, schema: {type: string}}
        - {name: authorization, in: header, schema: {type: string}}
        - {name: untyped, in: query}
        - {name: swagger, in: query, type: integer, format: int32}
        - {name: session, in: cookie, schema: {type: integer}}
      responses: {'204': {description: ok}}
"), @r#"
    GET /p/{m}/{l}/{s}: "styles"
      Path m: [text] (Matrix*)
      Path l: text (Label)
      Path s: text (Simple)
      Query space?: [text] (SpaceDelimited)
      Query json?: (styles).json (Form* as application/json)
      Query text?: text (Form*)
      Query reserved?: text = "x" (Form* reserved)
        // "Of the schema"
      Header X-List?: [i64] (Simple*)
      Cookie session?: i64 (Form*)
      Query untyped?: any (Form*)
      Query swagger?: i32 (Form*)
      204

    (styles).json (0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/4/content/application~1json/schema)
      "a"?: text = "x"
    warning [CD-PARAMETER-TWICE] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/13: the parameter `session` is listed twice: the last is used
        help: remove one of them
    warning [CD-STYLE] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/2/style: the style `form` is none of this kind of parameter: the default is used
    note [CD-PARAMETER-CONTENT] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/5/content/text~1plain: a parameter in `text/plain` travels as if it were described by a schema
    note [CD-HEADER-RESERVED] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/9: OpenAPI ignores a header parameter named `Accept`: the client sets it itself
    note [CD-HEADER-RESERVED] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/10: OpenAPI ignores a header parameter named `authorization`: the client sets it itself
    warning [CD-PARAMETER-SCHEMA] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/11: a parameter needs a `schema` or `content`: it can be any value
        help: describe it
    warning [CD-PARAMETER-SCHEMA] 0#/paths/~1p~1{m}~1{l}~1{s}/get/parameters/12: the `type` of a parameter belongs into its `schema`: it is read as if it stood there
        help: move it into `schema`
    "#);
}

#[test]
fn parameters_that_cannot_be() {
    assert_snapshot!(paths("
  /p:
    get:
      operationId: wrong
      parameters:
        - {name: b, in: body, schema: {type: string}}
        - {name: nowhere, in: matrix, schema: {type: string}}
        - {in: query, schema: {type: string}}
        - 3
      responses: {'204': {description: ok}}
"), @r"
    error [CD-PARAMETER-IN] 0#/paths/~1p/get/parameters/0/in: a parameter cannot be in `body`
        help: Swagger 2.0's word: describe it in `requestBody`
    error [CD-PARAMETER-IN] 0#/paths/~1p/get/parameters/1/in: a parameter cannot be in `matrix`
        help: it is one of path, query, header, cookie
    error [CD-PARAMETER] 0#/paths/~1p/get/parameters/2: a parameter needs `name` and `in`
    error [CD-TYPE] 0#/paths/~1p/get/parameters/3: `3`: expected an object, found a number
    ");
}

#[test]
fn bodies_of_every_kind() {
    assert_snapshot!(paths("
  /b:
    post:
      operationId: send
      requestBody:
        content:
          application/json: {schema: {type: object, properties: {a: {type: string}}}}
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {a: {type: array, items: {type: string}}}}
            encoding: {a: {style: spaceDelimited, explode: false, allowReserved: true}}
          application/xml: {schema: {type: object, properties: {a: {type: string}}}}
          text/csv: {schema: {type: object}}
          text/plain: {schema: {type: integer}}
          application/octet-stream: {}
          application/x-ndjson: {schema: {type: array, items: {type: integer}}}
          application/vnd.odd: {schema: {type: string}}
          application/vnd.raw: {schema: {type: string, format: binary}}
          application/zip: {schema: {type: object, properties: {a: {type: string}}}}
          'application/*+json': {schema: {type: integer}}
      responses: {'204': {description: ok}}
  /e:
    post:
      operationId: empty
      requestBody: {content: {}}
      responses: {'204': {description: ok}}
"), @r#"
    POST /b: "send"
      body?
        application/json Json: (send).body
        application/x-www-form-urlencoded Form: (send).body.form
          a: [] Some(SpaceDelimited) Some(false) true
        application/xml Text: text
        text/csv Text: text
        text/plain Text: i64
        application/octet-stream Binary: bytes
        application/x-ndjson JsonLines: i64
        application/vnd.odd Text: text
        application/vnd.raw Binary: bytes
        application/zip Binary: bytes
        application/*+json Json: i64
      204

    POST /e: "empty"
      204

    (send).body (0#/paths/~1b/post/requestBody/content/application~1json/schema)
      "a"?: text

    (send).body.form (0#/paths/~1b/post/requestBody/content/application~1x-www-form-urlencoded/schema)
      "a"?: [text]
    warning [CD-BODY-EMPTY] 0#/paths/~1e/post/requestBody: a request body without a media type cannot be sent: it is left out
        help: add a media type to `content`
    note [CD-XML] 0#/paths/~1b/post/requestBody/content/application~1xml: an XML body is carried as text: its schema is not used
    note [CD-TEXT-SCHEMA] 0#/paths/~1b/post/requestBody/content/text~1csv: a text body that is not one simple value is carried as text: its schema is not used
    "#);
}

#[test]
fn replies_of_every_kind() {
    assert_snapshot!(paths("
  /r:
    get:
      operationId: read
      responses:
        '200':
          description: ok
          headers:
            Content-Type: {schema: {type: string}}
            X-Count: {required: true, schema: {type: integer, format: int32}}
            X-Json: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
          content:
            application/json: {schema: {type: string, format: binary}}
          links: {next: {operationId: read}}
        2xx: {description: range, content: {text/event-stream: {schema: {type: object, properties: {n: {type: integer}}}}}}
        '204': {description: none, content: {application/json: {schema: {type: string}}}}
        5XX: {description: theirs, content: {'*/*': {schema: {type: object, properties: {m: {type: string}}}}}}
        default: {description: rest, content: {text/html: {}}}
        x-ext: {}
    head: {operationId: peek, responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}}}
    trace: {operationId: follow, responses: {'200': {description: ok}}}
    fetch: {operationId: no}
"), @r#"
    GET /r: "read"
      200
        header X-Count: i32
        header X-Json?: (read).reply.200.X-Json
        application/json Binary: bytes
      2XX
        text/event-stream EventStream: (read).reply.2xx
      204
      5XX
        */* Json: (read).reply.5XX
      default
        text/html Text: text

    HEAD /r: "peek"
      200

    TRACE /r: "follow"
      200

    (read).reply.200.X-Json (0#/paths/~1r/get/responses/200/headers/X-Json/content/application~1json/schema)
      "a"?: text

    (read).reply.2xx (0#/paths/~1r/get/responses/2xx/content/text~1event-stream/schema)
      "n"?: i64

    (read).reply.5XX (0#/paths/~1r/get/responses/5XX/content/*~1*/schema)
      "m"?: text
    note [CD-UNKNOWN-KEYWORD] 0#/paths/~1r/fetch: `fetch` is neither a method nor anything else a path has: it has no effect
    note [CD-LINKS] 0#/paths/~1r/get/responses/200/links: `links` have no effect
    note [CD-HEADER-CONTENT] 0#/paths/~1r/get/responses/200/headers/X-Json/content/application~1json: a response header in JSON is read as any other header
    note [CD-BODY-NEVER] 0#/paths/~1r/get/responses/204/content: a response of this status never has a body: its `content` is left out
    note [CD-BODY-NEVER] 0#/paths/~1r/head/responses: a reply to HEAD never has a body: its `content` is left out
    "#);
    assert_snapshot!(paths("
  /r:
    get: {operationId: read, responses: {teapot: {description: no}, 9XX: {description: no}, '200': gone}}
"), @r"
    error [CD-STATUS] 0#/paths/~1r/get/responses/teapot: `teapot` is no status: a code such as 404, a range such as 4XX, or `default`
    error [CD-STATUS] 0#/paths/~1r/get/responses/9XX: `9XX` is no status: a code such as 404, a range such as 4XX, or `default`
    error [CD-TYPE] 0#/paths/~1r/get/responses/200: `200`: expected an object, found a string
    ");
}

#[test]
fn security_and_servers() {
    assert_snapshot!(document("
openapi: 3.1.0
info: {title: T, version: 1.0}
servers:
  - {url: 'https://{r}.x.test:{port}', variables: {r: {enum: [a, b], default: c}, port: {default: 443}}}
security: [{}, {person: [a, b], cert: []}]
paths:
  /a:
    servers: [{url: https://path.test}]
    get: {operationId: a, responses: {'204': {description: ok}}}
    put: {operationId: b, servers: [{url: https://op.test}], responses: {'204': {description: ok}}}
components:
  securitySchemes:
    person: {type: oauth2, flows: {authorizationCode: {authorizationUrl: https://x.test/a, tokenUrl: https://x.test/t}}}
    both: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {}}, implicit: {authorizationUrl: https://x.test}}}
    oidc: {type: openIdConnect, openIdConnectUrl: https://x.test/.well-known}
    cert: {type: mutualTLS, description: A certificate}
    digest: {type: http, scheme: Digest}
    upper: {type: http, scheme: BEARER}
"), @r#"
    server https://{r}.x.test:{port}
      r = c ["a", "b"]
      port = 443 []
    scheme person: Bearer
    scheme both: client credentials at /token
    scheme oidc: Bearer
    scheme cert: Unsupported("mutualTLS")
    scheme digest: Unsupported("http Digest")
    scheme upper: Bearer

    GET /a: "a"
      server https://path.test
      security anonymous | person[a,b] + cert
      204

    PUT /a: "b"
      server https://op.test
      security anonymous | person[a,b] + cert
      204
    warning [CD-SERVER] 0#/servers/0: the default `c` of `r` is none of its values
        help: add it to `enum`
    note [CD-SECURITY-UNSUPPORTED] 0#/components/securitySchemes/cert: a security scheme of type `mutualTLS` is not done by the client: the caller has to
    note [CD-SECURITY-UNSUPPORTED] 0#/components/securitySchemes/digest: a security scheme of type `http Digest` is not done by the client: the caller has to
    note [CD-TEXT] 0#/info/version: `version` is not text: it is read as "1.0"
        help: put it in quotes
    note [CD-TEXT] 0#/servers/0/variables/port/default: `default` is not text: it is read as "443"
        help: put it in quotes
    "#);
    assert_snapshot!(document("
openapi: 3.1.0
info: {title: T, version: '1'}
servers:
  - {url: 'https://x.test', variables: {nothing: {}}}
  - {url: 'https://{unknown}.x.test'}
  - {description: no URL}
paths:
  /a: {put: {operationId: b, security: [{persn: []}], responses: {'204': {description: ok}}}}
components:
  securitySchemes:
    person: {type: http, scheme: basic}
    nowhere: {type: apiKey, in: body, name: x}
    untyped: {description: no type}
"), @r"
    warning [CD-SERVER] 0#/servers/0/variables/nothing: the server variable `nothing` has no `default`
        help: give it a `default`
    warning [CD-SERVER] 0#/servers/1/url: the URL has a variable `unknown` that `variables` does not describe
        help: describe it with a `default`
    error [CD-SERVER] 0#/servers/2: this is not a server: missing field `url`
    error [CD-SECURITY] 0#/components/securitySchemes/nowhere: this is not a security scheme: unknown variant `body`, expected one of `query`, `header`, `cookie`
    error [CD-SECURITY] 0#/components/securitySchemes/untyped: a security scheme needs a `type`
    error [CD-SECURITY-UNKNOWN] 0#/paths/~1a/put/security/0/persn: `persn` is no security scheme of this document
        help: did you mean `person`?
    ");
}

#[test]
fn callbacks_give_payload_types_only() {
    assert_snapshot!(paths("
  /subscribe:
    post:
      operationId: subscribe
      responses: {'201': {description: ok}}
      callbacks:
        onEvent:
          '{$request.body#/url}':
            post:
              requestBody: {content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}
              responses: {'200': {description: ok}}
"), @r#"
    POST /subscribe: "subscribe"
      201

    (onEvent).payload (0#/paths/~1subscribe/post/callbacks/onEvent/{$request.body#~1url}/post/requestBody/content/application~1json/schema)
      "id"?: text
    note [CD-CALLBACK] 0#/paths/~1subscribe/post/callbacks/onEvent: callbacks give the types of their payloads, and no method
    "#);
}

#[test]
fn ids_that_are_used_twice_or_missing() {
    assert_snapshot!(paths("
  /a:
    get: {operationId: fetch, responses: {'204': {description: ok}}}
    put: {responses: {'204': {description: ok}}}
    post: {operationId: '', responses: {'204': {description: ok}}}
  /b:
    get: {operationId: fetch, responses: {'204': {description: ok}}}
  /c:
    get: {operationId: fetch, responses: {'204': {description: ok}}}
"), @r#"
    error [CD-OPERATION-ID] 0#/paths/~1b/get/operationId: "fetch" is already used by GET /a (line 6)
        help: rename one of them, or set `on-duplicate = "suffix"` in the project file
    error [CD-OPERATION-ID] 0#/paths/~1c/get/operationId: "fetch" is already used by GET /a (line 6)
        help: rename one of them, or set `on-duplicate = "suffix"` in the project file
    warning [CD-OPERATION-ID-NONE] 0#/paths/~1a/put: 2 operations have no `operationId`, so names are derived: PUT /a, POST /a
        help: write an `operationId` to pin the name
    "#);
}

#[test]
fn small_slips_are_put_up_with_and_told() {
    assert_snapshot!(document("
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      operationId: a
      parameters:
        - {name: q, in: query, required: 'true', schema: {type: string}}
        - {name: r, in: query, required: 'false', schema: {type: string}}
      responses:
        '200':
"), @r#"
    GET /a: "a"
      Query q: text (Form*)
      Query r?: text (Form*)
      200
    warning [CD-RESPONSE-EMPTY] 0#/paths/~1a/get/responses/200: a response with nothing in it: it is taken for one without a body
        help: give it a `description`
    note [CD-FLAG] 0#/paths/~1a/get/parameters/0/required: `required` is text: it is read as true
        help: take the quotes away
    note [CD-FLAG] 0#/paths/~1a/get/parameters/1/required: `required` is text: it is read as false
        help: take the quotes away
    "#);
}
