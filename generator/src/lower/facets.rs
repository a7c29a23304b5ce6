//! What a schema says, gathered from itself and from everything its `allOf` brings in.

use indexmap::IndexMap;
use serde_json::Value;

use super::context::Lowering;
use crate::model::{Origin, SchemaId, UnionKind};
use crate::normalise::{Kinds, Listed, Nulls, Text, View, beyond_i64, content_text};
use crate::resolve::Node;

/// A schema that stands inside another one, and the named schema that owns that place when it is not the one at hand:
/// what comes in through `allOf` keeps the name its own schema gives it.
pub(super) type Owned<'a> = (Node<'a>, Option<SchemaId>);

/// What is said about one value, merged.
#[derive(Debug, Clone)]
pub(super) struct Facets<'a> {
    pub(super) kinds: Kinds,
    /// Where `kinds` was narrowed last.
    kinds_at: Option<Origin>,
    pub(super) listed: Option<Listed<'a>>,
    pub(super) format: Option<(&'a str, Origin)>,
    pub(super) content: Option<Text>,
    /// A bound lies beyond `i64`.
    pub(super) unsigned: bool,
    pub(super) items: Vec<Owned<'a>>,
    pub(super) prefix: Vec<Owned<'a>>,
    /// Nothing may follow `prefix`.
    pub(super) prefix_closed: bool,
    pub(super) properties: IndexMap<&'a str, Vec<Owned<'a>>>,
    pub(super) required: IndexMap<&'a str, Origin>,
    pub(super) extra: Rest<'a>,
    pub(super) patterns: Vec<Owned<'a>>,
    pub(super) unions: Vec<Alternatives<'a>>,
}

/// What is said of undeclared properties.
#[derive(Debug, Clone)]
pub(super) enum Rest<'a> {
    Unsaid,
    Closed,
    Anything,
    Schemas(Vec<Owned<'a>>),
}

/// A `oneOf` or `anyOf`.
#[derive(Debug, Clone)]
pub(super) struct Alternatives<'a> {
    pub(super) kind: UnionKind,
    pub(super) branches: Vec<Node<'a>>,
    pub(super) discriminator: Option<Node<'a>>,
    /// The schema that has it.
    pub(super) holder: Origin,
    pub(super) origin: Origin,
}

impl Default for Facets<'_> {
    fn default() -> Self {
        Self {
            kinds: Kinds::ALL,
            kinds_at: None,
            listed: None,
            format: None,
            content: None,
            unsigned: false,
            items: Vec::new(),
            prefix: Vec::new(),
            prefix_closed: false,
            properties: IndexMap::new(),
            required: IndexMap::new(),
            extra: Rest::Unsaid,
            patterns: Vec::new(),
            unions: Vec::new(),
        }
    }
}

impl<'a> Facets<'a> {
    /// The types it admits: as said, else as the other keywords imply.
    pub(super) fn kinds(&self) -> Kinds {
        if self.kinds != Kinds::ALL {
            return self.kinds;
        }
        if self.speaks_of_objects() {
            Kinds::OBJECT
        } else if !self.items.is_empty() || !self.prefix.is_empty() {
            Kinds::ARRAY
        } else if self.content.is_some() {
            Kinds::TEXT
        } else {
            self.format.as_ref().map_or(Kinds::ALL, |(format, _)| kinds_of_format(format))
        }
    }

    /// Whether a keyword speaks of objects.
    pub(super) fn speaks_of_objects(&self) -> bool {
        !self.properties.is_empty()
            || !self.required.is_empty()
            || !self.patterns.is_empty()
            || !matches!(self.extra, Rest::Unsaid)
    }

    /// Whether alternatives beside it have to be merged with it, because it brings properties or items of its own.
    pub(super) fn is_base(&self) -> bool {
        !self.properties.is_empty()
            || !self.items.is_empty()
            || !self.prefix.is_empty()
            || matches!(self.extra, Rest::Schemas(_))
    }

    /// Gives every place that has no owner yet to a schema.
    pub(super) fn owned_by(&mut self, id: SchemaId) {
        let rest: &mut [Owned<'a>] = match &mut self.extra {
            Rest::Schemas(schemas) => schemas,
            _ => &mut [],
        };
        let places = self.properties.values_mut().flatten().chain(&mut self.items).chain(&mut self.prefix);
        for (_, owner) in places.chain(&mut self.patterns).chain(rest) {
            owner.get_or_insert(id);
        }
    }

    /// Adds a place, unless it came in on another way already.
    fn add(places: &mut Vec<Owned<'a>>, node: Node<'a>, owner: Option<SchemaId>) {
        if !places.iter().any(|(known, _)| known.origin == node.origin) {
            places.push((node, owner));
        }
    }
}

/// The type that a format implies where `type` is missing.
fn kinds_of_format(format: &str) -> Kinds {
    use crate::model::TextFormat::Plain;
    match crate::normalise::text_format(format) {
        Some(Text::Format(Plain)) => Kinds::ALL,
        Some(_) => Kinds::TEXT,
        None if matches!(format, "int32" | "int64") => Kinds::INT,
        None if matches!(format, "float" | "double") => Kinds::NUMBER,
        None => Kinds::ALL,
    }
}

impl<'a> Lowering<'a> {
    /// Adds what a schema itself says (not its `$ref` or `allOf`).
    pub(super) fn gather(&mut self, facets: &mut Facets<'a>, view: &View<'a>, owner: Option<SchemaId>, as_base: bool) {
        self.gather_kinds(facets, view);
        self.gather_values(facets, view);
        self.gather_text(facets, view);
        self.gather_items(facets, view, owner);
        self.gather_properties(facets, view, owner);
        self.gather_unions(facets, view, as_base);
    }

    fn gather_kinds(&mut self, facets: &mut Facets<'a>, view: &View<'a>) {
        if view.nulls == Nulls::Only || !view.is_typed() {
            return;
        }
        let met = facets.kinds.and(view.kinds);
        if met == Kinds::NONE {
            self.disagree(facets.kinds_at.clone(), &facets.kinds.to_string(), view, &view.kinds.to_string());
            // The later one is the more special one: it narrows what it builds on. What only fits the other type goes.
            facets.listed = None;
            facets.format = None;
            facets.content = None;
            facets.items.clear();
            facets.prefix.clear();
            facets.kinds = view.kinds;
        } else {
            facets.kinds = met;
        }
        facets.kinds_at = Some(view.node.origin.clone());
    }

    fn disagree(&mut self, earlier: Option<Origin>, said: &str, view: &View<'a>, says: &str) {
        let earlier = earlier.map(|origin| format!(" (at {})", origin.pointer)).unwrap_or_default();
        let message = format!("merged schemas disagree: {said}{earlier} and {says}; the latter is used");
        self.findings.warning("CD-ALLOF-CONFLICT", &view.node.origin, message, "make one of them fit the other");
    }

    fn gather_values(&mut self, facets: &mut Facets<'a>, view: &View<'a>) {
        let Some(listed) = Listed::of(view, &mut self.findings) else { return };
        facets.listed = Some(match facets.listed.take() {
            None => listed,
            Some(before) => {
                let met = before.meet(&listed);
                if met.values.is_empty() {
                    let message = format!(
                        "merged schemas list values of which none is common (see {}): the latter are used",
                        before.origin.pointer
                    );
                    let help = "make one of them fit the other";
                    self.findings.warning("CD-ALLOF-CONFLICT", &view.node.origin, message, help);
                    listed
                } else {
                    met
                }
            }
        });
    }

    fn gather_text(&mut self, facets: &mut Facets<'a>, view: &View<'a>) {
        if let Some(format) = view.node.text("format", &mut self.findings) {
            let at = view.node.at("format");
            if let Some((before, origin)) = facets.format.as_ref().filter(|(before, _)| *before != format) {
                self.disagree(Some(origin.clone()), &format!("format `{before}`"), view, &format!("format `{format}`"));
            }
            facets.format = Some((format, at));
        }
        let encoding = view.node.text("contentEncoding", &mut self.findings);
        let media_type = view.node.text("contentMediaType", &mut self.findings);
        if encoding.is_some() || media_type.is_some() {
            match content_text(encoding, media_type) {
                Some(text) => facets.content = Some(text),
                None => {
                    let message =
                        "this content encoding or media type has no type of its own: it is text as it is sent";
                    self.findings.count("CD-CONTENT", &view.node.origin, message, "");
                }
            }
        }
        let bounds = ["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"];
        facets.unsigned |= bounds.into_iter().filter_map(|key| view.keywords.get(key)).any(beyond_i64);
    }

    fn gather_items(&mut self, facets: &mut Facets<'a>, view: &View<'a>, owner: Option<SchemaId>) {
        for item in view.node.list("prefixItems", &mut self.findings) {
            Facets::add(&mut facets.prefix, item, owner);
        }
        if let Some(items) = view.get("items") {
            match items.value {
                Value::Array(items_of) => {
                    // The form of JSON Schema before 2020-12; `additionalItems` said what may follow.
                    for (index, item) in items_of.iter().enumerate() {
                        Facets::add(&mut facets.prefix, items.child(&index.to_string(), item), owner);
                    }
                    facets.prefix_closed |= view.keywords.get("additionalItems") == Some(&Value::Bool(false));
                }
                Value::Bool(false) => facets.prefix_closed = true,
                _ => Facets::add(&mut facets.items, items, owner),
            }
        }
        let longest = view.keywords.get("maxItems").and_then(Value::as_u64);
        facets.prefix_closed |= longest.is_some_and(|longest| usize::try_from(longest) == Ok(facets.prefix.len()));
    }

    fn gather_properties(&mut self, facets: &mut Facets<'a>, view: &View<'a>, owner: Option<SchemaId>) {
        for (name, property) in view.node.entries("properties", &mut self.findings) {
            Facets::add(facets.properties.entry(name).or_default(), property, owner);
        }
        for (_, pattern) in view.node.entries("patternProperties", &mut self.findings) {
            let message = "the pattern of `patternProperties` is not checked: what it describes is kept with the rest";
            self.findings.count("CD-PATTERN-PROPERTIES", &view.node.at("patternProperties"), message, "");
            Facets::add(&mut facets.patterns, pattern, owner);
        }
        if view.keywords.get("required").is_some_and(Value::is_boolean) {
            let message = "`required` inside a property has no effect";
            let help = "list the property in the `required` of its object";
            self.findings.count_warning("CD-REQUIRED-BOOLEAN", &view.node.at("required"), message, help);
        } else {
            for name in view.node.texts("required", &mut self.findings) {
                facets.required.entry(name).or_insert_with(|| view.node.at("required"));
            }
        }
        for key in ["additionalProperties", "unevaluatedProperties"] {
            let Some(said) = view.get(key) else { continue };
            match (said.value, &mut facets.extra) {
                (Value::Bool(false), Rest::Unsaid) => facets.extra = Rest::Closed,
                (Value::Bool(false), _) => {}
                (Value::Object(_), Rest::Schemas(schemas)) => Facets::add(schemas, said, owner),
                (Value::Object(map), _) if !map.is_empty() => facets.extra = Rest::Schemas(vec![(said, owner)]),
                (Value::Object(_) | Value::Bool(true), Rest::Unsaid | Rest::Closed) => facets.extra = Rest::Anything,
                (Value::Object(_) | Value::Bool(true), _) => {}
                (other, _) => {
                    crate::resolve::wrong_type(&said.origin, "a schema or a boolean", other, &mut self.findings)
                }
            }
        }
    }

    fn gather_unions(&mut self, facets: &mut Facets<'a>, view: &View<'a>, as_base: bool) {
        let mut discriminator = view.get("discriminator");
        for (key, kind) in [("oneOf", UnionKind::OneOf), ("anyOf", UnionKind::AnyOf)] {
            let branches = view.node.list(key, &mut self.findings);
            if branches.is_empty() {
                continue;
            }
            let discriminator = discriminator.take();
            // A base lists those that build on it: they take its properties, not its list.
            if as_base && self.leads_back(&branches) {
                continue;
            }
            let holder = view.node.origin.clone();
            facets.unions.push(Alternatives { kind, branches, discriminator, holder, origin: view.node.at(key) });
        }
    }

    /// Whether one of the branches is a schema that is being merged right now.
    pub(super) fn leads_back(&mut self, branches: &[Node<'a>]) -> bool {
        branches.iter().any(|branch| {
            let Some(reference) = branch.value.get("$ref").and_then(Value::as_str) else { return false };
            let target = self.documents.resolve(reference, &branch.at("$ref"), &mut self.findings);
            target.is_some_and(|target| {
                let target = self.unified(&target);
                self.gathering.contains(&target.origin)
            })
        })
    }

    /// Adds all that a referenced schema says, through its own `$ref` and `allOf` too.
    pub(super) fn gather_target(&mut self, facets: &mut Facets<'a>, target: &Node<'a>, at: &Origin) {
        let target = self.unified(target);
        if self.gathering.contains(&target.origin) {
            if self.distributing == 0 {
                let message =
                    format!("`allOf` comes back to {}: it adds nothing, and is left out", target.origin.pointer);
                self.findings.warning("CD-ALLOF-CYCLE", at, message, "a schema cannot be a part of itself");
            }
            return;
        }
        if !self.enter(&target.origin) {
            return;
        }
        self.gathering.push(target.origin.clone());
        let owner = self.named(&target);
        let view = self.view(&target);
        for part in self.parts(&view) {
            self.gather_part(facets, &part, Some(owner));
        }
        self.gathering.pop();
        self.leave();
    }
}
