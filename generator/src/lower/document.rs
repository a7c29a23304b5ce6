use std::collections::HashSet;

use super::LowerOptions;
use super::context::Lowering;
use super::identity::Identities;
use super::{any_of, credentials, finish, tag};
use crate::model::{Api, Exemplified, SchemaId};
use crate::normalise::Dialect;
use crate::resolve::Node;

const DIALECTS: [&str; 3] = [
    "https://spec.openapis.org/oas/3.1/dialect/",
    "https://spec.openapis.org/oas/3.2/dialect/",
    "https://json-schema.org/draft/2020-12/schema",
];

impl<'a> Lowering<'a> {
    /// The whole document.
    pub(super) fn document(mut self, options: &LowerOptions) -> Option<Api> {
        let root = self.documents.root()?;
        self.root_keywords(&root);
        let info = self.info(&root);
        let servers = self.servers(&root);
        let components = root.get("components");
        let mut roots = components.as_ref().map(|components| self.components(components)).unwrap_or_default();
        let schemes = components.map(|components| self.security_schemes(&components)).unwrap_or_default();
        let security = self.security(&root, &schemes);

        let mut identities = Identities::default();
        let mut operations = Vec::new();
        for (path, item) in root.entries("paths", &mut self.findings) {
            if path.starts_with("x-") {
                continue;
            }
            let found = self.path_item(path, &item, &schemes, &mut identities, options.on_duplicate);
            operations.extend(found);
        }
        for operation in &mut operations {
            if operation.security.is_none() {
                operation.security.clone_from(&security);
            }
        }
        self.finish_identities(identities);
        roots.extend(self.callbacks(&root));
        roots.extend(self.webhooks(&root));
        self.drain();

        let exemplified = std::mem::take(&mut self.exemplified);
        let mut exemplified: Vec<_> = exemplified.into_iter().map(|(origin, ty)| Exemplified { origin, ty }).collect();
        finish::spread_nullable(&mut self.schemas, &mut operations, &mut exemplified);
        finish::find_empty_cycles(&self.schemas, &mut self.findings);
        finish::settle_contents(&self.schemas, &mut operations, &mut self.findings);
        tag::complete(&mut self.schemas, &self.implied_tags, &mut self.findings);
        let mut api = Api {
            title: info.title,
            version: info.version,
            docs: info.docs,
            servers,
            schemas: self.schemas,
            operations,
            roots,
            security_schemes: schemes,
            exemplified,
        };
        credentials::lift(&mut api, &options.body_credentials, &mut self.findings);
        any_of::tell_of_several(&api, &mut self.findings);
        self.findings.finish();
        Some(api)
    }

    fn root_keywords(&mut self, root: &Node<'a>) {
        for (key, _) in root.members(&mut self.findings) {
            let known = matches!(
                key,
                "openapi"
                    | "info"
                    | "servers"
                    | "paths"
                    | "components"
                    | "security"
                    | "tags"
                    | "externalDocs"
                    | "webhooks"
                    | "jsonSchemaDialect"
                    | "$self"
            );
            if !known && !key.starts_with("x-") {
                let message = format!("`{key}` is no part of an OpenAPI document: it has no effect");
                self.findings.count("CD-UNKNOWN-KEYWORD", &root.at(key), message, "");
            }
        }
        if let Some(dialect) = root.text("jsonSchemaDialect", &mut self.findings)
            && !DIALECTS.iter().any(|known| dialect.starts_with(known))
        {
            let message =
                format!("the JSON Schema dialect `{dialect}` is not known: schemas are read as OpenAPI's own");
            self.findings.note("CD-DIALECT", &root.at("jsonSchemaDialect"), message, "");
        }
        if self.dialect == Dialect::V3_0 && root.get("paths").is_none() {
            self.findings.warning("CD-PATHS", &root.origin, "the document has no `paths`", "");
        }
    }

    /// Every named schema. All are roots: a component is there to be used.
    fn components(&mut self, components: &Node<'a>) -> Vec<SchemaId> {
        let mut roots = Vec::new();
        let mut seen = HashSet::new();
        for (_, node) in components.entries("schemas", &mut self.findings) {
            let id = self.named(&node);
            if seen.insert(id) {
                roots.push(id);
            }
        }
        roots
    }
}
