//! Which OpenAPI a document is written in.

use serde_json::{Map, Value};

use super::Sources;
use crate::diagnose::Report;
use crate::model::Origin;

/// The versions that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpenApiVersion {
    /// 3.0.x
    V3_0,
    /// 3.1.x
    V3_1,
    /// 3.2.x
    V3_2,
}

/// The version of the root document. Another kind of document, or a version nobody knows, is an error.
pub fn openapi_version(sources: &Sources, report: &mut Report) -> Option<OpenApiVersion> {
    let root = sources.files.first()?;
    let Value::Object(document) = &root.value else {
        report.error("CD-VERSION", place(""), "an OpenAPI document is a mapping, this is none", "");
        return None;
    };
    let Some(version) = document.get("openapi") else {
        not_openapi(document, report);
        return None;
    };
    let text = match version {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => {
            let help = format!("write it in quotes: `openapi: \"{number}.0\"`");
            report.warning("CD-VERSION", place("/openapi"), "the OpenAPI version is a number, not text", help);
            number.to_string()
        }
        _ => {
            report.error("CD-VERSION", place("/openapi"), "the OpenAPI version is not text", KNOWN);
            return None;
        }
    };
    let found = known(&text);
    if found.is_none() {
        let message = format!("OpenAPI {text:?} is not known");
        report.error("CD-VERSION", place("/openapi"), message, KNOWN);
    }
    found
}

const KNOWN: &str = "3.0, 3.1 and 3.2 are";

fn known(version: &str) -> Option<OpenApiVersion> {
    let mut parts = version.split('.');
    let (major, minor, patch) = (parts.next()?, parts.next()?, parts.next());
    // `3.1.0-rc1` and the like count as what they became.
    let patch_is_sound = patch.is_none_or(|patch| patch.starts_with(|c: char| c.is_ascii_digit()));
    match (major, minor) {
        _ if !patch_is_sound => None,
        ("3", "0") => Some(OpenApiVersion::V3_0),
        ("3", "1") => Some(OpenApiVersion::V3_1),
        ("3", "2") => Some(OpenApiVersion::V3_2),
        _ => None,
    }
}

/// Says what a document without `openapi` seems to be.
fn not_openapi(document: &Map<String, Value>, report: &mut Report) {
    if let Some(swagger) = document.get("swagger") {
        let version = swagger.as_str().map_or_else(|| swagger.to_string(), str::to_owned);
        let message = format!("Swagger {version} found, OpenAPI 3.0 or 3.1 needed, convert first");
        report.error("CD-VERSION", place("/swagger"), message, "");
        return;
    }
    let other = [
        ("asyncapi", "an AsyncAPI document"),
        ("overlay", "an OpenAPI Overlay, which patches a document and is none itself"),
        ("arazzo", "an Arazzo document"),
        ("$schema", "a JSON Schema"),
        ("smithy", "a Smithy model"),
        ("discoveryVersion", "a Google API discovery document"),
    ];
    if let Some((key, what)) = other.into_iter().find(|(key, _)| document.contains_key(*key)) {
        let message = format!("this is {what}: an OpenAPI 3.0 or 3.1 document is needed");
        report.error("CD-VERSION", place(&format!("/{key}")), message, "");
        return;
    }
    if let Some(key) = document.keys().find(|key| key.eq_ignore_ascii_case("openapi")) {
        let message = format!("the key {key:?} must be written `openapi`");
        report.error("CD-VERSION", place(&format!("/{key}")), message, "");
        return;
    }
    let message = "this is no OpenAPI document: the key `openapi` is missing";
    report.error("CD-VERSION", place(""), message, "it begins with `openapi: 3.0.3` or `openapi: 3.1.0`");
}

fn place(pointer: &str) -> Origin {
    Origin { file: 0, pointer: pointer.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{OpenApiVersion, known};

    #[test]
    fn three_zero_to_three_two_are_known() {
        assert_eq!(known("3.0.3"), Some(OpenApiVersion::V3_0));
        assert_eq!(known("3.1"), Some(OpenApiVersion::V3_1));
        assert_eq!(known("3.1.0-rc1"), Some(OpenApiVersion::V3_1));
        assert_eq!(known("3.2.0"), Some(OpenApiVersion::V3_2));
        for unknown in ["4.0.0", "3", "3.3.0", "2.0", "3.0.x", "", "3.10.0"] {
            assert_eq!(known(unknown), None, "{unknown}");
        }
    }
}
