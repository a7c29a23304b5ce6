//! Words for media types: variants of bodies that come in several.

use super::collisions::Wanted;
use super::identifiers::{Case, identifier};

/// The variant for a media type: `Json`, `MergePatchJson`, `Form`, `Text`; its parameters only where those differ.
pub(crate) fn variant(media_type: &str) -> Wanted {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let word = match essence.as_str() {
        "application/x-www-form-urlencoded" => "Form".to_owned(),
        "application/octet-stream" => "Bytes".to_owned(),
        "multipart/form-data" => "Multipart".to_owned(),
        "text/plain" => "Text".to_owned(),
        "*/*" => "Any".to_owned(),
        other => subtype(other),
    };
    Wanted::composed(word, vec![identifier(media_type, Case::Camel)])
}

fn subtype(essence: &str) -> String {
    match essence.split_once('/') {
        Some((family, "*")) => identifier(family, Case::Camel),
        Some((_, subtype)) => identifier(subtype.strip_prefix("x-").unwrap_or(subtype), Case::Camel),
        None => identifier(essence, Case::Camel),
    }
}
