use openapiv3::StatusCode;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use super::content::{kind_of_media_type, media_type_essence};
use super::context::{Lowering, any};
use super::place::Place;
use crate::model::{ContentKind, Header, Response, Status};
use crate::resolve::Node;

impl<'a> Lowering<'a> {
    /// The documented responses of an operation, in document order.
    pub(super) fn responses(&mut self, operation: &Node<'a>, place: &Place) -> Vec<Response> {
        let mut responses = Vec::new();
        for (key, written) in operation.entries("responses", &mut self.findings) {
            if key.starts_with("x-") {
                continue;
            }
            let Some(status) = status(key) else {
                let message = format!("`{key}` is no status: a code such as 404, a range such as 4XX, or `default`");
                self.findings.error("CD-STATUS", &written.origin, message, "");
                continue;
            };
            let Some(node) = self.documents.peel(&written, &mut self.findings) else { continue };
            if node.value.is_null() {
                let message = "a response with nothing in it: it is taken for one without a body";
                self.findings.warning("CD-RESPONSE-EMPTY", &written.origin, message, "give it a `description`");
            } else if node.object(&mut self.findings).is_none() {
                continue;
            }
            responses.push(self.response(status, key, &written, &node, place));
        }
        responses
    }

    fn response(&mut self, status: Status, key: &str, written: &Node<'a>, node: &Node<'a>, place: &Place) -> Response {
        self.survey(node, "a response", &["headers", "content", "links"]);
        let place = self.shared_place(written, node, "response").unwrap_or_else(|| place.inside("reply").inside(key));
        let mut contents = self.contents(node, &place);
        if !contents.is_empty() && matches!(status, Status::Code(100..=199 | 204 | 205 | 304)) {
            let message = "a response of this status never has a body: its `content` is left out";
            self.findings.count("CD-BODY-NEVER", &node.at("content"), message, "");
            contents.clear();
        }
        if node.get("links").is_some() {
            let message = "`links` have no effect";
            self.findings.count("CD-LINKS", &node.at("links"), message, "");
        }
        Response {
            status,
            docs: self.docs_over(written, node),
            headers: self.headers(node, &place),
            contents,
            origin: node.origin.clone(),
        }
    }

    fn headers(&mut self, response: &Node<'a>, place: &Place) -> Vec<Header> {
        let mut headers = Vec::new();
        for (name, written) in response.entries("headers", &mut self.findings) {
            if name.eq_ignore_ascii_case("content-type") {
                continue;
            }
            let Some(node) = self.documents.peel(&written, &mut self.findings) else { continue };
            self.survey(&node, "a header", &["required", "deprecated", "style", "explode", "schema", "content"]);
            let place = self.shared_place(&written, &node, "header").unwrap_or_else(|| place.inside(name));
            let schema = node.get("schema").or_else(|| self.header_content(&node));
            headers.push(Header {
                name: name.to_owned(),
                required: node.flag("required", &mut self.findings).unwrap_or(false),
                ty: schema.map_or_else(any, |schema| self.schema(&schema, place)),
                docs: self.docs_over(&written, &node),
            });
        }
        headers
    }

    /// The schema of a header described by a media type: it is read as `simple` text all the same.
    fn header_content(&mut self, node: &Node<'a>) -> Option<Node<'a>> {
        let (media_type, content) = node.entries("content", &mut self.findings).into_iter().next()?;
        if kind_of_media_type(&media_type_essence(media_type)) == Some(ContentKind::Json) {
            let message = "a response header in JSON is read as any other header";
            self.findings.count("CD-HEADER-CONTENT", &content.origin, message, "");
        }
        content.get("schema")
    }
}

fn status(key: &str) -> Option<Status> {
    if key == "default" {
        return Some(Status::Default);
    }
    let key: StrDeserializer<'_, Error> = key.into_deserializer();
    match StatusCode::deserialize(key).ok()? {
        StatusCode::Code(code) => Some(Status::Code(code)),
        StatusCode::Range(range @ 1..=5) => u8::try_from(range).ok().map(Status::Range),
        StatusCode::Range(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses() {
        assert_eq!(status("404"), Some(Status::Code(404)));
        assert_eq!(status("5xx"), Some(Status::Range(5)));
        assert_eq!(status("default"), Some(Status::Default));
        assert_eq!(status("9XX"), None);
        assert_eq!(status("ok"), None);
    }
}
