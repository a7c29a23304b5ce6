//! Messages about paths, parameters, bodies and responses.

use super::{Message, error, not_honoured, note, told, unsupported, warning};

pub(super) const MESSAGES: &[Message] = &[
    told(
        "CD-OPERATION-ID",
        "error, warning",
        "Two operations have the same `operationId`, which is to be the name of one.",
        "/a: {get: {operationId: list}}\n/b: {get: {operationId: list}}",
        "Rename one of them (by an overlay, when the document is not yours), or set `on-duplicate = \"suffix\"` in the \
         project file.",
    ),
    warning(
        "CD-OPERATION-ID-NONE",
        "Operations without an `operationId`. Their names are made of method and path, and change with them.",
        "/pets: {get: {responses: {…}}}",
        "Write an `operationId`, in the document or by an overlay.",
    ),
    note(
        "CD-OPERATION-UNNAMED",
        "An operation without an `operationId`, and what it is called.",
        "/pets: {get: {responses: {…}}}      # get_pets",
        "Write an `operationId`, so that a change of its path does not rename it.",
    ),
    error(
        "CD-PATH",
        "A path whose braces do not close, or enclose nothing.",
        "/pets/{id",
        "Write each parameter as `{name}`.",
    ),
    note(
        "CD-PATH-FRAGMENT",
        "A path with a fragment. It is never sent: some documents use it to tell operations of one path apart.",
        "/pets#by-owner",
        "Nothing needs to be done.",
    ),
    told(
        "CD-PATH-PARAMETER",
        "error, warning",
        "Path and parameters do not fit: a parameter `in: path` has no place in the path (an error), or a place of the path \
         has no parameter (it is taken as text).",
        "/pets/{id}:\n  get: {parameters: [{name: petId, in: path, …}]}",
        "Give both the same name.",
    ),
    note(
        "CD-PATH-REQUIRED",
        "A parameter in the path that does not say `required: true`. It is required all the same: there is no path without \
         it.",
        "{name: id, in: path, schema: {type: string}}",
        "Add `required: true`.",
    ),
    warning(
        "CD-PATH-SLASH",
        "A path that does not begin with a slash. One is added.",
        "paths: {pets: {get: {…}}}",
        "Write `/pets`.",
    ),
    error(
        "CD-PARAMETER",
        "A parameter without `name` or `in`: nobody knows what to send, or where.",
        "parameters: [{in: query, schema: {type: string}}]",
        "Add what is missing.",
    ),
    error(
        "CD-PARAMETER-IN",
        "A parameter in a place that OpenAPI does not have. `body` and `formData` are Swagger 2.0's words.",
        "{name: pet, in: body, schema: {…}}",
        "Describe a body in `requestBody`; parameters are in path, query, header or cookie.",
    ),
    unsupported(
        "CD-PARAMETER-CONTENT",
        "A parameter described by a media type that is not JSON. It travels as if it were described by its schema.",
        "{name: q, in: query, content: {application/xml: {…}}}",
        "Check with the API what it expects.",
    ),
    warning(
        "CD-PARAMETER-SCHEMA",
        "A parameter without `schema`, or with its `type` beside it instead of in it, as Swagger 2.0 had it.",
        "{name: q, in: query, type: string}",
        "Write `schema: {type: string}`.",
    ),
    warning(
        "CD-PARAMETER-TWICE",
        "A parameter is listed twice for one operation, with the same name and place. The last is used.",
        "parameters: [{name: q, in: query, …}, {name: q, in: query, …}]",
        "Remove one of them.",
    ),
    note(
        "CD-HEADER-RESERVED",
        "A header parameter named Accept, Content-Type or Authorization. OpenAPI says that it is ignored: the client sets \
         these itself.",
        "{name: Authorization, in: header, schema: {type: string}}",
        "Describe credentials in `securitySchemes`.",
    ),
    unsupported(
        "CD-HEADER-CONTENT",
        "A response header described by JSON. It is read as any other header.",
        "headers: {X-Page: {content: {application/json: {…}}}}",
        "Check with the API what it sends.",
    ),
    warning(
        "CD-STYLE",
        "A `style` that this kind of parameter does not have. The default is used.",
        "{name: id, in: path, style: form, …}",
        "In a path: simple, label, matrix. In a query: form, spaceDelimited, pipeDelimited, deepObject. In a header: simple.",
    ),
    note(
        "CD-DEEP-OBJECT",
        "`deepObject` without `explode: true`, for which alone it is defined. It is taken as that.",
        "{name: filter, in: query, style: deepObject, …}",
        "Add `explode: true`.",
    ),
    not_honoured(warning(
        "CD-QUERYSTRING",
        "A parameter that is the whole query (`in: querystring`), in a media type that is no form. It cannot be written.",
        "{name: q, in: querystring, content: {application/json: {…}}}",
        "Describe it as `application/x-www-form-urlencoded`, if the API takes that.",
    )),
    unsupported(
        "CD-ALLOW-EMPTY",
        "`allowEmptyValue` has no effect: a parameter without a value is left out.",
        "{name: flag, in: query, allowEmptyValue: true, …}",
        "Nothing needs to be done, unless the API tells `?flag=` from no flag.",
    ),
    error(
        "CD-STATUS",
        "A key of `responses` that is no status.",
        "responses: {ok: {description: fine}}",
        "Write a code such as \"404\", a range such as \"4XX\", or `default`.",
    ),
    warning(
        "CD-RESPONSE-EMPTY",
        "A response with nothing in it. It is taken for one without a body.",
        "responses: {'204': }",
        "Give it a `description`.",
    ),
    warning(
        "CD-BODY-EMPTY",
        "A request body without a media type. It cannot be sent, and is left out.",
        "requestBody: {content: {}}",
        "Add a media type to `content`.",
    ),
    note(
        "CD-BODY-NEVER",
        "A response that never has a body (to HEAD, or with status 1xx, 204, 205, 304) is described with one. It is left \
         out.",
        "\"204\": {description: gone, content: {application/json: {…}}}",
        "Remove the `content`.",
    ),
    unsupported(
        "CD-BODY-RAW",
        "A body in a media type that is not written or read: the caller gives or gets the bytes.",
        "content: {application/x-protobuf: {schema: {…}}}",
        "Encode and decode it in the mapper.",
    ),
    unsupported(
        "CD-BINARY-SCHEMA",
        "A body carried as bytes, whose schema says more than that. The schema is not used.",
        "content: {application/pdf: {schema: {type: object}}}",
        "Nothing needs to be done.",
    ),
    unsupported(
        "CD-TEXT-SCHEMA",
        "A text body whose schema is not one simple value. It is carried as text.",
        "content: {text/csv: {schema: {type: array}}}",
        "Read and write it in the mapper.",
    ),
    unsupported(
        "CD-XML",
        "An XML body is carried as text: its schema is not used.",
        "content: {application/xml: {schema: {…}}}",
        "Read and write it in the mapper, or choose JSON if the API has both.",
    ),
    note(
        "CD-ENCODING",
        "`encoding` beside a body that is neither a form nor multipart. OpenAPI gives it no effect there.",
        "application/json: {schema: {…}, encoding: {id: {…}}}",
        "Remove it.",
    ),
    unsupported(
        "CD-PART-HEADERS",
        "Headers of a part of a multipart body are not sent.",
        "encoding: {file: {headers: {X-Checksum: {…}}}}",
        "Nothing, unless the API insists on them.",
    ),
    note(
        "CD-MEDIA-RANGE",
        "A range of media types, such as `*/*`. Beside a type with the same schema it is left out; alone, a concrete type \
         is sent.",
        "content: {\"*/*\": {schema: {…}}}",
        "Name the media types that the operation takes.",
    ),
    unsupported(
        "CD-STREAM-OTHER",
        "An operation that can answer with streams of several kinds. The first of the document is asked for.",
        "content: {text/event-stream: {…}, application/jsonl: {…}}",
        "Change their order by an overlay, if another is wanted.",
    ),
    note(
        "CD-ERROR-IN-SUCCESS",
        "A successful reply has a field that sounds like an error (`error`, `errorCode`, `success`, …). Such systems say no \
         with status 200.",
        "\"200\": … properties: {errorCode: {type: string}, orderId: …}",
        "Say in the mapper's `verdict` and `outcome` what the field means, so that a no is neither taken for a success nor \
         counted against the breaker.",
    ),
    note(
        "CD-RESILIENCE",
        "Resilience tests were asked for, but none can be written: there is no mapper, or no operation that can be called \
         with a sample.",
        "cofferdam generate --spec api.yaml --system pay --out src/pay --with-tests",
        "Generate with stubs (`--with-stubs`, or a project), and give the document examples.",
    ),
];
