//! Vectors that are not obeyed, each with the reason, and those that leave a choice.

/// Vectors that contradict OpenAPI, the rules beside them, or a choice that is documented. They were written before there
/// was anything to run them against.
pub(crate) const KNOWN: &[(&str, &str)] = &[];

/// What stands for the expectation of a vector that allows something else, in the form of `expect_outcome`.
pub(crate) const CHOSEN: &[(&str, &str)] = &[
    ("03-optional-vs-nullable-15", r#"{"json": {"revision": 1, "owner": null}}"#),
    ("10-map-beside-fields-10", r#"{"json": {"a": "1"}}"#),
    ("14-path-parameters-04", r#"{"error": "before_send"}"#),
    ("14-path-parameters-05", r#"{"error": "before_send"}"#),
    ("24-type-arrays-const-31-15", r#"{"error": "undecodable", "names": "kind"}"#),
];
