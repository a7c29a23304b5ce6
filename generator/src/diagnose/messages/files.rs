//! Messages about files, their text, and how they refer to each other.

use super::{Message, error, told, unsupported};

pub(super) const MESSAGES: &[Message] = &[
    error(
        "CD-FILE-EMPTY",
        "The file holds nothing: no text at all, or only blanks and comments.",
        "# a file with nothing but this comment",
        "Check that the right file is named, and that the download of the document came to its end.",
    ),
    error(
        "CD-FILE-MISSING",
        "A file that is named does not exist, or what stands there is a folder.",
        "[systems.pay]\nspec = \"specs/pay.yml\"      # the file is called pay.yaml",
        "Correct the path. Paths of the project file are relative to its folder; those of the command line to the working \
         folder.",
    ),
    error(
        "CD-FILE-UNREADABLE",
        "A file is there, but cannot be read: no permission, a folder in its place, or a fault of the disk.",
        "cofferdam generate --spec specs/ --system pay --out src/pay",
        "Name the file itself, and allow the user who runs the command to read it.",
    ),
    error(
        "CD-FILE-UTF8",
        "The file is no UTF-8: it is in another encoding (UTF-16, Latin-1), or no text at all.",
        "a document saved by an editor as \"Unicode\", which is UTF-16 there",
        "Save the file as UTF-8. A byte order mark at its start does no harm.",
    ),
    error(
        "CD-PARSE",
        "The text is not what its format asks for: no JSON, no YAML, no TOML. The place is where reading stopped; the cause \
         often stands a line above.",
        "paths:\n  /pets:\n\tget: {}            # a tab: YAML is indented by blanks",
        "Mend the text at the place that is shown, or above it.",
    ),
    error(
        "CD-KEY-DUPLICATE",
        "A key stands twice in one mapping. Readers disagree about which of the two holds, so neither is taken.",
        "get:\n  operationId: listPets\n  operationId: getPets",
        "Remove or rename one of the two.",
    ),
    error(
        "CD-NESTING",
        "The document has more than 127 levels of mappings and lists in each other. No API needs that, and reading it would \
         exhaust the stack.",
        "[[[[[[…]]]]]]",
        "Check how the document was made: something in it goes round in circles.",
    ),
    error(
        "CD-TOO-DEEP",
        "Schemas written into each other are too many levels deep to be given names and types.",
        "properties:\n  a: {properties: {b: {properties: {c: …}}}}",
        "Name the inner ones in `components/schemas`, and refer to them.",
    ),
    error(
        "CD-YAML-ALIAS",
        "Anchors and aliases of YAML that cannot be followed: an anchor stands twice, or the aliases make the document so \
         large that reading it would take all memory.",
        "a: &x [1]\nb: &x [2]",
        "Give every anchor a name of its own, and use `$ref` for what is shared.",
    ),
    error(
        "CD-YAML-DOCUMENTS",
        "The file holds more than one YAML document, divided by `---`.",
        "openapi: 3.0.3\n---\nopenapi: 3.0.3",
        "Split the file: one file holds one document.",
    ),
    error(
        "CD-YAML-NUMBER",
        "A number of YAML that JSON, and so OpenAPI, has no form for.",
        "maximum: .inf",
        "Leave it out, or put it in quotes if it is text.",
    ),
    error(
        "CD-YAML-TAG",
        "A YAML tag that has no meaning in an OpenAPI document.",
        "default: !secret token",
        "Remove the tag, or put the text in quotes if it is meant to begin so.",
    ),
    told(
        "CD-VERSION",
        "error, warning",
        "The document does not say that it is OpenAPI, or says a version that is not known. Known are 3.0, 3.1 and 3.2; \
         Swagger 2.0 has to be converted first.",
        "swagger: \"2.0\"",
        "Begin the document with `openapi: 3.0.3` or `openapi: 3.1.0`. For Swagger 2.0 use a converter, such as \
         `npx swagger2openapi`.",
    ),
    told(
        "CD-REF-EMPTY",
        "warning",
        "A `$ref` without a value. It is read as any value, or as null where YAML made null of it.",
        "schema: {$ref: \"\"}",
        "Name what is meant, or remove the `$ref`.",
    ),
    error(
        "CD-REF-FILE",
        "A file that a `$ref` names cannot be read: it is missing, not text, or its path is absolute and so holds on one \
         machine only.",
        "$ref: \"/home/me/parts.yaml#/Pet\"",
        "Name the file by a path relative to the file that refers to it, and keep it beside it.",
    ),
    error(
        "CD-REF-LOOP",
        "A reference leads back to itself without ever reaching something.",
        "A: {$ref: \"#/components/schemas/B\"}\nB: {$ref: \"#/components/schemas/A\"}",
        "Refer to the thing itself. A schema that contains itself in a property is fine.",
    ),
    error(
        "CD-REF-MISSING",
        "A `$ref` points to a place that the document does not have.",
        "$ref: \"#/components/schemas/Pett\"",
        "Correct the spelling (the nearest name is told), or add what is missing.",
    ),
    error(
        "CD-REF-URL",
        "A document is named by a URL. Nothing is ever fetched: what is generated must not depend on the network.",
        "$ref: \"https://example.com/common.yaml#/Money\"",
        "Save that document beside this one, and refer to it by a relative path.",
    ),
    unsupported(
        "CD-REF-DYNAMIC",
        "`$dynamicRef` and `$recursiveRef` are resolved where they are written. JSON Schema would resolve them where the \
         schema is used, which types cannot.",
        "items: {$dynamicRef: \"#node\"}",
        "Use `$ref` where the two mean the same.",
    ),
    told(
        "CD-REF-SIBLINGS",
        "note",
        "What stands beside a `$ref` has no effect in OpenAPI 3.0.",
        "$ref: \"#/components/schemas/Pet\"\nnullable: true",
        "Wrap the reference, `allOf: [{$ref: …}]`, or move to OpenAPI 3.1, where siblings count.",
    ),
];
