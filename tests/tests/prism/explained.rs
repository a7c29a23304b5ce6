//! Calls that Prism refuses although they are right: each with the reason. A call that passes may not be listed.

/// `multipart/form-data` and forms: a list of one item is read as that item; several parts of one name are, too.
const ONE_ITEM: &str =
    "Prism reads a list in a form or in parts as its one item: `curl -F files=@a -F files=@b` is refused alike";
/// Parts of JSON.
const JSON_PART: &str = "Prism reads a part of type application/json as text: `curl -F 'marker={…};type=application/json'` is refused alike";
/// OpenAPI defines styles for objects of scalars only.
const NESTED: &str = "OpenAPI does not say how objects and lists within an object travel in a query; Prism reads none";
/// Discriminators and open objects.
const AMBIGUOUS: &str =
    "every object that is one alternative is another, too, for none requires anything: no value keeps to this oneOf";
/// Header parameters named Accept, Content-Type or Authorization.
const RESERVED: &str = "OpenAPI ignores a header parameter named Authorization; Prism demands it";

/// Document, operation, reason.
const EXPLAINED: &[(&str, &str, &str)] = &[
    ("06-enum-odd-strings", "probe", "the listed empty text is sent as `op=`; Prism takes an empty value for none"),
    ("11-recursion", "getTree", "Prism cuts its reply off where it recurs, without the member that is required there"),
    ("17-multipart", "sendReport", JSON_PART),
    (
        "og30-content_data",
        "POST /requestBodyWithEncodingTypes",
        "Prism reads a list in a form as text where its encoding has a contentType, which counts for nothing beside a style: \
         `curl -d a=1 -d a=2` is refused alike",
    ),
    ("og30-deepobject", "test_post", NESTED),
    ("og30-form_multipart_binary_array", "multipartArray", ONE_ITEM),
    ("og30-form_multipart_binary_array", "multipartMixed", JSON_PART),
    ("og30-oneof_polymorphism_and_inheritance", "createBar", AMBIGUOUS),
    ("og30-echo_api", "test/form/oneof", AMBIGUOUS),
    ("og30-echo_api", "test/form/object/multipart", JSON_PART),
    ("og30-echo_api", "test/query/style_form/explode_true/array_string", NESTED),
    ("og30-echo_api", "test/query/style_form/explode_true/object", NESTED),
    ("og30-echo_api", "test/body/multipart/formdata/array_of_binary", ONE_ITEM),
    (
        "og31-enum_in_multipart",
        "CreateMessage",
        "`fileType` is required and no property: Prism drops the part and then misses it, whoever sends it",
    ),
    ("oxide-keeper", "enrol", RESERVED),
    ("oxide-keeper", "global_jobs", RESERVED),
    ("oxide-keeper", "ping", RESERVED),
    ("oxide-keeper", "report_finish", RESERVED),
    ("oxide-keeper", "report_output", RESERVED),
    ("oxide-keeper", "report_start", RESERVED),
    (
        "oxide-propolis-server",
        "instance_serial",
        "it answers with a switch of protocols (101) only, for which Prism finds no content",
    ),
    ("oxide-buildomat", "task_output_download", "it documents no response: Prism has none to give"),
];

/// Why a call does not pass, if that is known.
pub(crate) fn explained(document: &str, operation: &str) -> Option<&'static str> {
    let is_it = |entry: &&(&str, &str, &str)| entry.0 == document && entry.1 == operation;
    EXPLAINED.iter().find(is_it).map(|(_, _, reason)| *reason)
}
