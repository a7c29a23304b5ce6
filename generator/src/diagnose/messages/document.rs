//! Messages about a document as a whole: its head, servers, credentials, and examples.

use super::{Message, error, not_honoured, note, told, unsupported, warning};

pub(super) const MESSAGES: &[Message] = &[
    warning(
        "CD-INFO",
        "`info` is missing or incomplete: generated documentation lacks the API's title or version.",
        "openapi: 3.0.3\npaths: {}",
        "Add `info: {title: …, version: \"1\"}`.",
    ),
    warning(
        "CD-PATHS",
        "A document of OpenAPI 3.0 without `paths`. There is no operation to be called.",
        "openapi: 3.0.3\ninfo: {title: Pets, version: \"1\"}",
        "Check that this is the right file: it may be a part that another document refers to.",
    ),
    unsupported(
        "CD-DIALECT",
        "`jsonSchemaDialect` names a dialect that is not known. Schemas are read as OpenAPI's own.",
        "jsonSchemaDialect: https://json-schema.org/draft/2019-09/schema",
        "Remove it if the schemas use nothing of that dialect.",
    ),
    note(
        "CD-TEXT",
        "A text of the document was read by YAML as a number or boolean. It is taken as it was read.",
        "info: {title: Pets, version: 1.10}      # the number 1.1",
        "Put it in quotes.",
    ),
    warning(
        "CD-PROSE",
        "A description, summary or title is a list or an object. It is left out.",
        "description: [one, two]",
        "Write it as one text; `description: |` begins a text of several lines.",
    ),
    note(
        "CD-FLAG",
        "`true` or `false` is written in quotes, as text. It is read as what it says.",
        "required: \"true\"",
        "Take the quotes away.",
    ),
    error(
        "CD-TYPE",
        "A value has the wrong type: an object where a list is expected, a text where a number is.",
        "parameters: {id: {in: path}}      # a list is expected",
        "Write what is expected at the place that is shown.",
    ),
    told(
        "CD-UNKNOWN-KEYWORD",
        "error, note",
        "A key that OpenAPI does not define at this place. It has no effect; a method in capitals is an error, since its \
         operation would be lost.",
        "schema: {type: string, lenght: 3}",
        "Correct its spelling, remove it, or name it `x-…` if it is an extension.",
    ),
    told(
        "CD-SERVER",
        "error, warning",
        "A server whose URL cannot be made as it stands: what is there is no server (an error); a variable of it is not \
         described, has no value, or a default that is none of the values it may have (warnings).",
        "servers:\n  - url: https://{region}.example.com",
        "Describe each variable of the URL in `variables`, with a `default`.",
    ),
    note(
        "CD-OPERATION-SERVER",
        "An operation or path has servers of its own. Its calls go there as long as the settings say nothing else.",
        "/files:\n  servers: [{url: https://files.example.com}]",
        "Set `base-url` of the operation in the settings where it should be another.",
    ),
    error(
        "CD-SECURITY",
        "What stands in `securitySchemes` is no security scheme: its `type` is missing, or what belongs to the type.",
        "securitySchemes:\n  key: {in: header, name: X-Key}      # `type: apiKey` is missing",
        "Complete it.",
    ),
    error(
        "CD-SECURITY-UNKNOWN",
        "`security` names a scheme that `components/securitySchemes` does not have. The call would go out without a \
         credential.",
        "security: [{ApiKye: []}]",
        "Correct the spelling (the nearest name is told), or declare the scheme.",
    ),
    not_honoured(told(
        "CD-SECURITY-UNSUPPORTED",
        "warning, note",
        "A kind of security that the client does not do by itself, such as mutual TLS, Digest or OAuth 2 with a person \
         logging in.",
        "type: mutualTLS",
        "Give the client what it needs by other means: certificates in the settings, or a header of your own.",
    )),
    note(
        "CD-CREDENTIAL-ABSENT",
        "No body of the chosen operations has the fields that a credential of the project file is to fill.",
        "[systems.bank.credentials.shop]\nbody = [\"userNmae\", \"password\"]",
        "Check the spelling of the fields.",
    ),
    unsupported(
        "CD-WEBHOOK",
        "Webhooks are calls that the other system makes to you. Their payloads become types; a server is not generated.",
        "webhooks: {paid: {post: {…}}}",
        "Use the types in your own handler.",
    ),
    unsupported(
        "CD-CALLBACK",
        "Callbacks are calls that the other system makes to you. Their payloads become types; a server is not generated.",
        "callbacks: {done: {\"{$request.body#/url}\": {post: {…}}}}",
        "Use the types in your own handler.",
    ),
    unsupported(
        "CD-LINKS",
        "`links` of a response are not followed.",
        "links: {next: {operationId: getPet}}",
        "Call the operation yourself. Pages that lead to the next can be declared in the project file (`pages`).",
    ),
    note(
        "CD-EXAMPLE",
        "An example contradicts the schema beside it, so it cannot be tested. One of the two is wrong, and the real system \
         may follow either.",
        "schema: {type: integer}\nexample: \"12\"",
        "Ask the owner of the document which one holds; change the other by an overlay.",
    ),
    note(
        "CD-EXAMPLES",
        "How many examples and defaults of the document the contract tests use, and how many they cannot.",
        "cofferdam generate --with-tests",
        "Nothing needs to be done.",
    ),
];
