use indexmap::IndexMap;
use serde_json::Value;

use super::context::{Lowering, any};
use super::parameter::style;
use super::place::Place;
use crate::model::{Content, ContentKind, Encoding, ParameterPlace, TextFormat, Type, TypeUse};
use crate::normalise::Dialect;
use crate::resolve::Node;

impl<'a> Lowering<'a> {
    /// The media types of a body or response, in document order.
    pub(super) fn contents(&mut self, holder: &Node<'a>, place: &Place) -> Vec<Content> {
        let mut contents: Vec<Content> = Vec::new();
        for (media_type, written) in holder.entries("content", &mut self.findings) {
            if media_type.starts_with("x-") && !media_type.contains('/') {
                continue;
            }
            let Some(node) = self.documents.peel(&written, &mut self.findings) else { continue };
            let essence = media_type_essence(media_type);
            let place = if contents.is_empty() { place.clone() } else { place.inside(short_name(&essence)) };
            contents.push(self.content(media_type, &essence, &node, place));
        }
        self.drop_ranges(contents, holder)
    }

    fn content(&mut self, media_type: &str, essence: &str, node: &Node<'a>, place: Place) -> Content {
        self.survey(node, "a media type", &["schema", "itemSchema", "encoding"]);
        let known = kind_of_media_type(essence);
        let ty = match known {
            Some(ContentKind::Text) if is_xml(essence) => self.xml(node),
            Some(ContentKind::Binary) => TypeUse { ty: Type::Binary, nullable: false },
            Some(ContentKind::EventStream | ContentKind::JsonLines) => self.stream_item(node, known, place),
            _ => node.get("schema").map_or_else(any, |schema| self.schema(&schema, place)),
        };
        let kind = known.unwrap_or(match ty.ty {
            Type::Text(_) => ContentKind::Text,
            Type::Binary => ContentKind::Binary,
            Type::Any if node.get("schema").is_none() => ContentKind::Binary,
            _ if essence.starts_with('*') || essence.ends_with("/*") => ContentKind::Json,
            _ => ContentKind::Binary,
        });
        if kind == ContentKind::Binary && !matches!(ty.ty, Type::Binary | Type::Any | Type::Text(_)) {
            let message = format!("`{essence}` is carried as bytes: its schema is not used");
            self.findings.count("CD-BINARY-SCHEMA", &node.origin, message, "");
        }
        let ty = match kind {
            ContentKind::Binary => TypeUse { ty: Type::Binary, nullable: false },
            ContentKind::Text if ty.ty == Type::Any => plain_text(),
            _ => ty,
        };
        let mut encoding = self.encoding(node, kind);
        if kind == ContentKind::Multipart {
            self.media_types_of_parts(node, &mut encoding);
        }
        Content { media_type: media_type.to_owned(), kind, ty, encoding }
    }

    fn xml(&mut self, node: &Node<'a>) -> TypeUse {
        let message = "an XML body is carried as text: its schema is not used";
        self.findings.count("CD-XML", &node.origin, message, "");
        plain_text()
    }

    /// The type of one item of a stream: 3.2's `itemSchema`, else the schema, which by custom describes an item.
    fn stream_item(&mut self, node: &Node<'a>, kind: Option<ContentKind>, place: Place) -> TypeUse {
        if let Some(item) = node.get("itemSchema") {
            // An event is described with its fields; what is typed is the data in it.
            let data = item.get("properties").and_then(|properties| properties.get("data"));
            let inner = data.and_then(|data| data.get("contentSchema"));
            return match (kind, inner) {
                (Some(ContentKind::EventStream), Some(inner)) => self.schema(&inner, place),
                _ => self.schema(&item, place),
            };
        }
        let Some(schema) = node.get("schema") else {
            return if kind == Some(ContentKind::EventStream) { plain_text() } else { any() };
        };
        let used = self.schema(&schema, place);
        match (kind, used.ty) {
            // Lines described as the array they make up.
            (Some(ContentKind::JsonLines), Type::Array(item)) => *item,
            (_, ty) => TypeUse { ty, ..used },
        }
    }

    fn encoding(&mut self, node: &Node<'a>, kind: ContentKind) -> IndexMap<String, Encoding> {
        let mut encodings = IndexMap::new();
        for (property, node) in node.entries("encoding", &mut self.findings) {
            if !matches!(kind, ContentKind::Form | ContentKind::Multipart) {
                let message = "`encoding` only has an effect on forms and multipart bodies";
                self.findings.count("CD-ENCODING", &node.origin, message, "");
                continue;
            }
            let content_types = node.text("contentType", &mut self.findings).unwrap_or_default();
            let style = node.text("style", &mut self.findings).and_then(|word| {
                let style = style(ParameterPlace::Query, word);
                if style.is_none() {
                    self.findings.warning("CD-STYLE", &node.at("style"), format!("`{word}` is no style of a form"), "");
                }
                style
            });
            if node.get("headers").is_some() {
                let message = "the `headers` of a part are not sent";
                self.findings.count("CD-PART-HEADERS", &node.at("headers"), message, "");
            }
            let encoding = Encoding {
                content_types: content_types
                    .split(',')
                    .map(str::trim)
                    .filter(|t| !t.is_empty())
                    .map(str::to_owned)
                    .collect(),
                style,
                explode: node.flag("explode", &mut self.findings),
                allow_reserved: node.flag("allowReserved", &mut self.findings).unwrap_or(false),
            };
            encodings.insert(property.to_owned(), encoding);
        }
        encodings
    }

    /// The rule of `contentMediaType` in a part's schema: it is the part's type where `encoding` gives none.
    fn media_types_of_parts(&mut self, node: &Node<'a>, encodings: &mut IndexMap<String, Encoding>) {
        let schema = node.get("schema").and_then(|schema| self.documents.peel(&schema, &mut self.findings));
        let Some(properties) = schema.and_then(|schema| schema.get("properties")) else { return };
        for name in properties.value.as_object().into_iter().flat_map(|properties| properties.keys()) {
            let schema = properties.get(name).and_then(|schema| self.documents.peel(&schema, &mut self.findings));
            let item = schema.as_ref().and_then(|schema| schema.get("items"));
            // With an encoding, what travels is text, of whatever.
            let said = |node: &Node<'a>| {
                let media_type = node.value.get("contentMediaType").and_then(Value::as_str);
                media_type.filter(|_| node.value.get("contentEncoding").is_none())
            };
            let media_type = schema.as_ref().and_then(said).or_else(|| item.as_ref().and_then(said));
            let Some(media_type) = media_type.filter(|_| self.dialect >= Dialect::V3_1) else { continue };
            let encoding = encodings.entry(name.clone()).or_default();
            if encoding.content_types.is_empty() {
                encoding.content_types.push(media_type.to_owned());
            }
        }
    }

    /// A range such as `application/*+json` beside a media type it covers, with the same type, adds nothing.
    fn drop_ranges(&mut self, contents: Vec<Content>, holder: &Node<'a>) -> Vec<Content> {
        let covered = |range: &Content| {
            is_range(&range.media_type)
                && contents
                    .iter()
                    .any(|other| !is_range(&other.media_type) && (&other.ty, other.kind) == (&range.ty, range.kind))
        };
        let dropped: Vec<bool> = contents.iter().map(covered).collect();
        if dropped.contains(&true) {
            let message = "a range of media types beside one of them, with the same schema, is left out";
            self.findings.count("CD-MEDIA-RANGE", &holder.at("content"), message, "");
        }
        contents.into_iter().zip(dropped).filter(|(_, dropped)| !dropped).map(|(content, _)| content).collect()
    }
}

fn plain_text() -> TypeUse {
    TypeUse { ty: Type::Text(TextFormat::Plain), nullable: false }
}

fn is_range(media_type: &str) -> bool {
    media_type.contains('*')
}

/// A media type without its parameters, in lower case.
pub(super) fn media_type_essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_lowercase()
}

fn is_xml(essence: &str) -> bool {
    essence.ends_with("/xml") || essence.ends_with("+xml")
}

/// Whether a subtype means JSON texts one after another: its names are many. `stream+json` is one of them, though it looks
/// like JSON of some kind.
fn is_json_lines(subtype: &str) -> bool {
    let word = subtype.rsplit('+').next().unwrap_or_default();
    let word = word.strip_prefix("x-").unwrap_or(word);
    let is_name = matches!(word, "jsonl" | "ndjson" | "jsonlines" | "json-lines" | "json-seq");
    is_name || matches!(subtype, "stream+json" | "x-json-stream")
}

/// How a media type is read and written; `None` when its schema has to say.
pub(super) fn kind_of_media_type(essence: &str) -> Option<ContentKind> {
    let (main, sub) = essence.split_once('/')?;
    match (main, sub) {
        ("text", "event-stream") => Some(ContentKind::EventStream),
        _ if is_json_lines(sub) => Some(ContentKind::JsonLines),
        (_, "json") => Some(ContentKind::Json),
        (_, sub) if sub.ends_with("+json") => Some(ContentKind::Json),
        ("application", "x-www-form-urlencoded") => Some(ContentKind::Form),
        ("multipart", _) => Some(ContentKind::Multipart),
        _ if is_xml(essence) => Some(ContentKind::Text),
        ("text", "*") => None,
        ("text", _) => Some(ContentKind::Text),
        ("application", "octet-stream" | "pdf" | "zip" | "gzip" | "x-tar")
        | ("image" | "audio" | "video" | "font", _) => Some(ContentKind::Binary),
        _ => None,
    }
}

/// A word that tells a body in this media type from its siblings.
fn short_name(essence: &str) -> String {
    let sub = essence.split_once('/').map_or(essence, |(_, sub)| sub);
    match sub {
        "x-www-form-urlencoded" => "form".to_owned(),
        "form-data" => "multipart".to_owned(),
        "event-stream" => "event".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let kind = |media_type: &str| kind_of_media_type(&media_type_essence(media_type));
        assert_eq!(kind("Application/JSON; charset=utf-8"), Some(ContentKind::Json));
        assert_eq!(kind("application/vnd.api+json"), Some(ContentKind::Json));
        assert_eq!(kind("application/x-ndjson"), Some(ContentKind::JsonLines));
        for lines in ["jsonl", "x-jsonlines", "ndjson", "json-seq", "geo+json-seq", "vnd.a+ndjson", "stream+json"] {
            assert_eq!(kind(&format!("application/{lines}")), Some(ContentKind::JsonLines), "{lines}");
        }
        assert_eq!(kind("text/event-stream"), Some(ContentKind::EventStream));
        assert_eq!(kind("text/csv"), Some(ContentKind::Text));
        assert_eq!(kind("application/problem+xml"), Some(ContentKind::Text));
        assert_eq!(kind("multipart/form-data"), Some(ContentKind::Multipart));
        assert_eq!(kind("image/png"), Some(ContentKind::Binary));
        assert_eq!(kind("*/*"), None);
        assert_eq!(kind("nonsense"), None);
    }
}
