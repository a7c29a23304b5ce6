//! Webhooks and callbacks: requests that the API makes. They give the types of their payloads, and no method.

use super::context::Lowering;
use super::place::Place;
use crate::model::{Docs, SchemaId, SchemaKind, Type, TypeUse};
use crate::resolve::Node;

impl<'a> Lowering<'a> {
    /// The payloads of the document's webhooks.
    pub(super) fn webhooks(&mut self, root: &Node<'a>) -> Vec<SchemaId> {
        let mut payloads = Vec::new();
        for (name, item) in root.entries("webhooks", &mut self.findings) {
            let message = "webhooks give the types of their payloads, and no method";
            self.findings.count("CD-WEBHOOK", &item.origin, message, "");
            payloads.extend(self.payloads(name, &item));
        }
        payloads
    }

    /// The payloads of the callbacks of every operation.
    pub(super) fn callbacks(&mut self, root: &Node<'a>) -> Vec<SchemaId> {
        let mut payloads = Vec::new();
        for (path, item) in root.entries("paths", &mut self.findings) {
            if path.starts_with("x-") {
                continue;
            }
            let Some(item) = self.documents.peel(&item, &mut self.findings) else { continue };
            for (_, operation) in self.methods(&item) {
                for (name, written) in operation.entries("callbacks", &mut self.findings) {
                    let message = "callbacks give the types of their payloads, and no method";
                    self.findings.count("CD-CALLBACK", &written.origin, message, "");
                    let Some(callback) = self.documents.peel(&written, &mut self.findings) else { continue };
                    for (expression, item) in callback.members(&mut self.findings) {
                        if !expression.starts_with("x-") {
                            payloads.extend(self.payloads(name, &item));
                        }
                    }
                }
            }
        }
        payloads
    }

    fn payloads(&mut self, name: &str, item: &Node<'a>) -> Vec<SchemaId> {
        let Some(item) = self.documents.peel(item, &mut self.findings) else { return Vec::new() };
        let mut payloads = Vec::new();
        for (_, operation) in self.methods(&item) {
            let id = operation.text("operationId", &mut self.findings).unwrap_or(name);
            let Some(written) = operation.get("requestBody") else { continue };
            let Some(body) = self.documents.peel(&written, &mut self.findings) else { continue };
            let place = Place::of_operation(id).inside("payload");
            let mut seen: Vec<TypeUse> = Vec::new();
            for content in self.contents(&body, &place) {
                if !seen.contains(&content.ty) {
                    let place =
                        if seen.is_empty() { place.clone() } else { place.inside((seen.len() + 1).to_string()) };
                    payloads.push(self.payload(&content.ty, &place, &body));
                    seen.push(content.ty);
                }
            }
        }
        payloads
    }

    /// The item of a payload: the inline schema that was named after it, or another name for what it is.
    fn payload(&mut self, used: &TypeUse, place: &Place, body: &Node<'a>) -> SchemaId {
        let name = place.name();
        if let Type::Named(id) = used.ty
            && self.schemas.get(id.index()).is_some_and(|def| def.name == name)
        {
            return id;
        }
        let description = self.prose(body, "description");
        let docs = Docs { description, ..Docs::default() };
        let id = self.reserve(body.origin.clone(), name, false, docs);
        self.fill(id, SchemaKind::Alias(TypeUse { nullable: false, ty: used.ty.clone() }), used.nullable);
        id
    }
}
