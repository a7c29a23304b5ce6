use openapiv3::{APIKeyLocation, SecurityScheme as Read};
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::Lowering;
use crate::model::{ApiKeyPlace, Docs, Requirement, SecurityKind, SecurityScheme};
use crate::resolve::{Node, did_you_mean, pointer};

/// The types of security schemes that OpenAPI knows.
const TYPES: [&str; 5] = ["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"];

impl<'a> Lowering<'a> {
    /// The security schemes of `components`.
    pub(super) fn security_schemes(&mut self, components: &Node<'a>) -> Vec<SecurityScheme> {
        let mut schemes = Vec::new();
        for (name, node) in components.entries("securitySchemes", &mut self.findings) {
            let Some(target) = self.documents.peel(&node, &mut self.findings) else { continue };
            let Some(kind) = self.security_kind(&target) else { continue };
            let description = self.prose(&target, "description");
            let deprecated = target.flag("deprecated", &mut self.findings).unwrap_or(false);
            let docs = Docs { summary: None, description, deprecated };
            schemes.push(SecurityScheme { name: name.to_owned(), kind, docs, origin: node.origin });
        }
        schemes
    }

    fn security_kind(&mut self, node: &Node<'a>) -> Option<SecurityKind> {
        let kind = node.text("type", &mut self.findings);
        if !matches!(kind, Some("apiKey" | "http" | "oauth2" | "openIdConnect")) {
            let Some(kind) = kind else {
                let help = format!("it is one of {}", TYPES.join(", "));
                self.findings.error("CD-SECURITY", &node.origin, "a security scheme without `type`", help);
                return None;
            };
            if let Some(help) = did_you_mean(kind, TYPES).filter(|_| kind != "mutualTLS") {
                let message = format!("`{kind}` is no type of a security scheme");
                self.findings.error("CD-SECURITY", &node.at("type"), message, help);
                return None;
            }
            return Some(self.unsupported(node, kind));
        }
        let kind = kind.unwrap_or_default();
        let scheme = with_scopes(node.value);
        match Read::deserialize(&scheme) {
            Ok(Read::APIKey { location, name, .. }) => Some(SecurityKind::ApiKey { place: place(&location), name }),
            Ok(Read::HTTP { scheme, .. }) if scheme.eq_ignore_ascii_case("basic") => Some(SecurityKind::Basic),
            Ok(Read::HTTP { scheme, .. }) if scheme.eq_ignore_ascii_case("bearer") => Some(SecurityKind::Bearer),
            Ok(Read::HTTP { scheme, .. }) => Some(self.unsupported(node, &format!("http {scheme}"))),
            Ok(Read::OAuth2 { flows, .. }) => Some(match flows.client_credentials {
                Some(flow) => SecurityKind::ClientCredentials { token_url: flow.token_url },
                None => SecurityKind::Bearer,
            }),
            Ok(Read::OpenIDConnect { .. }) => Some(SecurityKind::Bearer),
            Err(error) => {
                let help = match kind {
                    "apiKey" => "write `{type: apiKey, in: header, name: …}`; `in` is one of query, header, cookie",
                    "http" => "write `{type: http, scheme: bearer}`, or `basic`",
                    "oauth2" => "write `{type: oauth2, flows: {clientCredentials: {tokenUrl: …, scopes: {}}}}`",
                    _ => "write `{type: openIdConnect, openIdConnectUrl: …}`",
                };
                let message = format!("this is not a security scheme: {error}");
                self.findings.error("CD-SECURITY", &node.origin, message, help);
                None
            }
        }
    }

    fn unsupported(&mut self, node: &Node<'a>, kind: &str) -> SecurityKind {
        let message = format!("a security scheme of type `{kind}` is not done by the client: the caller has to");
        self.findings.note("CD-SECURITY-UNSUPPORTED", &node.origin, message, "");
        SecurityKind::Unsupported(kind.to_owned())
    }

    /// `security` of a document or operation; `None` when it says nothing.
    pub(super) fn security(&mut self, holder: &Node<'a>, schemes: &[SecurityScheme]) -> Option<Vec<Requirement>> {
        holder.get("security")?;
        let mut alternatives = Vec::new();
        for node in holder.list("security", &mut self.findings) {
            let mut requirement = Requirement::default();
            for (name, scopes) in node.members(&mut self.findings) {
                let scopes = node_texts(&scopes, self);
                match self.scheme_name(name, &node, schemes) {
                    Some(name) => requirement.schemes.push((name, scopes)),
                    None => self.unknown_scheme(name, &node, schemes),
                }
            }
            alternatives.push(requirement);
        }
        Some(alternatives)
    }

    /// The scheme a requirement names: by its name or, from 3.2 on, by a reference.
    fn scheme_name(&mut self, name: &str, node: &Node<'a>, schemes: &[SecurityScheme]) -> Option<String> {
        if schemes.iter().any(|scheme| scheme.name == name) {
            return Some(name.to_owned());
        }
        if !name.contains('#') {
            return None;
        }
        let at = node.at(name);
        let target = self.documents.resolve(name, &at, &mut self.findings)?;
        schemes.iter().find(|scheme| scheme.origin == target.origin).map(|scheme| scheme.name.clone())
    }

    fn unknown_scheme(&mut self, name: &str, node: &Node<'a>, schemes: &[SecurityScheme]) {
        let declared = self.documents.root().is_some_and(|root| {
            let pointer = pointer::join("/components/securitySchemes", name);
            self.documents.at(&crate::model::Origin { file: root.origin.file, pointer }).is_some()
        });
        // One that is declared but could not be read was told already.
        if !declared {
            let help = did_you_mean(name, schemes.iter().map(|scheme| scheme.name.as_str()));
            let help = help.unwrap_or_else(|| "declare it in `components/securitySchemes`".to_owned());
            let message = format!("`{name}` is no security scheme of this document");
            self.findings.error("CD-SECURITY-UNKNOWN", &node.at(name), message, help);
        }
    }
}

fn node_texts<'a>(node: &Node<'a>, lowering: &mut Lowering<'a>) -> Vec<String> {
    let Value::Array(items) = node.value else {
        if !node.value.is_null() {
            crate::resolve::wrong_type(&node.origin, "an array of scopes", node.value, &mut lowering.findings);
        }
        return Vec::new();
    };
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn place(location: &APIKeyLocation) -> ApiKeyPlace {
    match location {
        APIKeyLocation::Query => ApiKeyPlace::Query,
        APIKeyLocation::Header => ApiKeyPlace::Header,
        APIKeyLocation::Cookie => ApiKeyPlace::Cookie,
    }
}

/// The scheme with `scopes` in every flow: it is required, often left out, and of no use to a client.
fn with_scopes(scheme: &Value) -> Value {
    let mut scheme = scheme.clone();
    let flows = scheme.get_mut("flows").and_then(Value::as_object_mut);
    for flow in flows.into_iter().flat_map(|flows| flows.values_mut()).filter_map(Value::as_object_mut) {
        flow.insert("scopes".to_owned(), json!({}));
    }
    scheme
}
